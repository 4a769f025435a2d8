package form_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

func TestRefusalsAreSentences(t *testing.T) {
	several := `{"type":"array","minItems":2,"maxItems":2,"items":{"type":"string","enum":["a","b","c"]}}`
	tests := []struct {
		property string
		required bool
		values   url.Values
		content  string
		want     string
	}{
		{`{"type":"integer"}`, true, sent("1.5"), `{"p":1.5}`, "Enter a whole number."},
		{`{"type":"integer"}`, true, sent("abc"), `{"p":"abc"}`, "Enter a whole number."},
		{`{"type":"number"}`, true, sent("1,5"), `{"p":"1,5"}`, "Enter a number, like 1.5."},
		{`{"type":"number"}`, true, sent("1e2000"), `{"p":1e2000}`, "This number is too large."},
		{`{"type":"number"}`, true, sent("NaN"), `{"p":"NaN"}`, "Enter a number, like 1.5."},
		{`{"type":"number"}`, true, sent("0x10"), `{"p":"0x10"}`, "Enter a number, like 1.5."},
		{`{"type":"integer","minimum":1}`, true, sent("0"), `{"p":0}`, "Enter 1 or more."},
		{`{"type":"integer","maximum":10}`, true, sent("10.0e1"), `{"p":10.0e1}`, "Enter 10 or less."},
		{`{"type":"number","exclusiveMaximum":10}`, true, sent("10"), `{"p":10}`, "Enter less than 10."},
		{`{"type":"number","multipleOf":0.25}`, true, sent("0.3"), `{"p":0.3}`, "Enter a multiple of 0.25."},
		{`{"type":"string","minLength":3}`, true, sent("ab"), `{"p":"ab"}`, "Enter at least 3 characters."},
		{`{"type":"string","minLength":1}`, true, sent(empty{}), `{"p":""}`, "Enter at least 1 character."},
		{
			`{"type":"string","maxLength":2}`, true, sent("abc"), `{"p":"abc"}`,
			"Enter at most 2 characters; this has 3.",
		},
		{`{"type":"string"}`, true, sent(""), `{}`, "Fill in this field."},
		{`{"type":"string"}`, true, sent(nil), `{}`, "Fill in this field."},
		{
			`{"type":"string","format":"email"}`, true, sent("a@"), `{"p":"a@"}`,
			"Enter an email address, like name@example.org.",
		},
		{
			`{"type":"string","format":"uri"}`, true, sent("example.org"), `{"p":"example.org"}`,
			"Enter a full URL, like https://example.org/.",
		},
		{
			`{"type":"string","format":"date"}`, true, sent("2026-02-30"), `{"p":"2026-02-30"}`,
			"Enter a date, like 2026-11-20.",
		},
		{
			`{"type":"string","format":"date-time"}`, true, sent("noon"), `{"p":"noon"}`,
			"Enter a date and time, like 2026-11-20T10:30:00Z.",
		},
		{
			`{"type":"string","pattern":"(a+)+$"}`, true, sent(strings.Repeat("a", 3) + "!"), `{"p":"aaa!"}`,
			"Does not match the pattern (a+)+$.",
		},
		{`{"type":"string","enum":["a"]}`, true, sent("b"), `{"p":"b"}`, "Choose one of the listed values."},
		{`{"type":"string","enum":["a"]}`, true, sent(""), `{}`, "Choose one."},
		{`{"type":"boolean"}`, false, sent("maybe"), `{"p":"maybe"}`, "Choose yes or no."},
		{several, true, sent([]string{"a"}), `{"p":["a"]}`, "Choose at least 2."},
		{several, true, sent([]string{"a", "b", "c"}), `{"p":["a","b","c"]}`, "Choose at most 2."},
		{several, true, sent([]string{"a", "z"}), `{"p":["a","z"]}`, "Choose only listed values."},
		{several, true, sent(nil), `{"p":[]}`, "Choose at least 2."},
		{`{"type":"object"}`, true, sent(""), `{}`, "Enter a JSON value."},
		{`{"type":"object"}`, true, sent("[1]"), `{"p":[1]}`, "Must be an object, not an array."},
		{`{"type":["integer","null"]}`, true, sent("x"), `{"p":"x"}`, "Enter a whole number."},
		{`{"type":["string","null"]}`, true, sent(""), `{}`, "Fill in this field."},
		{
			`{"type":"array","items":{"type":"object","required":["a"]}}`, true, sent(whole(`[{"a":1},{}]`)),
			`{"p":[{"a":1},{}]}`, `At 1: missing property "a".`,
		},
		{
			`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, true, sent(whole("true")), `{"p":true}`,
			"This does not match any schema that is allowed here.",
		},
		{`{"$ref":"#/$defs/none"}`, true, sent("1"), `{"p":1}`, ""},
		{`false`, false, sent("1"), `{"p":1}`, "The schema does not allow any value here."},
	}
	for _, test := range tests {
		t.Run(test.property+" "+test.content, func(t *testing.T) {
			f, err := form.Question([]byte(one(test.property, test.required)))
			if err != nil {
				t.Fatal(err)
			}
			content, problems := f.Read(form.ReadEntries(test.values, "a0"))
			if string(content) != test.content {
				t.Errorf("content %s, want %s", content, test.content)
			}
			var want []form.Problem
			if test.want != "" {
				want = []form.Problem{{Index: 0, Text: test.want}}
			}
			if diff := cmp.Diff(want, problems); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBrokenJSONIsNamed(t *testing.T) {
	f, _ := form.Question([]byte(one(`{"type":"object"}`, true)))
	content, problems := f.Read(form.ReadEntries(sent(`{"a":`), "a0"))
	if string(content) != `{"p":"{\"a\":"}` || len(problems) != 1 ||
		!strings.HasSuffix(problems[0].Text, ", at character 6.") {
		t.Errorf("got %s %v", content, problems)
	}
}

func TestProblemsComeInOrderOncePerField(t *testing.T) {
	f, err := form.Arguments([]byte(`{"type":"object","additionalProperties":false,"required":["c","zz"],
		"properties":{"a":{"type":"string","minLength":3,"pattern":"^x"},"b":{"type":"integer"},
		"c":{"$ref":"#/$defs/c"}},"$defs":{"c":{"type":"array"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := f.Validate([]byte(`{"a":"q","b":1.5,"x":1}`))
	want := []form.Problem{
		{Index: 0, Text: "Enter at least 3 characters."},
		{Index: 1, Text: "Enter a whole number."},
		{Index: 2, Text: "Enter a JSON value."},
		{Index: -1, Text: `The property "zz" is missing.`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for content, want := range map[string]string{
		`{`: "This is not JSON", `[]`: "This must be a JSON object.",
	} {
		if got := f.Validate([]byte(content)); len(got) != 1 || got[0].Index != -1 ||
			!strings.HasPrefix(got[0].Text, want) {
			t.Errorf("%s: %v", content, got)
		}
	}
}

func TestWhatWasTypedIsKept(t *testing.T) {
	f, _ := form.Question([]byte(`{"type":"object","required":["ok"],` +
		`"properties":{"n":{"type":"integer","default":3},"ok":{"type":"boolean","default":true},` +
		`"s":{"type":"string"}}}`))
	again := f.With(form.ReadEntries(sent("abc", nil, empty{}), "a0"))
	if diff := cmp.Diff([][]string{{"abc"}, nil, {""}},
		[][]string{again.Fields[0].Value, again.Fields[1].Value, again.Fields[2].Value}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !again.Fields[2].Empty || f.Fields[0].Value[0] != "3" {
		t.Error("With lost the tick, or changed its receiver")
	}
}

func TestFillShowsContent(t *testing.T) {
	f, _ := form.Question([]byte(`{"type":"object","properties":{"n":{"type":"integer","default":3},` +
		`"s":{"type":"string"},"m":{"type":"array","items":{"enum":["a","b"]}},"j":{"type":"object"}}}`))
	got := f.Fill([]byte(`{"x":1,"s":5,"m":["b"],"j":{"a": 1}}`))
	type shown struct {
		Value []string
		Note  string
	}
	var list []shown
	for _, field := range got.Fields {
		list = append(list, shown{field.Value, field.Note})
	}
	want := []shown{
		{nil, ""}, {nil, "The value does not fit this field, so it is not filled in."}, {[]string{"b"}, ""},
		{[]string{`{"a": 1}`}, ""},
	}
	if diff := cmp.Diff(want, list, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if string(got.Extra) != `{"x":1,"s":5}` {
		t.Errorf("Extra %s", got.Extra)
	}
	if same := f.Fill([]byte(`[]`)); same.Fields[0].Value[0] != "3" {
		t.Error("Fill with no object changed the form")
	}
}

func TestUntouchedDefaultsGoBackAsTheyCame(t *testing.T) {
	f, _ := form.Question([]byte(`{"type":"object","properties":{"t":{"type":"string",` +
		`"format":"date-time","default":"2026-11-20T10:30:00+02:00"},"n":{"type":"number",` +
		`"default":1.0},"s":{"type":"string","default":""},"l":{"type":"array","items":{"enum":["a"]},` +
		`"default":[]}}}`))
	values := url.Values{}
	for i, field := range f.Fields {
		values[form.Name("a0", i)] = field.Value
		if field.Empty {
			values.Set(form.EmptyName("a0", i), "true")
		}
	}
	content, problems := f.Read(form.ReadEntries(values, "a0"))
	if want := `{"t":"2026-11-20T10:30:00+02:00","n":1.0,"s":"","l":[]}`; string(content) != want ||
		problems != nil {
		t.Errorf("got %s %v", content, problems)
	}
}
