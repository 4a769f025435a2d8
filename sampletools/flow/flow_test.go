package flow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/flow"
)

// script is a Turn that answers every question with its example.
type script struct {
	answers map[string]json.RawMessage
	reports int
	waits   float64 // seconds
	shed    map[string]bool
}

func newScript(v *flow.Version) *script {
	s := &script{shed: map[string]bool{}}
	_ = json.Unmarshal(v.Answers(), &s.answers) // an object
	return s
}

func (s *script) Ask(_ context.Context, list []flow.Question) (map[string]flow.Answer, error) {
	given := map[string]flow.Answer{}
	for _, q := range list {
		a := flow.Answer{Action: "accept"}
		_ = json.Unmarshal(s.answers[q.Key], &a.Values) // none of other kinds
		given[q.Key] = a
	}
	return given, nil
}

func (s *script) Forget(string) {}

func (s *script) Shed(_ context.Context, key string) (string, error) {
	s.shed[key] = true
	return "a/v1", nil
}

func (s *script) Progress(_ context.Context, p flow.Progress) error {
	s.reports++
	s.waits += p.Wait.Seconds()
	return nil
}

// runAll runs every version of a flow with arguments.
func runAll(f *flow.Flow, arguments map[string]any) (texts []string, err error) {
	for _, v := range f.Versions {
		s, r := newScript(v), v.Start(arguments, "a/"+v.Name)
		e, err := r.Call(context.Background(), s)
		if e == nil && err == nil {
			e, err = r.Task(context.Background(), s)
		}
		if err != nil {
			return nil, err
		}
		if s.waits > flow.MaxWait.Seconds() {
			return nil, fmt.Errorf("waited for %v seconds", s.waits)
		}
		texts = append(texts, e.Text)
	}
	return texts, nil
}

func written(rest string) string { return `{"flow":1,"name":"x",` + rest + `}` }

func repeated(n int, s, separator string) string {
	return strings.TrimSuffix(strings.Repeat(s+separator, n), separator)
}

// Flows that no check has seen are refused in words, or harmless.
func TestRead_Hostile(t *testing.T) {
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
		"nothing":       {"", "it is not in the format"},
		"null":          {"null", "not version 1"},
		"a list":        {"[]", "it is not in the format"},
		"two documents": {written(`"steps":[],"result":"r"`) + "{}", "it is not in the format"},
		"10 MB": {written(`"steps":[],"result":"` + strings.Repeat("a", 10<<20) + `"`),
			"too long"},
		"depth": {strings.Repeat(`{"a":`, 50000) + strings.Repeat("}", 50000),
			"it is not in the format"},
		"10,000 questions": {written(`"steps":[` + numbered(10000, `{"roots":"a%d"}`) +
			`],"result":"r"`), "too many steps"},
		"10,000 of a task": {written(`"steps":[],"task":{"steps":[` + numbered(10000,
			`{"roots":"a%d"}`) + `]},"result":"r"`), "too many steps"},
		"steps of all versions": {written(`"steps":[` + numbered(64, `{"roots":"a%d"}`) +
			`],"result":"r","versions":[{"version":"v2","add":[{"roots":"z"}]}]`),
			"v2: it has too many steps"},
		"21 versions": {written(`"steps":[],"result":"r","versions":[` + numbered(20,
			`{"version":"v1%d"}`) + `]`), "v110"},
		"a version twice": {written(`"steps":[],"result":"r","versions":[{"version":"v1"}]`),
			"one of them twice"},
		"fields": {written(`"arguments":{` + numbered(41, `"a%d":{}`) +
			`},"steps":[],"result":"r"`), "too many fields"},
		"nested fields": {written(`"arguments":{"a":` + strings.Repeat(`{"properties":{"a":`,
			9) + "{}" + strings.Repeat("}}", 9) + `},"steps":[],"result":"r"`), "nested too deeply"},
		"nested lists": {written(`"arguments":{"a":` + strings.Repeat(`{"items":`, 9) + "{}" +
			strings.Repeat("}", 9) + `},"steps":[],"result":"r"`), "nested too deeply"},
		"__proto__ as a key": {written(`"steps":[{"roots":"__proto__"}],"result":"r"`),
			`the name "__proto__" is not allowed`},
		"__proto__ as a field": {written(`"arguments":{"__proto__":{}},"steps":[],"result":"r"`),
			`the name "__proto__" is not allowed`},
		"markup as a name": {written(`"steps":[{"roots":"<b>"}],"result":"r"`), "is not allowed"},
		"markup as a tool": {`{"flow":1,"name":"<b>","steps":[],"result":"r"}`, "the name of its tool"},
		"a reference": {written(`"arguments":{"a":{"$ref":"#"}},"steps":[],"result":"r"`),
			"it is not in the format"},
		"a pattern": {written(`"arguments":{"a":{"pattern":"(a+)+$"}},"steps":[],` +
			`"result":"r"`), "it is not in the format"},
		"a type": {written(`"arguments":{"a":{"type":"file"}},"steps":[],"result":"r"`),
			`the type "file" is not known`},
		"a key twice": {written(`"steps":[{"roots":"a"},{"shed":"a"}],"result":"r"`), "twice"},
		"two kinds": {written(`"steps":[{"roots":"a","url":"b"}],"result":"r"`),
			"has no kind, such as form"},
		"no kind": {written(`"steps":[{}],"result":"r"`), "has no kind, such as form"},
		"a long wait": {written(`"steps":[{"progress":"p","seconds":1e300}],"result":"r"`),
			"too long"},
		"many waits": {written(`"steps":[` + repeated(3, `{"progress":"p","seconds":30}`,
			",") + `],"result":"r"`), "too long"},
		"a negative wait": {written(`"steps":[{"progress":"p","seconds":-1}],"result":"r"`),
			"too long"},
		"a task that sheds": {written(`"steps":[],"task":{"steps":[{"shed":"s"}]},"result":"r"`),
			"it has no requestState"},
		"no result": {written(`"steps":[]`), "in the format"},
		"a last condition": {written(`"steps":[],"result":[{"text":"r","when":"1 < 2"}]`),
			"last result has a condition"},
		"a life": {written(`"steps":[],"result":"r","state":{"life":"9999h"}`),
			"life of its state"},
		"a long text": {written(`"steps":[],"result":"` + strings.Repeat("a", 4001) + `"`),
			"text is too long"},
		"a broken value":    {written(`"steps":[],"result":"{{"`), "has no }}"},
		"a long expression": {when(repeated(200, "true", " or ")), "too long"},
		"an unknown name":   {when("env.HOME == ''"), "is not known"},
		"a builtin":         {when("now() != 1"), "the function now is not allowed"},
		"a closure":         {when("(lambda: true)()"), "only"},
		"a comprehension":   {when("len([x for x in args.l]) > 1"), "only"},
		"a range": {when("len(range(1000000000)) > 1"),
			"the function range is not allowed"},
		"a repetition": {when("len('a' * 1000000000) > 0"),
			"* in an expression has wrong types"},
		"a list that grows": {when("len(['a'] * 1000000000) > 0"),
			"* in an expression has wrong types"},
		"a format":                    {when("'%s' % version == ''"), "the operator % is not allowed"},
		"a shift":                     {when("1 << 9 > 1"), "the operator << is not allowed"},
		"a large number":              {when("1" + strings.Repeat("0", 400) + " > 1"), "too large"},
		"a larger number":             {when("1e999 > 1"), "no expression"},
		"a method":                    {when("version.upper() == ''"), "the method upper is not allowed"},
		"a method's value":            {when("version.startswith == ''"), "not known"},
		"an index":                    {when("args[0] == ''"), "a field in an expression is named by a text"},
		"a slice":                     {when("version[0:1] == ''"), "only"},
		"a map":                       {when("{'a': 1}['a'] == 1"), "named by a text"},
		"bytes":                       {when("version == b'v1'"), "no letter"},
		"a named value":               {when("len(x=version) > 0"), "the operator = is not allowed"},
		"a spread value":              {when("len(*['a']) > 0"), "the operator * is not allowed"},
		"no value":                    {when("len() > 0"), "len needs one value"},
		"a list of numbers":           {when("1 in [1]"), "texts only"},
		"a number in texts":           {when("1 in ['a']"), "in in an expression has wrong types"},
		"two commas":                  {when("true, true"), "only"},
		"a comparison of comparisons": {when("1 < 2 < 3"), "no expression"},
		"another language":            {when("version == '' && true"), "no expression"},
		"nested": {when(strings.Repeat("(", 249) + "true" + strings.Repeat(")", 247)),
			"no expression"},
		"no condition": {when("version"), "wrong types"},
		"another type": {when("version > 1"), "wrong types"},
		"two types":    {when("(1 if true else 'a') == 1"), "wrong types"},
		"True":         {when("True"), "not known"},
		"#":            {when("# == ''"), "no expression"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := flow.Read([]byte(test.source))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %.200v, want %s", err, test.want)
			}
			var refusal flow.Refusal
			if !errors.As(err, &refusal) || len(err.Error()) > 1000 {
				t.Errorf("%T of %d bytes", err, len(err.Error()))
			}
		})
	}
}

// What expressions compute and texts say has a limit, whatever they are given.
func TestRun_Costs(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	sum := repeated(60, "args.s", "+")
	conditions := repeated(60, `{"progress":"p","when":"len(`+sum+`) > 0"}`, ",")
	for name, test := range map[string]struct{ rest, want string }{
		"a value": {`"steps":[],"result":"{{args.s}}"`, "A text of the flow is too long"},
		"a sum":   {`"steps":[],"result":"{{` + sum + `}}"`, "The values of this call are too long"},
		"many sums": {`"steps":[` + conditions + `],"result":"r"`,
			"The values of this call are too long"},
		"many values": {`"steps":[],"result":"` + repeated(300, "{{args.s}}", "") + `"`,
			"A text of the flow is too long"},
		"lists": {`"steps":[],"result":"{{args.l}}"`, "A text of the flow is too long"},
		"many searches": {`"steps":[` + repeated(60, `{"progress":"p","when":"version in args.s"}`,
			",") + `],"result":"r"`, "The values of this call are too long"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := flow.Read([]byte(written(`"arguments":{"s":{},"l":{"items":{}}},` + test.rest)))
			if err != nil {
				t.Fatal(err)
			}
			var list []any
			for range 100 {
				list = append(list, long[:1000])
			}
			_, err = runAll(f, map[string]any{"s": long, "l": list})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if texts, err := runAll(f, map[string]any{"s": "x", "l": []any{"x"}}); err != nil {
				t.Errorf("with short values: %q %v", texts, err)
			}
		})
	}
	many := written(`"steps":[` + repeated(64, `{"progress":"{{args.s}}"}`, ",") +
		`],"arguments":{"s":{}},"result":"r"`)
	f, err := flow.Read([]byte(many))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runAll(f, map[string]any{"s": long[:2000]}); err == nil ||
		!strings.Contains(err.Error(), "The texts of the flow are too long") {
		t.Errorf("64 texts of 2000 bytes: %v", err)
	}
}

// Values that do not have their type count as absent, and never reach an operator.
func TestRun_WrongValues(t *testing.T) {
	f, err := flow.Read([]byte(written(`"arguments":{"s":{},"n":{"type":"number"},"b":{"type":"boolean"},
		"l":{"items":{}},"m":{"type":"object","additionalProperties":{"type":"number"}}},"steps":[],
		"result":"{{args.s + version}} {{args.n * 2}} {{args.b}} {{len(args.l)}} ` +
		`{{'x' in args.m}} {{args.m.x + 1}}"`)))
	if err != nil {
		t.Fatal(err)
	}
	for _, arguments := range []map[string]any{
		nil, {"s": 1.0, "n": "1", "b": "true", "l": "ab", "m": []any{1.0}},
		{"s": nil, "n": true, "b": 1.0, "l": map[string]any{}, "m": "x"},
	} {
		texts, err := runAll(f, arguments)
		if err != nil || texts[0] != "v1 0 false 0 false 1" {
			t.Errorf("%v: %q %v", arguments, texts, err)
		}
	}
}
