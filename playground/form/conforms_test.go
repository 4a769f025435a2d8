package form_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

func TestConforms(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"},"list":{"type":"array",` +
		`"items":{"type":"string"}}},"required":["n"]}`
	for _, c := range []struct{ schema, value, want string }{
		{schema, `{"n":1,"list":["a"]}`, ""},
		{schema, `{"n":1.0}`, ""},
		{schema, `{}`, "n"},
		{schema, `{"n":"1"}`, "At n: must be"},
		{schema, `{"n":1,"list":["a",2]}`, "At list/1: must be"},
		{schema, `[]`, "Must be"},
		{`{"type":"array"}`, `[1,2]`, ""},
		{`{"type":"string"}`, `null`, "Must be"},
		{`true`, `null`, ""},
		{`{"type":"object","properties":{"u":{"type":"string","format":"uri"}}}`, `{"u":"no"}`, "At u:"},
	} {
		got, err := form.Conforms(json.RawMessage(c.schema), json.RawMessage(c.value))
		if err != nil {
			t.Errorf("%s: %v", c.value, err)
		}
		if text := strings.Join(got, " "); (c.want == "") != (text == "") ||
			!strings.Contains(text, c.want) {
			t.Errorf("%s against %s: got %q, want %q", c.value, c.schema, text, c.want)
		}
	}
}

func TestConforms_Unchecked(t *testing.T) {
	for _, schema := range []string{
		`{"$ref":"file:///etc/passwd"}`, `{"$ref":"http://127.0.0.1:1/x"}`, `{"type":5}`, `{`,
		`{"$comment":"` + strings.Repeat("x", form.MaxBytes) + `"}`,
	} {
		if _, err := form.Conforms(json.RawMessage(schema), json.RawMessage(`{}`)); !errors.Is(err,
			form.ErrUnchecked) {
			t.Errorf("%.60s: %v", schema, err)
		}
	}
}
