package form_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// outline writes a field and its parts in one line: its control, and in
// brackets its parts.
func outline(f form.Field) string {
	s := string(f.Control)
	if f.Nullable {
		s += "?"
	}
	var parts []string
	for i, part := range f.Fields {
		name := part.Property
		if f.Control == form.OneOf {
			name = f.Options[i].Label
		}
		parts = append(parts, name+":"+outline(part))
	}
	if f.Control == form.List || f.Control == form.Map {
		parts = append(parts, outline(f.NewRow().Field))
	}
	if len(parts) == 0 {
		return s
	}
	return s + "(" + strings.Join(parts, " ") + ")"
}

func arguments(t *testing.T, schema string) form.Form {
	t.Helper()
	f, err := form.Arguments([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParts(t *testing.T) {
	object := `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`
	deep := func(levels int) string {
		s := `{"type":"string"}`
		for range levels {
			s = `{"type":"object","properties":{"x":` + s + `}}`
		}
		return s
	}
	tests := []struct{ property, want string }{
		{object, "group(a:text b:number)"},
		{`{"type":"array","items":{"type":"string"}}`, "list(text)"},
		{`{"type":"array","items":` + object + `}`, "list(group(a:text b:number))"},
		{`{"type":"array","items":{"type":"array","items":{"type":"number"}}}`, "list(list(number))"},
		{`{"type":"object","additionalProperties":{"type":"number"}}`, "map(number)"},
		{`{"type":"object","additionalProperties":` + object + `}`, "map(group(a:text b:number))"},
		{`{"type":"object","additionalProperties":true}`, "json"},
		{`{"type":["integer","null"]}`, "number?"},
		{`{"type":["boolean","null"]}`, "toggle?"},
		{`{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`, "choice?"},
		{`{"enum":["a","b",null]}`, "choice?"},
		{`{"anyOf":[` + object + `,{"type":"null"}]}`, "group?(a:text b:number)"},
		{`{"type":["string","integer"]}`, "oneof(text:text whole number:number)"},
		{
			`{"oneOf":[{"title":"S","type":"string"},` + object + `]}`,
			"oneof(S:text object:group(a:text b:number))",
		},
		{
			`{"oneOf":[{"type":"object","properties":{"kind":{"const":"card"}}},{"type":"number"}]}`,
			"oneof(card:group(kind:choice) number:number)",
		},
		{
			`{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"items":false}`,
			"tuple(1:number 2:text)",
		},
		{`{"type":"array","items":[{"type":"number"}]}`, "tuple(1:number)"},
		{`{"$ref":"#/$defs/place"}`, "group(city:text)"},
		{
			`{"allOf":[{"$ref":"#/$defs/place"},{"properties":{"zip":{"type":"string"}}}]}`,
			"group(zip:text city:text)",
		},
		{
			`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},` +
				`{"properties":{"b":{"type":"boolean"}},"required":["b"]}]}`,
			"group(a:text b:checkbox)",
		},
		{`{"allOf":[{"minLength":1},{"minLength":2}]}`, "json"},
		{deep(2), "group(x:group(x:text))"},
		{deep(3), "group(x:group(x:json))"},
		{`{"$ref":"#/$defs/tree"}`, "group(name:text kids:list(group(name:text kids:list(json))))"},
		{`{"$ref":"#/$defs/loop"}`, "json"},
		{`{"$ref":"other.json"}`, "json"},
		{`{"not":{"type":"null"}}`, "json"},
	}
	for _, test := range tests {
		schema := strings.TrimSuffix(one(test.property, false), "}") + `,"$defs":{
			"place":{"type":"object","properties":{"city":{"type":"string"}}},
			"tree":{"type":"object","properties":{"name":{"type":"string"},
				"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}}},
			"loop":{"$ref":"#/$defs/loop"}}}`
		if got := outline(arguments(t, schema).Fields[0]); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.property, got, test.want)
		}
	}
}

// nestedTool has every kind of part and five levels.
const nestedTool = `{"type":"object","required":["title"],"properties":{
	"title":{"type":"string"},
	"address":{"type":"object","required":["street"],"properties":{
		"street":{"type":"string","minLength":3},"city":{"type":"string","default":"Bonn"},
		"main":{"type":"boolean"}}},
	"tags":{"type":"array","items":{"type":"string","maxLength":5}},
	"legs":{"type":"array","items":{"type":"object","required":["to"],"properties":{
		"to":{"type":"string","pattern":"^[A-Z]"},"nights":{"type":"integer","minimum":1},
		"hotel":{"type":"object","properties":{"name":{"type":"string"},"stars":{"type":"integer"}}}}}},
	"budget":{"type":"object","additionalProperties":{"type":"number"}},
	"remark":{"type":["string","null"]},
	"pay":{"oneOf":[
		{"type":"object","required":["kind","no"],"additionalProperties":false,
			"properties":{"kind":{"const":"card"},"no":{"type":"string","pattern":"^[0-9]+$"}}},
		{"type":"object","required":["kind"],"additionalProperties":false,
			"properties":{"kind":{"const":"cash"},"coins":{"type":"array","items":{"type":"number"}}}},
		{"type":"integer"}]},
	"point":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}]},
	"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object",
		"properties":{"d":{"type":"object","properties":{"e":{"type":"integer"}}}}}}}}}}}`

func TestNestedRead(t *testing.T) {
	tests := []struct {
		name, query, want string
		problems          []form.Problem
	}{
		{"nothing", "", `{}`, []form.Problem{{Index: 0, Text: "Fill in this field."}}},
		{"only the title", "f0=T&f1.1=Bonn&f3.rows=0&f3.0.0=", `{"title":"T"}`, nil},
		{
			"an object", "f0=T&f1.0=Main+St&f1.1=Bonn",
			`{"title":"T","address":{"street":"Main St","city":"Bonn"}}`, nil,
		},
		{
			"an object without what it requires", "f0=T&f1.1=Rome", `{"title":"T","address":{"city":"Rome"}}`,
			[]form.Problem{{Index: 1, Part: "0", Text: "Fill in this field."}},
		},
		{
			"too short inside", "f0=T&f1.0=x", `{"title":"T","address":{"street":"x"}}`,
			[]form.Problem{{Index: 1, Part: "0", Text: "Enter at least 3 characters."}},
		},
		{
			"rows in the order of their marks, blank ones left out",
			"f0=T&f2.rows=3&f2.rows=0&f2.rows=1&f2.3=c&f2.0=&f2.1=a", `{"title":"T","tags":["c","a"]}`, nil,
		},
		{"an empty row that is meant", "f0=T&f2.rows=0&f2.0.empty=true", `{"title":"T","tags":[""]}`, nil},
		{"an empty list that is meant", "f0=T&f2.empty=true", `{"title":"T","tags":[]}`, nil},
		{"an empty object that is meant", "f0=T&f1.empty=true", `{"title":"T","address":{}}`, []form.Problem{
			{Index: 1, Part: "0", Text: "Fill in this field."},
		}},
		{
			"a problem after a blank row",
			"f0=T&f2.rows=0&f2.rows=1&f2.rows=2&f2.0=a&f2.1=&f2.2=toolong",
			`{"title":"T","tags":["a","toolong"]}`,
			[]form.Problem{{Index: 2, Part: "2", Text: "Enter at most 5 characters; this has 7."}},
		},
		{
			"numbers keep their text",
			"f0=T&f3.rows=0&f3.0.0=Rome&f3.0.1=1.0&f4.rows=0&f4.0.key=eur&f4.0=1e400",
			`{"title":"T","legs":[{"to":"Rome","nights":1.0}],"budget":{"eur":1e400}}`,
			nil,
		},
		{
			"only the validator knows the pattern", "f0=T&f3.rows=0&f3.rows=1&f3.1.0=rome",
			`{"title":"T","legs":[{"to":"rome"}]}`,
			[]form.Problem{{Index: 3, Part: "1.0", Text: "Does not match the pattern ^[A-Z]."}},
		},
		{
			"a name twice", "f0=T&f4.rows=0&f4.rows=1&f4.0.key=a&f4.0=1&f4.1.key=a&f4.1=2",
			`{"title":"T","budget":{"a":1,"a":2}}`,
			[]form.Problem{{Index: 4, Part: "1.key", Text: "This name occurs twice."}},
		},
		{
			"a name without a value", "f0=T&f4.rows=0&f4.0.key=a", `{"title":"T"}`,
			[]form.Problem{{Index: 4, Part: "0", Text: "Fill in this field."}},
		},
		{"null", "f0=T&f5.null=true", `{"title":"T","remark":null}`, nil},
		{"null is for blank fields", "f0=T&f5=x&f5.null=true", `{"title":"T","remark":"x"}`, nil},
		{
			"an alternative", "f0=T&f6=0&f6.0.0=card&f6.0.1=42",
			`{"title":"T","pay":{"kind":"card","no":"42"}}`, nil,
		},
		{"another", "f0=T&f6=2&f6.2=42", `{"title":"T","pay":42}`, nil},
		{"one just chosen has its constant", "f0=T&f6=1", `{"title":"T","pay":{"kind":"cash"}}`, nil},
		{
			"a problem in the chosen alternative", "f0=T&f6=0&f6.0.0=card&f6.0.1=x",
			`{"title":"T","pay":{"kind":"card","no":"x"}}`,
			[]form.Problem{{Index: 6, Part: "0.1", Text: "Does not match the pattern ^[0-9]+$."}},
		},
		{"an alternative that is not there", "f0=T&f6=7", `{"title":"T"}`, nil},
		{"a tuple", "f0=T&f7.0=1&f7.1=2", `{"title":"T","point":[1,2]}`, nil},
		{
			"deeper than three levels", "f0=T&f8.0.0=" + url.QueryEscape(`{"d":{"e":5}}`),
			`{"title":"T","a":{"b":{"c":{"d":{"e":5}}}}}`, nil,
		},
		{
			"broken JSON inside", "f0=T&f8.0.0=x", `{"title":"T","a":{"b":{"c":"x"}}}`,
			[]form.Problem{{
				Index: 8, Part: "0.0", Text: "This is not JSON: not a JSON value, at character 1.",
			}},
		},
		{
			"a value that does not fit, as JSON", "f0=T&f2.json=" + url.QueryEscape(`[1]`),
			`{"title":"T","tags":[1]}`,
			[]form.Problem{{Index: 2, Text: "At 0: must be text, not a number."}},
		},
	}
	f := arguments(t, nestedTool)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values := url.Values{}
			sent, err := url.ParseQuery(test.query)
			if err != nil {
				t.Fatal(err)
			}
			for name, list := range sent {
				values["t0."+name] = list
			}
			content, problems := f.Read(form.ReadEntries(values, "t0"))
			if string(content) != test.want {
				t.Errorf("\n got %s\nwant %s", content, test.want)
			}
			if diff := cmp.Diff(test.problems, problems); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestNestedFill shows a value in the fields, sends the page back unchanged, and
// gets the value again, also where no field can show it.
func TestNestedFill(t *testing.T) {
	f := arguments(t, nestedTool)
	for _, content := range []string{
		`{"title":"T"}`,
		`{"title":"T","address":{"street":"Main St"}}`,
		`{"title":"T","address":{"street":"Main St","city":"Bonn","main":false}}`,
		`{"title":"T","address":{"city":"Bonn"}}`,
		`{"title":"T","address":{}}`,
		`{"title":"T","address":{"street":"x","other":1}}`,
		`{"title":"T","address":null}`,
		`{"title":"T","tags":[]}`,
		`{"title":"T","tags":["","a",""]}`,
		`{"title":"T","tags":["a",1,null]}`,
		`{"title":"T","legs":[{"to":"Rome","nights":1.0,"hotel":{"name":"H","stars":1e0}},{}]}`,
		`{"title":"T","legs":[{"hotel":{}}]}`,
		`{"title":"T","legs":[[]]}`,
		`{"title":"T","budget":{"eur":1.50,"":0}}`,
		`{"title":"T","budget":{}}`,
		`{"title":"T","remark":null}`,
		`{"title":"T","remark":""}`,
		`{"title":"T","pay":{"kind":"card","no":"1"}}`,
		`{"title":"T","pay":{"kind":"cash","coins":[0.10]}}`,
		`{"title":"T","pay":{"kind":"cash"}}`,
		`{"title":"T","pay":7}`,
		`{"title":"T","pay":"else"}`,
		`{"title":"T","point":[1,2]}`,
		`{"title":"T","point":[1]}`,
		`{"title":"T","point":[]}`,
		`{"title":"T","a":{"b":{"c":{"d":{"e":5}}}}}`,
		`{"title":"T","tags":["a"` + strings.Repeat(`,"a"`, form.MaxRows) + `]}`,
	} {
		filled := f.Fill([]byte(content))
		got, _ := filled.Content(filled.Entries())
		if string(got) != content || filled.Extra != nil {
			t.Errorf("\n got %s\nwant %s\nextra %s", got, content, filled.Extra)
		}
	}
}

func TestEdited(t *testing.T) {
	base := arguments(t, nestedTool)
	entered, err := url.ParseQuery(
		"t0.f0=T&t0.f2.rows=0&t0.f2.rows=1&t0.f2.0=a&t0.f2.1=b&t0.f3.rows=0&t0.f3.0.0=R")
	if err != nil {
		t.Fatal(err)
	}
	filled := base.With(form.ReadEntries(entered, "t0"))
	tests := []struct{ edit, focus, want string }{
		{form.AddRow("t0.f2"), "f2.2", `{"title":"T","tags":["a","b"],"legs":[{"to":"R"}]}`},
		{form.RemoveRow("t0.f2", 0), "f2.0", `{"title":"T","tags":["b"],"legs":[{"to":"R"}]}`},
		{form.RemoveRow("t0.f2", 1), "f2.0", `{"title":"T","tags":["a"],"legs":[{"to":"R"}]}`},
		{form.RemoveRow("t0.f3", 0), "f3.add", `{"title":"T","tags":["a","b"]}`},
		{form.AddRow("t0.f3"), "f3.1.0", `{"title":"T","tags":["a","b"],"legs":[{"to":"R"}]}`},
		{form.AddRow("t0.f4"), "f4.1.key", `{"title":"T","tags":["a","b"],"legs":[{"to":"R"}]}`},
		{form.Choose("t0.f6"), "f6", `{"title":"T","tags":["a","b"],"legs":[{"to":"R"}]}`},
		{form.Enter("t0.f0", "two words"), "f0",
			`{"title":"two words","tags":["a","b"],"legs":[{"to":"R"}]}`},
	}
	for _, test := range tests {
		if test.edit == form.AddRow("t0.f4") {
			filled, _ = filled.Edited(test.edit, "t0")
		}
		got, ok := filled.Edited(test.edit, "t0")
		if !ok || got.Focus != test.focus {
			t.Errorf("%s: %v, focus %q, want %q", test.edit, ok, got.Focus, test.focus)
		}
		if content, _ := got.Content(got.Entries()); string(content) != test.want {
			t.Errorf("%s: got %s", test.edit, content)
		}
	}
	for _, edit := range []string{
		"", "add", "add t0.f0", "add t1.f2", "add t0.f2.0", "remove t0.f2.9", "remove t0.f2", "choose t0.f2",
		"add t0.f99", "add t0.f1.99", "send t0.f2", "add t0.f2.empty", "remove t0.f3.0.0",
		form.Enter("t0.f2", "a"), form.Enter("t1.f0", "a"), "enter", "enter t0.f0.0 a",
	} {
		if _, ok := filled.Edited(edit, "t0"); ok {
			t.Errorf("%q changed the form", edit)
		}
	}
	if content, _ := filled.Content(filled.Entries()); !strings.Contains(string(content), `["a","b"]`) {
		t.Errorf("an edit changed the form that it was made from: %s", content)
	}
}

func TestRowsAreBounded(t *testing.T) {
	f := arguments(t, nestedTool)
	for range form.MaxRows + 10 {
		f, _ = f.Edited(form.AddRow("t0.f2"), "t0")
	}
	if got := len(f.Fields[2].Rows); got != form.MaxRows {
		t.Errorf("%d rows", got)
	}
	var wide []string
	for i := range 40 {
		wide = append(wide, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
	}
	many := arguments(t, one(`{"type":"array","items":{"type":"object","properties":{`+
		strings.Join(wide, ",")+`}}}`, true))
	for range form.MaxRows {
		many, _ = many.Edited(form.AddRow("t0.f0"), "t0")
	}
	if got := len(many.Fields[0].Rows); got < 5 || got > form.MaxWeight/40 {
		t.Errorf("%d rows of 40 fields each", got)
	}
	values := url.Values{}
	for i := range 10000 {
		values.Add("t0.f2.rows", fmt.Sprint(i))
		values.Set(fmt.Sprintf("t0.f2.%d", i), "x")
	}
	if got := len(f.With(form.ReadEntries(values, "t0")).Fields[2].Rows); got != form.MaxRows {
		t.Errorf("%d rows were read", got)
	}
}

func TestSkeletonOfDeepParts(t *testing.T) {
	f := arguments(t, `{"type":"object","required":["a"],"properties":{"a":{"type":"object","required":["b"],
		"properties":{"b":{"type":"object","required":["c"],"properties":{"c":{"type":"object",
		"required":["n","s"],"properties":{"n":{"type":"integer","default":2},"s":{"type":"string"},
		"x":{"type":"string","examples":["e"]},"y":{"type":"string"}}}}}}}}}`)
	var got, want any
	field := f.Fields[0].Fields[0].Fields[0]
	if field.Control != form.JSON || len(field.Value) != 1 {
		t.Fatalf("%+v", field)
	}
	if err := json.Unmarshal([]byte(field.Value[0]), &got); err != nil {
		t.Fatal(err)
	}
	want = map[string]any{"n": 2.0, "s": "", "x": "e"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// FuzzNested: whatever object is shown in the fields comes back the same, and
// neither an edit nor an entry panics.
func FuzzNested(f *testing.F) {
	f.Add(nestedTool, `{"title":"T","tags":["a"],"legs":[{"to":"R"}]}`, "add t0.f2")
	f.Add(nestedTool, `{"pay":{"kind":"card","no":"1"},"budget":{"":1}}`, "remove t0.f4.0")
	f.Add(nestedTool, `{"point":[1,null],"a":{"b":{"c":null}}}`, "choose t0.f6")
	for _, schema := range hostile() {
		f.Add(schema, `{"p":{"p":[{}]}}`, "add t0.f0")
	}
	f.Fuzz(func(t *testing.T, schema, content, edit string) {
		made, err := form.Arguments([]byte(schema))
		if err != nil {
			return
		}
		want, err := jsontree.Parse([]byte(content), jsontree.Limits{})
		if err != nil || !utf8.ValidString(content+schema) || want.Kind != jsontree.Object ||
			len(want.Duplicates()) > 0 {
			return
		}
		filled := made.Fill([]byte(content))
		raw, _ := filled.Content(filled.Entries())
		got, err := jsontree.Parse(raw, jsontree.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if filled.Extra == nil && !strings.Contains(content, `\u`) && len(filled.Fields) == want.Len() &&
			!requiredBlank(filled) && !sameTime(filled) && !jsontree.Equal(got, want) {
			t.Fatalf("%s: shown, then %s", content, raw)
		}
		if again, ok := filled.Edited(edit, "t0"); ok {
			again.Read(again.Entries())
		}
		made.Validate([]byte(content))
	})
}

// requiredBlank reports whether a control says a value for a member that the
// content does not have: a tick, a list, a select with "".
func requiredBlank(f form.Form) bool {
	for _, field := range f.Fields {
		for _, part := range field.All() {
			if part.Required && (part.Control == form.Checkbox || part.Control == form.Choices ||
				part.Control == form.List || part.Control == form.Map || part.Control == form.Group ||
				part.Control == form.Tuple || part.Control == form.Choice) {
				return true
			}
		}
	}
	return false
}

// sameTime reports whether a control shows times, which it writes in UTC.
func sameTime(f form.Form) bool {
	for _, field := range f.Fields {
		for _, part := range field.All() {
			if part.Input == "datetime-local" {
				return true
			}
		}
	}
	return false
}

// TestBeyond: what the schema of the whole object says and no field shows is named.
func TestBeyond(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object"}`: "",
		`{"type":"object","additionalProperties":false,` +
			`"properties":{"a":{"type":"string"}}}`: "",
		`{"type":"object","properties":{"a":{}},` +
			`"additionalProperties":{"type":"string"}}`: "",
		`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}}]}`:    "",
		`{"type":"object","anyOf":[{"required":["id"]},{"required":["name"]}]}`: "anyOf",
		`{"type":"object","oneOf":[{"properties":{"id":{}}}]}`:                  "oneOf",
		`{"type":"object","additionalProperties":{"type":"string"}}`:            "additionalProperties",
		`{"type":"object","patternProperties":{"^x":{}}}`:                       "patternProperties",
		`{"$ref":"https://schemas.example/in.json"}`:                            "$ref",
		`{"type":"object","properties":{"a":{"type":"string"}},` +
			`"anyOf":[{"required":["a"]}],"not":{}}`: "anyOf, not",
	} {
		f, err := form.Arguments([]byte(schema))
		if err != nil {
			t.Errorf("%s: %v", schema, err)
		}
		named := ""
		if _, rest, ok := strings.Cut(f.Beyond, "("); ok {
			named, _, _ = strings.Cut(rest, ")")
		}
		if named != want || want == "" && f.Beyond != "" {
			t.Errorf("%s: %q, want %q", schema, f.Beyond, want)
		}
		if want != "" && strings.Contains(f.Beyond, "No field can show") != (len(f.Fields) == 0) {
			t.Errorf("%s: %q for %d fields", schema, f.Beyond, len(f.Fields))
		}
	}
}
