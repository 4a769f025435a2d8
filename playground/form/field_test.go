package form_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// written is a field outside of a question's subset that is entered as JSON.
func written(reason, outside string) form.Field {
	return form.Field{Control: form.JSON, Reason: reason, Outside: outside}
}

func TestPropertyBecomesField(t *testing.T) {
	tests := []struct {
		property string
		required bool
		want     form.Field
	}{
		{`{"type":"string","title":"Your name","description":"as in the passport","minLength":3,` +
			`"maxLength":10}`, true,
			form.Field{
				Label: "Your name", Help: "as in the passport", Control: form.Text, Input: "text",
				Required: true, MinLength: 3, MaxLength: 10, Hint: "3 to 10 characters",
			}},
		{`{"type":"string","format":"email","default":"a@b.c"}`, false,
			form.Field{Control: form.Text, Input: "email", Value: []string{"a@b.c"}, Hint: "email address"}},
		{`{"type":"string","format":"uri"}`, false,
			form.Field{Control: form.Text, Input: "url", Hint: "full URL, like https://example.org/"}},
		{`{"type":"string","format":"date-time","default":"2026-11-20T10:30:00+02:00"}`, false,
			form.Field{
				Control: form.Text, Input: "datetime-local", Value: []string{"2026-11-20T08:30:00"},
				Hint: "date and time in UTC",
			}},
		{`{"type":"string","format":"ipv4","pattern":"^1","x-order":2}`, false,
			form.Field{
				Control: form.Text, Input: "text", Hint: "ipv4",
				Unknown: json.RawMessage(`{"format":"ipv4","pattern":"^1","x-order":2}`),
			}},
		{`{"type":"string","default":""}`, false,
			form.Field{Control: form.Text, Input: "text", Value: []string{""}, Empty: true}},
		{`{"type":"string","default":5}`, false,
			form.Field{
				Control: form.Text, Input: "text",
				Note: "The default does not fit this field, so it is not filled in.",
			}},
		{`{"type":"integer","minimum":1,"maximum":10,"default":3}`, true,
			form.Field{
				Control: form.Number, Step: "1", Min: "1", Max: "10", Required: true, Value: []string{"3"},
				Hint: "whole number, 1 to 10",
			}},
		{`{"type":"integer","default":1.5}`, false,
			form.Field{
				Control: form.Number, Step: "1", Hint: "whole number",
				Note: "The default does not fit this field, so it is not filled in.",
			}},
		{`{"type":"number","minimum":0.5,"default":1.0}`, false,
			form.Field{
				Control: form.Number, Step: "any", Min: "0.5", Value: []string{"1.0"},
				Hint: "number, 0.5 or more",
			}},
		{
			`{"type":"boolean","default":true}`, true,
			form.Field{Control: form.Checkbox, Required: true, Value: []string{"true"}},
		},
		{`{"type":"boolean"}`, false, form.Field{Control: form.Toggle}},
		{`{"type":"string","enum":["a","b"],"enumNames":["Apple"],"default":"b"}`, false,
			form.Field{
				Control: form.Choice, Options: []form.Option{{"a", "Apple"}, {"b", "b"}},
				Value: []string{"b"},
			}},
		{`{"type":"string","enum":["a"],"default":"z"}`, false,
			form.Field{
				Control: form.Choice, Options: []form.Option{{"a", "a"}},
				Note: "The default does not fit this field, so it is not filled in.",
			}},
		{`{"type":"string","oneOf":[{"const":"a","title":"Apple"}]}`, false,
			form.Field{Control: form.Choice, Options: []form.Option{{"a", "Apple"}}}},
		{`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,` +
			`"default":["b"]}`, false,
			form.Field{
				Control: form.Choices, Options: []form.Option{{"a", "a"}, {"b", "b"}}, MinItems: 1,
				MaxItems: 2, Value: []string{"b"}, Hint: "choose 1 to 2",
			}},
		{`{"type":"array","items":{"anyOf":[{"const":"a","title":"Apple"}]}}`, false,
			form.Field{Control: form.Choices, Options: []form.Option{{"a", "Apple"}}}},
		{`{"type":"string","title":"API key"}`, false,
			form.Field{Label: "API key", Control: form.Text, Input: "text", AsksSecret: true}},
		{
			`{"type":"boolean","title":"Show password"}`, false,
			form.Field{Label: "Show password", Control: form.Toggle},
		},
		{`{"type":"object","properties":{}}`, false, written("JSON object.", "It is an object.")},
		{
			`{"type":"array","items":{"type":"string"}}`, false,
			form.Field{
				Control: form.List, Outside: "It is an array of other values than listed strings.",
				Rows: []form.Row{{Field: form.Field{Control: form.Text, Input: "text"}}},
			},
		},
		{`{"type":"array"}`, false, written("JSON array.", "It is an array of other values than listed "+
			"strings.")},
		{`{"type":["string","null"],"default":null}`, false,
			form.Field{
				Control: form.Text, Input: "text", Nullable: true, Null: true,
				Outside: "It may also be null.",
			}},
		{
			`{"anyOf":[{"type":"string"},{"type":"null"}]}`, false,
			form.Field{
				Control: form.Text, Input: "text", Nullable: true,
				Outside: "It matches one of several schemas.",
			},
		},
		{
			`{"$ref":"#/$defs/x"}`, false,
			form.Field{
				Control: form.JSON, Reason: "JSON: the schema is a reference that can't be followed.",
				Outside: "The schema is a reference.",
			},
		},
		{
			`{"type":"integer","enum":[1,2]}`, false,
			form.Field{
				Control: form.Choice, Options: []form.Option{{"1", "1"}, {"2", "2"}},
				Outside: "It lists numbers, which a question must not do.",
			},
		},
		{
			`{"enum":["a",1]}`, false,
			written("JSON: the listed values have no common type.",
				"The listed values have no common type."),
		},
		{
			`{"type":"string","enum":[]}`, false,
			written("JSON: the list of values is empty.", "The list of values is empty."),
		},
		{`{"type":"integer","minimum":1,"maximum":5,"default":9}`, false,
			form.Field{
				Control: form.Number, Step: "1", Min: "1", Max: "5", Hint: "whole number, 1 to 5",
				Note: "The default does not fit this field, so it is not filled in.",
			}},
		{`{"type":"string","maxLength":2,"default":"long"}`, false,
			form.Field{
				Control: form.Text, Input: "text", MaxLength: 2, Hint: "at most 2 characters",
				Note: "The default does not fit this field, so it is not filled in.",
			}},
		{`{"type":"strnig"}`, false, written("JSON: the type is unknown.", "The type is unknown.")},
		{
			`{}`, false,
			written("JSON: any value, because the schema has no type.",
				"It has any value, because the schema has no type."),
		},
		{
			`true`, false,
			written("JSON: any value, because the schema is not an object.",
				"It has any value, because the schema is not an object."),
		},
		{
			`"text"`, false,
			written("JSON: any value, because the schema is not an object.",
				"It has any value, because the schema is not an object."),
		},
	}
	for _, test := range tests {
		t.Run(test.property, func(t *testing.T) {
			f, err := form.Question([]byte(one(test.property, test.required)))
			if err != nil {
				t.Fatal(err)
			}
			test.want.Property = "p"
			if test.want.Label == "" {
				test.want.Label = "p"
			}
			if diff := cmp.Diff([]form.Field{test.want}, f.Fields,
				cmpopts.IgnoreUnexported(form.Field{}, form.Row{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestArgumentsGetSuggestionsButNoValues(t *testing.T) {
	f, err := form.Arguments([]byte(`{"type":"object","properties":{
		"n":{"type":"integer","examples":[4522]},
		"level":{"type":"integer","enum":[1,2]},
		"mode":{"const":"fast"},
		"fields":{"type":"object","examples":[{"a":1}]},
		"odd":{"type":"integer","examples":["x"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, field := range f.Fields {
		got = append(
			got, fmt.Sprintf("%s %s %q %q", field.Property, field.Control, field.Placeholder, field.Value),
		)
	}
	want := []string{
		`n number "4522" []`, `level choice "" []`, `mode choice "" []`, `fields json "{\"a\":1}" []`,
		`odd number "" []`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	content, problems := f.Read(form.ReadEntries(sent("1", "2", "fast", "", ""), "a0"))
	if string(content) != `{"n":1,"level":2,"mode":"fast"}` || problems != nil {
		t.Errorf("got %s %v", content, problems)
	}
}

func TestNoFormAtTheBounds(t *testing.T) {
	properties := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
		}
		return `{"type":"object","properties":{` + strings.Join(list, ",") + `}}`
	}
	enum := func(n int) string {
		return one(`{"type":"string","enum":["a"`+strings.Repeat(`,"b"`, n-1)+`]}`, false)
	}
	sized := func(n int) string {
		s := `{"type":"object","title":""}`
		return strings.Replace(s, `""`, `"`+strings.Repeat("x", n-len(s))+`"`, 1)
	}
	tests := []struct {
		name, schema, err string
	}{
		{"100 properties", properties(100), ""},
		{"101 properties", properties(101), "read schema: more than 100 properties"},
		{"500 values", enum(500), ""},
		{"501 values", enum(501), "read schema: more than 500 values in one choice"},
		{"64 KiB", sized(64 << 10), ""},
		{"64 KiB and one", sized(64<<10 + 1), "read schema: larger than 65536 bytes"},
		{"not an object", `[]`, "read schema: not a JSON object"},
		{"true", `true`, "read schema: not a JSON object"},
		{"of a string", `{"type":"string"}`, "read schema: not the schema of an object"},
		{"of objects and null", `{"type":["object","null"]}`, "read schema: not the schema of an object"},
		{
			"properties is a list", `{"type":"object","properties":[]}`,
			"read schema: properties is not an object",
		},
		{"no type", `{"properties":{}}`, ""},
	}
	for _, test := range tests {
		got := ""
		if _, err := form.Question([]byte(test.schema)); err != nil {
			got = err.Error()
		}
		if got != test.err {
			t.Errorf("%s: got %q, want %q", test.name, got, test.err)
		}
	}
	for _, broken := range []string{"", "{", `{"type":"object"} x`, strings.Repeat("[", 100)} {
		if _, err := form.Question([]byte(broken)); err == nil {
			t.Errorf("%.20q: no error", broken)
		}
	}
}

func TestNamesAreNotTheServersWords(t *testing.T) {
	if got := form.Name("a0", 1); got != "a0.f1" {
		t.Errorf("Name: %q", got)
	}
	if got := form.EmptyName("a0", 1); got != "a0.f1.empty" {
		t.Errorf("EmptyName: %q", got)
	}
}
