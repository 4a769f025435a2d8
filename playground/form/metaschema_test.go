package form_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

func TestSchemaFaults(t *testing.T) {
	for _, tt := range []struct {
		name, schema string
		valid        bool
	}{
		{"a type that does not exist", `{"type":"object","properties":{"n":{"type":"int"}}}`, false},
		{"properties in an array", `{"type":"object","properties":[]}`, false},
		{"required that is no list", `{"type":"object","required":"name"}`, false},
		{"a negative length", `{"properties":{"a":{"type":"string","minLength":-1}}}`, false},
		{"an ordinary schema", `{"type":"object","properties":{"n":{"type":"integer"}},` +
			`"required":["n"]}`, true},
		{"unknown keywords", `{"type":"object","x-mcp-header":"Region","widget":{}}`, true},
		{"a reference within", `{"$defs":{"a":{"type":"string"}},` +
			`"properties":{"a":{"$ref":"#/$defs/a"}}}`, true},
		{"a reference to the network", `{"properties":{"a":{"$ref":"https://example.com/s.json"}}}`, true},
		{"its dialect by name", `{"$schema":"https://json-schema.org/draft/2020-12/schema",` +
			`"type":"object"}`, true},
		{"no schema at all", `7`, false},
	} {
		faults, err := form.SchemaFaults(json.RawMessage(tt.schema))
		if err != nil || (len(faults) == 0) != tt.valid {
			t.Errorf("%s: %q, %v", tt.name, faults, err)
		}
	}
}

func TestSchemaFaults_Unchecked(t *testing.T) {
	for name, schema := range map[string]string{
		"another dialect": `{"$schema":"http://json-schema.org/draft-07/schema#","type":"int"}`,
		"broken JSON":     `{`,
		"large":           `{"title":"` + strings.Repeat("x", form.MaxBytes) + `"}`,
		"many values":     `{"enum":[` + strings.Repeat("1,", 20000) + `1]}`,
	} {
		if faults, err := form.SchemaFaults(json.RawMessage(schema)); !errors.Is(err, form.ErrUnchecked) {
			t.Errorf("%s: %q, %v", name, faults, err)
		}
	}
}
