package form_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// sent returns the values that a browser sends for the fields f0, f1 and so on.
// nil leaves out a control.
func sent(fields ...any) url.Values {
	values := url.Values{}
	for i, f := range fields {
		switch f := f.(type) {
		case string:
			values.Set(form.Name("a0", i), f)
		case []string:
			values[form.Name("a0", i)] = f
		case whole:
			values.Set(form.JSONPart(form.Name("a0", i)), string(f))
		case null:
			values.Set(form.NullName(form.Name("a0", i)), "true")
		case empty:
			values.Set(form.Name("a0", i), "")
			values.Set(form.EmptyName("a0", i), "true")
		}
	}
	return values
}

// whole is the whole value of a control with parts, as JSON.
type whole string

// null is a blank control whose NullName is ticked.
type null struct{}

// empty is an empty control whose EmptyName is ticked.
type empty struct{}

// one returns the schema of an object with the single property p.
func one(property string, required bool) string {
	tail := "}"
	if required {
		tail = `,"required":["p"]}`
	}
	return `{"type":"object","properties":{"p":` + property + `}` + tail
}

func TestTypesAreKept(t *testing.T) {
	colours := `"enum":["red","green"]`
	many := `{"type":"array","items":{"type":"string","enum":["a","b","c"]}}`
	tests := []struct {
		name, schema string
		values       url.Values
		want         string
	}{
		{"integer", one(`{"type":"integer"}`, true), sent("1"), `{"p":1}`},
		{"string of a digit", one(`{"type":"string"}`, true), sent("1"), `{"p":"1"}`},
		{"number keeps its zero", one(`{"type":"number"}`, true), sent("1.0"), `{"p":1.0}`},
		{"number that is whole", one(`{"type":"number"}`, true), sent("1"), `{"p":1}`},
		{"number with a fraction", one(`{"type":"number"}`, true), sent("1.5"), `{"p":1.5}`},
		{"integer written with zero", one(`{"type":"integer"}`, true), sent("3.0"), `{"p":3.0}`},
		{"negative zero", one(`{"type":"number"}`, true), sent("-0"), `{"p":-0}`},
		{"exponent", one(`{"type":"number"}`, true), sent("1E3"), `{"p":1E3}`},
		{"beyond a float", one(`{"type":"number"}`, true), sent("1e400"), `{"p":1e400}`},
		{"2^63", one(`{"type":"integer"}`, true), sent("9223372036854775808"), `{"p":9223372036854775808}`},
		{
			"forty digits", one(`{"type":"integer"}`, true),
			sent("1234567890123456789012345678901234567890"),
			`{"p":1234567890123456789012345678901234567890}`,
		},
		{"plus and zeros", one(`{"type":"integer"}`, true), sent(" +007 "), `{"p":7}`},
		{"bare point", one(`{"type":"number"}`, true), sent("-.5"), `{"p":-0.5}`},
		{"trailing point", one(`{"type":"number"}`, true), sent("5."), `{"p":5}`},
		{"empty number is absent", one(`{"type":"number"}`, false), sent(""), `{}`},
		{"empty text is absent", one(`{"type":"string"}`, false), sent(""), `{}`},
		{"empty text that is meant", one(`{"type":"string"}`, false), sent(empty{}), `{"p":""}`},
		{"required empty text that is meant", one(`{"type":"string"}`, true), sent(empty{}), `{"p":""}`},
		{"spaces are text", one(`{"type":"string"}`, true), sent("  "), `{"p":"  "}`},
		{"quotes and controls", one(`{"type":"string"}`, true), sent("\"\\\n\x00"), `{"p":"\"\\\n\u0000"}`},
		{
			"other scripts", one(`{"type":"string"}`, true), sent("Grüße 👋 \u202e"),
			"{\"p\":\"Grüße 👋 \u202e\"}",
		},
		{
			"characters, not bytes", one(`{"type":"string","minLength":2,"maxLength":2}`, true), sent("👋👋"),
			`{"p":"👋👋"}`,
		},
		{"required tick", one(`{"type":"boolean"}`, true), sent("true"), `{"p":true}`},
		{"required without a tick", one(`{"type":"boolean"}`, true), sent(nil), `{"p":false}`},
		{"optional true", one(`{"type":"boolean"}`, false), sent("true"), `{"p":true}`},
		{"optional false", one(`{"type":"boolean"}`, false), sent("false"), `{"p":false}`},
		{"optional open", one(`{"type":"boolean"}`, false), sent(""), `{}`},
		{"enum", one(`{"type":"string",`+colours+`}`, true), sent("green"), `{"p":"green"}`},
		{"enum left open", one(`{"type":"string",`+colours+`}`, false), sent(""), `{}`},
		{"enum with an empty value", one(`{"type":"string","enum":["","x"]}`, true), sent(""), `{"p":""}`},
		{
			"optional enum with an empty value", one(`{"type":"string","enum":["","x"]}`, false), sent(""),
			`{}`,
		},
		{
			"optional enum, empty meant", one(`{"type":"string","enum":["","x"]}`, false), sent(empty{}),
			`{"p":""}`,
		},
		{"enum without a type", one(`{`+colours+`}`, true), sent("red"), `{"p":"red"}`},
		{"enum of digits", one(`{"type":"string","enum":["1","2"]}`, true), sent("1"), `{"p":"1"}`},
		{
			"titled enum", one(`{"type":"string","oneOf":[{"const":"a","title":"Apple"}]}`, true), sent("a"),
			`{"p":"a"}`,
		},
		{
			"legacy enumNames", one(`{"type":"string","enum":["a"],"enumNames":["Apple"]}`, true), sent("a"),
			`{"p":"a"}`,
		},
		{"several", one(many, true), sent([]string{"a", "c"}), `{"p":["a","c"]}`},
		{"several, none, required", one(many, true), sent(nil), `{"p":[]}`},
		{"several, none, optional", one(many, false), sent(nil), `{}`},
		{"several, none meant", one(many, false), url.Values{"a0.f0.empty": {"true"}}, `{"p":[]}`},
		{
			"optional minimum, none",
			one(`{"type":"array","minItems":2,"items":{"type":"string","enum":["a","b"]}}`, false),
			sent(nil), `{}`,
		},
		{
			"titled several",
			one(`{"type":"array","items":{"anyOf":[{"const":"a","title":"Apple"}]}}`, true),
			sent([]string{"a"}), `{"p":["a"]}`,
		},
		{
			"email", one(`{"type":"string","format":"email"}`, true), sent("a@b.example"),
			`{"p":"a@b.example"}`,
		},
		{"uri", one(`{"type":"string","format":"uri"}`, true), sent("urn:isbn:1"), `{"p":"urn:isbn:1"}`},
		{"date", one(`{"type":"string","format":"date"}`, true), sent("2026-11-20"), `{"p":"2026-11-20"}`},
		{
			"date-time gets seconds and zone", one(`{"type":"string","format":"date-time"}`, true),
			sent("2026-11-20T10:30"), `{"p":"2026-11-20T10:30:00Z"}`,
		},
		{
			"date-time with seconds", one(`{"type":"string","format":"date-time"}`, true),
			sent("2026-11-20T10:30:05.25"), `{"p":"2026-11-20T10:30:05.25Z"}`,
		},
		{
			"date-time typed whole", one(`{"type":"string","format":"date-time"}`, true),
			sent("2026-11-20T10:30:00+02:00"), `{"p":"2026-11-20T10:30:00+02:00"}`,
		},
		{
			"order of the schema",
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}}}`, sent("x", "1"),
			`{"z":"x","a":1}`,
		},
		{
			"odd names",
			`{"type":"object","properties":{"<script>":{"type":"string"},"__proto__":{"type":"string"},` +
				`"":{"type":"string"},"name=csrf":{"type":"string"}}}`,
			sent("1", "2", "3", "4"), `{"<script>":"1","__proto__":"2","":"3","name=csrf":"4"}`,
		},
		{"no properties", `{"type":"object"}`, sent(), `{}`},
		{
			"$schema and x- keywords",
			`{"$schema":"http://json-schema.org/draft-07/schema#","x-y":1,"type":"object",` +
				`"properties":{"p":{"type":"string","x-order":1}}}`,
			sent("v"), `{"p":"v"}`,
		},
		{
			"unknown dialect",
			`{"$schema":"https://example.com/own","type":"object","properties":{"p":{"type":"string"}}}`,
			sent("v"), `{"p":"v"}`,
		},
		{
			"json object", one(`{"type":"object"}`, true), sent(" {\"b\":1, \"a\":1.0} "),
			`{"p":{"b":1, "a":1.0}}`,
		},
		{"null", one(`{"type":["string","null"]}`, true), sent(null{}), `{"p":null}`},
		{"nullable text", one(`{"type":["string","null"]}`, true), sent("null"), `{"p":"null"}`},
		{"neither text nor null", one(`{"type":["string","null"]}`, false), sent(""), `{}`},
		{"json left empty", one(`{"type":"object"}`, false), sent(" "), `{}`},
		{
			"list of strings", one(`{"type":"array","items":{"type":"string"}}`, true), sent(whole(`["x"]`)),
			`{"p":["x"]}`,
		},
		{
			"pattern that is kept", one(`{"type":"string","pattern":"^[a-z]+$"}`, true), sent("abc"),
			`{"p":"abc"}`,
		},
		{"pattern Go cannot run", one(`{"type":"string","pattern":"^(?!x)"}`, true), sent("x"), `{"p":"x"}`},
		{
			"property named format",
			`{"type":"object","properties":{"format":{"type":"string"},"pattern":{"type":"string"}}}`,
			sent("a", "b"), `{"format":"a","pattern":"b"}`,
		},
		{
			"duplicate property",
			`{"type":"object","properties":{"p":{"type":"string"},"p":{"type":"integer"}}}`, sent("1"),
			`{"p":1}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := form.Question([]byte(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			content, problems := f.Read(form.ReadEntries(test.values, "a0"))
			if diff := cmp.Diff(test.want, string(content)); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			if len(problems) > 0 {
				t.Errorf("problems: %v", problems)
			}
			again := f.Fill(content)
			if len(again.Extra) > 0 {
				t.Errorf("Fill left out %s", again.Extra)
			}
		})
	}
}

func TestLongPropertyName(t *testing.T) {
	name := strings.Repeat("n", 10000)
	f, err := form.Question([]byte(`{"type":"object","properties":{"` + name + `":{"type":"integer"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	content, problems := f.Read(form.ReadEntries(sent("7"), "a0"))
	if want := `{"` + name + `":7}`; string(content) != want || problems != nil {
		t.Errorf("got %.40s..., problems %v", content, problems)
	}
}
