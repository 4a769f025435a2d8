package form

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// compiles reports whether the validator accepts a schema.
func compiles(schema string) bool {
	empty, err := jsontree.Parse([]byte("{}"), jsontree.Limits{})
	if err == nil {
		_, err = validator([]byte(schema), empty, asserted)
	}
	return err == nil
}

func TestIsPlain(t *testing.T) {
	tests := map[string]bool{
		`{"type":"object"}`: true,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"array","items":{"type":"string",` +
			`"enum":["x","y"],"format":"email"},"minItems":1},"b":{"anyOf":[{"type":"integer","minimum":1},` +
			`{"type":"null"}]}},"additionalProperties":false}`: true,
		`{"type":"int"}`:                         false,
		`{"required":"a"}`:                       false,
		`{"required":["a","a"]}`:                 false,
		`{"minLength":-1}`:                       false,
		`{"maximum":1e999999}`:                   false,
		`{"anyOf":[]}`:                           false,
		`{"properties":{"a":{"$ref":"#/no"}}}`:   false,
		`{"$schema":"https://example.com/mine"}`: false,
		`{"title":"a","title":1}`:                false,
	}
	for schema, want := range tests {
		root, err := jsontree.Parse([]byte(schema), jsontree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := isPlain(root); got != want {
			t.Errorf("%s: %v", schema, got)
		}
	}
}

// FuzzIsPlain: a plain schema compiles.
func FuzzIsPlain(f *testing.F) {
	f.Add(`{"type":"object","required":["a"],"properties":{"a":{"enum":["x"],"minLength":1.0}}}`)
	f.Add(`{"items":{"oneOf":[{"const":null}],"format":"date","maximum":-1e5},"description":""}`)
	f.Fuzz(func(t *testing.T, schema string) {
		root, err := jsontree.Parse([]byte(schema), jsontree.Limits{})
		if err == nil && len(schema) < MaxBytes && isPlain(root) && !compiles(schema) {
			t.Fatalf("%s does not compile", schema)
		}
	})
}
