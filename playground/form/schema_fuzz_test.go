package form_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// FuzzSchema: for any schema and any value, a check ends, does not panic and
// returns the same twice. A schema that has faults or is not checked says so in
// words, and the text of the schema stays in the field that shows it.
func FuzzSchema(f *testing.F) {
	for _, value := range answers() {
		f.Add(one(`{"type":"string","pattern":"(a+)+$"}`, true), value)
	}
	for _, schema := range hostile() {
		f.Add(schema, `{"p":[{}],"a":1}`)
	}
	for _, schema := range []string{
		`true`, `false`, `[]`, `{"type":["object","null"],"properties":{"":{}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`,
		`{"$defs":{"a":{"$anchor":"x","$dynamicRef":"#x"}},"$ref":"#x"}`,
		`{"type":"object","properties":{"\ud800":{"minimum":1e-400,"format":"\u0000"}}}`,
	} {
		f.Add(schema, `{"":null,"\ud800":1E400}`)
	}
	f.Fuzz(func(t *testing.T, schema, value string) {
		first, err := form.Conforms(json.RawMessage(schema), json.RawMessage(value))
		if err != nil && !errors.Is(err, form.ErrUnchecked) {
			t.Fatalf("an error without a reason: %v", err)
		}
		again, errAgain := form.Conforms(json.RawMessage(schema), json.RawMessage(value))
		if (err == nil) != (errAgain == nil) || len(first.All()) != len(again.All()) {
			t.Fatalf("%q, %v, then %q, %v", first, err, again, errAgain)
		}
		if faults, err := form.SchemaFaults(json.RawMessage(schema)); err != nil {
			if !errors.Is(err, form.ErrUnchecked) {
				t.Fatalf("an error without a reason: %v", err)
			}
		} else if !json.Valid([]byte(schema)) && len(faults) == 0 {
			t.Fatalf("%q is no JSON and has no fault", schema)
		}
		for _, sentence := range first.All() {
			if sentence == "" {
				t.Fatalf("a violation without words: %q", first)
			}
		}
		for _, build := range []func(json.RawMessage) (form.Form, error){form.Question, form.Arguments} {
			made, err := build(json.RawMessage(schema))
			if err != nil {
				continue
			}
			if n := len(made.Fields); n > form.MaxProperties {
				t.Fatalf("%d fields", n)
			}
			for _, field := range made.Fields {
				if len(field.Options) > form.MaxOptions {
					t.Fatalf("%d options", len(field.Options))
				}
				if field.Control == form.JSON && field.Reason == "" {
					t.Fatalf("%q has no other control and does not say why", field.Property)
				}
			}
			made.Validate(json.RawMessage(value))
		}
	})
}
