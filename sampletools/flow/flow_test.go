package flow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/flow"
)

func written(rest string) string { return `{"flow":1,"name":"x",` + rest + `}` }

func repeated(n int, s, separator string) string {
	return strings.TrimSuffix(strings.Repeat(s+separator, n), separator)
}

// Flows that no check has seen are refused in words, or harmless.
func TestNew_Hostile(t *testing.T) {
	numbered := func(n int, format string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(list, ",")
	}
	when := func(source string) string {
		b, _ := json.Marshal(source)
		return written(`"steps":[{"roots":"r","when":` + string(b) + `}],"result":"r"`)
	}
	for name, test := range map[string]struct{ source, want string }{
		"nothing":       {"", "The text is empty."},
		"null":          {"null", "A flow begins with its fields: flow, name, steps, result."},
		"a list":        {"[]", "A flow begins with its fields: flow, name, steps, result."},
		"two documents": {written(`"steps":[],"result":"r"`) + "{}", "more text after the value"},
		"10 MB": {written(`"steps":[],"result":"` + strings.Repeat("a", 10<<20) + `"`),
			"too long"},
		"depth": {strings.Repeat(`{"a":`, 9000) + strings.Repeat("}", 9000),
			"The text is nested too deeply: more than 24 levels."},
		"2,000 questions": {written(`"steps":[` + numbered(2000, `{"roots":"a%d"}`) +
			`],"result":"r"`), "This list is too long: at most 64 entries are allowed."},
		"2,000 of a task": {written(`"steps":[],"task":{"steps":[` + numbered(2000,
			`{"roots":"a%d"}`) + `]},"result":"r"`), "A task needs steps."},
		"steps of all versions": {written(`"steps":[` + numbered(64, `{"roots":"a%d"}`) +
			`],"result":"r","versions":[{"version":"v2","add":[{"roots":"z"}]}]`),
			"This version has too many steps: at most 64 are allowed (in v2)."},
		"21 versions": {written(`"steps":[],"result":"r","versions":[` + numbered(20,
			`{"version":"v1%d"}`) + `]`), "This list is too long: at most 19 entries are allowed."},
		"a version twice": {written(`"steps":[],"result":"r","versions":[{"version":"v1"}]`),
			"The version v1 is defined twice."},
		"fields": {written(`"arguments":{` + numbered(41, `"a%d":{}`) +
			`},"steps":[],"result":"r"`), "too many fields"},
		"nested fields": {written(`"arguments":{"a":` + strings.Repeat(`{"properties":{"a":`,
			9) + "{}" + strings.Repeat("}}", 9) + `},"steps":[],"result":"r"`),
			"An object says"},
		"nested lists": {written(`"arguments":{"a":` + strings.Repeat(`{"items":`, 9) + "{}" +
			strings.Repeat("}", 9) + `},"steps":[],"result":"r"`), "nested too deeply"},
		"__proto__ as a key": {written(`"steps":[{"roots":"__proto__"}],"result":"r"`),
			"The name “__proto__” must begin with a letter"},
		"__proto__ as a field": {written(`"arguments":{"__proto__":{}},"steps":[],"result":"r"`),
			"The name “__proto__” must begin with a letter"},
		"markup as a name": {written(`"steps":[{"roots":"<b>"}],"result":"r"`), "The name “<b>” must begin"},
		"markup as a tool": {`{"flow":1,"name":"<b>","steps":[],"result":"r"}`, "The name of a tool"},
		"a reference": {written(`"arguments":{"a":{"$ref":"#"}},"steps":[],"result":"r"`),
			"The field “$ref” is not known."},
		"a pattern": {written(`"arguments":{"a":{"pattern":"(a+)+$"}},"steps":[],` +
			`"result":"r"`), "The field “pattern” is not known."},
		"a type": {written(`"arguments":{"a":{"type":"file"}},"steps":[],"result":"r"`),
			"“file” is not known here. Use one of"},
		"a key twice": {written(`"steps":[{"roots":"a"},{"shed":"a"}],"result":"r"`), "is already used"},
		"two kinds": {written(`"steps":[{"roots":"a","url":"b"}],"result":"r"`),
			"A step has exactly one of"},
		"no kind": {written(`"steps":[{}],"result":"r"`), "A step has exactly one of"},
		"a long wait": {written(`"steps":[{"progress":"p","seconds":1e300}],"result":"r"`),
			"All progress of a call takes at most 60 seconds."},
		"many waits": {written(`"steps":[` + repeated(3, `{"progress":"p","seconds":30}`,
			",") + `],"result":"r"`), "All progress of a call takes at most 60 seconds."},
		"a negative wait": {written(`"steps":[{"progress":"p","seconds":-1}],"result":"r"`),
			"A time is not negative."},
		"a task that sheds": {written(`"steps":[],"task":{"steps":[{"shed":"s"}]},"result":"r"`),
			"it has no requestState"},
		"no result": {written(`"steps":[]`), "The field “result” is missing"},
		"a last condition": {written(`"steps":[],"result":[{"text":"r","when":"1 < 2"}]`),
			"The last result must have no condition, so that every call has a result"},
		"a life": {written(`"steps":[],"result":"r","state":{"life":"9999h"}`),
			"Write a time from 1s to 24h, such as 10m."},
		"a long text": {written(`"steps":[],"result":"` + strings.Repeat("a", 4001) + `"`),
			"text is too long"},
		"a broken value":    {written(`"steps":[],"result":"{{"`), "has no }}"},
		"a long expression": {when(repeated(200, "true", " or ")), "too long"},
		"an unknown name":   {when("env.HOME == ''"), "is not known"},
		"a builtin":         {when("now() != 1"), "The function “now” is not allowed. There is only len."},
		"a closure":         {when("(lambda: true)()"), "Only len, startswith and endswith can be called."},
		"a comprehension":   {when("len([x for x in args.l]) > 1"), "Only names, values"},
		"a range": {when("len(range(1000000000)) > 1"),
			"The function “range” is not allowed. There is only len."},
		"a repetition": {when("len('a' * 1000000000) > 0"),
			"* needs a number, and"},
		"a list that grows": {when("len(['a'] * 1000000000) > 0"),
			"* needs a number, and ["},
		"a format":                    {when("'%s' % version == ''"), "The operator “%” is not allowed."},
		"a shift":                     {when("1 << 9 > 1"), "The operator “<<” is not allowed."},
		"a large number":              {when("1" + strings.Repeat("0", 400) + " > 1"), "too large"},
		"a larger number":             {when("1e999 > 1"), "cannot be read as an expression"},
		"a method":                    {when("version.upper() == ''"), "The method “upper” is not allowed."},
		"a method's value":            {when("version.startswith == ''"), "version is a text and has no"},
		"an index":                    {when("args[0] == ''"), "A field is named with a dot"},
		"a slice":                     {when("version[0:1] == ''"), "Only names, values"},
		"a map":                       {when("{'a': 1}['a'] == 1"), "Only names have fields."},
		"bytes":                       {when("version == b'v1'"), "A text is written without a letter"},
		"a named value":               {when("len(x=version) > 0"), "The operator “=” is not allowed."},
		"a spread value":              {when("len(*['a']) > 0"), "The operator “*” is not allowed."},
		"no value":                    {when("len() > 0"), "len needs one value"},
		"a list of numbers":           {when("1 in [1]"), "texts only"},
		"a number in texts":           {when("1 in ['a']"), "in needs a text, and a text or a list"},
		"two commas":                  {when("true, true"), "Only names, values"},
		"a comparison of comparisons": {when("1 < 2 < 3"), "cannot be read as an expression"},
		"another language":            {when("version == '' && true"), "cannot be read as an expression"},
		"nested": {when(strings.Repeat("(", 249) + "true" + strings.Repeat(")", 247)),
			"This cannot be read as an expression, at the end of “((((((((((((((((("},
		"no condition": {when("version"), "A condition must be true or false, and this is a text."},
		"another type": {when("version > 1"), "> needs a number, and version is a text."},
		"two types":    {when("(1 if true else 'a') == 1"), "Both values of if and else must have one type"},
		"True":         {when("True"), "not known"},
		"#":            {when("# == ''"), "cannot be read as an expression"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := flow.New([]byte(test.source), flow.Config{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %.200v, want %s", err, test.want)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("%d bytes", len(err.Error()))
			}
		})
	}
}
