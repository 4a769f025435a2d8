package form_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

func conforms(t *testing.T, schema, value string) form.Conformity {
	t.Helper()
	got, err := form.Conforms(json.RawMessage(schema), json.RawMessage(value))
	if err != nil {
		t.Errorf("%s by %s: %v", value, schema, err)
	}
	return got
}

func TestConforms(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"},"list":{"type":"array",` +
		`"items":{"type":"string"}}},"required":["n"]}`
	for _, c := range []struct{ schema, value, want string }{
		{schema, `{"n":1,"list":["a"]}`, ""},
		{schema, `{"n":1.0}`, ""},
		{schema, `{}`, `it has no "n"`},
		{schema, `{"n":"1"}`, `"n" must be an integer, not a string`},
		{schema, `{"n":1,"list":["a",2]}`, `"list/1" must be a string, not a number`},
		{schema, `[]`, "it must be an object, not an array"},
		{`{"type":"array"}`, `[1,2]`, ""},
		{`{"type":"string"}`, `null`, "it must be a string, not null"},
		{`true`, `null`, ""},
	} {
		got := conforms(t, c.schema, c.value)
		if text := strings.Join(got.Faults, "|"); text != c.want || got.Formats != nil {
			t.Errorf("%s by %s: got %+v, want %q", c.value, c.schema, got, c.want)
		}
	}
}

// No dialect here says that a format is an assertion. Where a value fits with one
// reading of formats and not with the other, neither side is wrong for sure.
func TestConforms_Formats(t *testing.T) {
	of := func(dialect, property string) string {
		return `{` + dialect + `"type":"object","properties":{"v":` + property + `},"required":["v"]}`
	}
	const (
		draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
		date   = `{"type":"string","format":"date"}`
		time   = `{"type":"string","format":"date-time"}`
	)
	aDate := []string{`"v" is not a date, like 2026-11-20`}
	aTime := []string{`"v" is not a date and time, like 2026-11-20T10:30:00Z`}
	for _, c := range []struct {
		name, schema, value string
		want                form.Conformity
	}{
		{"a time without a zone", of("", time), `"2026-09-01T10:00:00"`, form.Conformity{Formats: aTime}},
		{"a short date", of("", date), `"2026-9-1"`, form.Conformity{Formats: aDate}},
		{"the default dialect by name", of(`"$schema":"https://json-schema.org/draft/2020-12/schema",`, date),
			`"soon"`, form.Conformity{Formats: aDate}},
		{"2019-09", of(`"$schema":"https://json-schema.org/draft/2019-09/schema",`, date), `"soon"`,
			form.Conformity{Formats: aDate}},
		{"draft-07", of(draft7, date), `"soon"`, form.Conformity{Formats: aDate}},
		{"draft-04", of(`"$schema":"http://json-schema.org/draft-04/schema#",`, date), `"soon"`,
			form.Conformity{Formats: aDate}},
		{"a format and another fault in draft-07", of(draft7, `{"format":"ipv4","maxLength":3}`), `"1::1"`,
			form.Conformity{Faults: []string{`"v" must have at most 3 characters; it has 4`}}},
		{"the right format", of("", date), `"2026-11-20"`, form.Conformity{}},
		{"an address", of("", `{"format":"ipv4"}`), `"1"`,
			form.Conformity{Formats: []string{`"v" does not have the format ipv4`}}},
		{"an email address", of("", `{"format":"email"}`), `"1"`,
			form.Conformity{Formats: []string{`"v" is not an email address, like name@example.org`}}},
		{"an unknown format", of("", `{"type":"string","format":"colour"}`), `"soon"`, form.Conformity{}},
		{"a format of another type", of("", date), `7`,
			form.Conformity{Faults: []string{`"v" must be a string, not a number`}}},
		{"a nullable format", of("", `{"anyOf":[`+time+`,{"type":"null"}]}`), `"noon"`,
			form.Conformity{Formats: aTime}},
		{"a nullable format in draft-07", of(draft7, `{"anyOf":[`+time+`,{"type":"null"}]}`), `"noon"`,
			form.Conformity{Formats: aTime}},
		{"alternatives that only formats tell apart", of("", `{"oneOf":[`+date+`,`+time+`]}`), `"2026-11-20"`,
			form.Conformity{Formats: []string{
				`"v" matches several schemas, of which it must match exactly one`}}},
		{"a format and another fault", `{"type":"object","properties":{"v":` + date + `},"required":["w"]}`,
			`"soon"`, form.Conformity{Faults: []string{`it has no "w"`}}},
	} {
		got := conforms(t, c.schema, `{"v":`+c.value+`}`)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// TestConforms_Words: what a verdict says does not tell its reader to fill anything
// in, and says where.
func TestConforms_Words(t *testing.T) {
	imperative := regexp.MustCompile(`\b(Enter|enter|Choose|choose|Fill|fill|this|This|here)\b`)
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":["integer","null"]}`, `"x"`, `it must be null or an integer, not a string`},
		{`{"enum":[1]}`, `2`, `it is not one of the allowed values`},
		{`{"const":1}`, `2`, `it is not one of the allowed values`},
		{`{"pattern":"^a$"}`, `"b"`, `it does not match the pattern ^a$`},
		{`{"minLength":3}`, `"ab"`, `it must have at least 3 characters; it has 2`},
		{`{"maxLength":1}`, `"ab"`, `it must have at most 1 character; it has 2`},
		{`{"minItems":1}`, `[]`, `it must have at least 1 item`},
		{`{"maxItems":1}`, `[1,2]`, `it must have at most 1 item`},
		{`{"uniqueItems":true}`, `[1,1]`, `it has the same item twice`},
		{`{"contains":{"const":1}}`, `[2]`, `it does not have the items that it must contain`},
		{`{"contains":{"const":1},"minContains":2}`, `[1]`,
			`it does not have the items that it must contain`},
		{`{"contains":{"const":1},"maxContains":1}`, `[1,1]`,
			`it does not have the items that it must contain`},
		{`{"prefixItems":[{}],"items":false}`, `[1,2]`, `"1" must be absent`},
		{`{"minProperties":1}`, `{}`, `it must have at least 1 member`},
		{`{"maxProperties":1}`, `{"a":1,"b":2}`, `it must have at most 1 member`},
		{`{"required":["a","b"]}`, `{}`, `it has no "a", "b"`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `it has "a", but no "b"`},
		{`{"additionalProperties":false}`, `{"a":1}`, `it has "a", which the schema does not allow`},
		{`{"unevaluatedProperties":false}`, `{"a":1}`, `"a" must be absent`},
		{`{"propertyNames":{"maxLength":1}}`, `{"ab":1}`,
			`it has the member "ab", whose name the schema does not allow`},
		{`{"minimum":2}`, `1`, `it must be 2 or more`},
		{`{"maximum":2}`, `3`, `it must be 2 or less`},
		{`{"exclusiveMinimum":2}`, `2`, `it must be more than 2`},
		{`{"exclusiveMaximum":2}`, `2`, `it must be less than 2`},
		{`{"multipleOf":2}`, `3`, `it must be a multiple of 2`},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`,
			`it matches none of the schemas that are allowed there`},
		{`{"oneOf":[{"type":"string"},{"type":"null"}]}`, `1`,
			`it matches none of the schemas that are allowed there`},
		{`{"oneOf":[{"type":"number"},{"minimum":0}]}`, `1`,
			`it matches several schemas, of which it must match exactly one`},
		{`{"not":{"type":"number"}}`, `1`, `it matches a schema that it must not match`},
		{`false`, `1`, `it must be absent`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false}`,
			`[1,2]`, `it has more items than the schema allows`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}}`, `{"a":1}`,
			`it has "a", but no "b"`},
	} {
		got := conforms(t, c.schema, c.value)
		if text := strings.Join(got.Faults, "|"); text != c.want || imperative.MatchString(text) {
			t.Errorf("%s by %s: got %+v, want %q", c.value, c.schema, got, c.want)
		}
	}
}

func TestConforms_Unchecked(t *testing.T) {
	for schema, why := range map[string]string{
		`{"$ref":"file:///etc/passwd"}`: "which is not fetched: file:///etc/passwd",
		`{"$ref":"https://schemas.example/out.json"}`: "it refers to another document, " +
			"which is not fetched",
		`{"$schema":"https://example.com/mine","type":"object"}`: "which is not supported",
		`{"$ref":"other.json"}`: "it refers to another document, " +
			"which is not fetched: other.json",
		`{"properties":{"a":{"$ref":"defs.json#/a"}}}`: "another document, " +
			"which is not fetched: defs.json",
		`{"$id":"https://x.example/a","$ref":"b"}`: "" +
			"which is not fetched: https://x.example/b",
		`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"../b"}`: "which is not fetched: b",

		`{"$ref":"#anchor"}`: "it has a reference that leads nowhere",
		`{"type":5}`:         "it is not valid JSON Schema",
		`{`:                  "",
		`{"$comment":"` + strings.Repeat("x", form.MaxBytes) + `"}`: "larger than",
		`{"$ref":"#"}`: "",
	} {
		got, err := form.Conforms(json.RawMessage(schema), json.RawMessage(`{}`))
		if !errors.Is(err, form.ErrUnchecked) || !strings.Contains(err.Error(), why) || got.All() != nil {
			t.Errorf("%.60s: %+v, %v", schema, got, err)
		}
	}
}
