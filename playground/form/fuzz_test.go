package form_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// FuzzRead: for any schema and input, nothing panics and the content is a JSON
// object. Content without a problem is valid, fits its form, and is the same
// when it is read again.
func FuzzRead(f *testing.F) {
	f.Add(one(`{"type":"integer","minimum":1}`, true), "a0.f0=3")
	f.Add(one(`{"type":"number"}`, false), "a0.f0=1e400")
	f.Add(one(`{"type":"string","format":"date-time"}`, true), "a0.f0=2026-11-20T10:30")
	f.Add(one(`{"type":"array","items":{"enum":["a","b"]},"minItems":1}`, true), "a0.f0=a&a0.f0=b")
	f.Add(one(`{"type":["string","null"]}`, true), "a0.f0=null")
	f.Add(one(`{"type":"string","pattern":"(a+)+$"}`, true), "a0.f0=%ff")
	f.Add(one(`{"type":"string","enum":["",""]}`, true), "a0.f0=&a0.f0.empty=true")
	for _, schema := range hostile() {
		f.Add(schema, "a0.f0=[{}]")
	}
	f.Fuzz(func(t *testing.T, schema, query string) {
		values, _ := url.ParseQuery(query)
		for _, build := range []func(json.RawMessage) (form.Form, error){form.Question, form.Arguments} {
			if made, err := build([]byte(schema)); err == nil {
				checkRead(t, made, values)
			}
		}
	})
}

func checkRead(t *testing.T, made form.Form, values url.Values) {
	t.Helper()
	content, problems := made.Read(form.ReadEntries(values, "a0"))
	if !json.Valid(content) || content[0] != '{' {
		t.Fatalf("not an object: %q", content)
	}
	made.With(form.ReadEntries(values, "a0")).Unchecked()
	if len(problems) > 0 {
		return
	}
	if again := made.Validate(content); len(again) > 0 {
		t.Fatalf("%s: read without a problem, then %v", content, again)
	}
	if filled := made.Fill(content); filled.Extra != nil {
		t.Fatalf("%s: no field shows %s", content, filled.Extra)
	}
}
