package question

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestGiven_FindsAnswersOfLegacyQuestions: they have a JSON-RPC id in place of a
// key.
func TestGiven_FindsAnswersOfLegacyQuestions(t *testing.T) {
	f := asked(t, `{"method":"elicitation/create","params":{"message":"m","requestedSchema":{`+
		`"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}}}}}`)
	for answers, want := range map[string]string{
		`{"KEY":{"name":"key"},"name":{"name":"field"}}`:  `{"name":"key"}`,
		`{"name":{"name":"Ada"}}`:                         `{"name":"Ada"}`,
		`{"age":36,"name":"Ada"}`:                         `{"name":"Ada","age":36}`,
		`{"who":{"age":36}}`:                              `{"age":36}`,
		`{"who":{"action":"accept","content":{"age":1}}}`: `{"action":"accept","content":{"age":1}}`,
		`{"elicitation/create":{"action":"decline"}}`:     `{"action":"decline"}`,
		`{"other":{"place":"x"}}`:                         ``,
	} {
		var given map[string]json.RawMessage
		if err := json.Unmarshal([]byte(strings.Replace(answers, "KEY", f.Key, 1)), &given); err != nil {
			t.Fatal(err)
		}
		legacy := f
		legacy.Name = "elicitation 1"
		got, ok := legacy.Given(given)
		if ok != (want != "") || string(got) != want && ok {
			t.Errorf("%s: %s, want %s", answers, got, want)
		}
		if _, ok := f.Given(given); ok != strings.Contains(answers, "KEY") {
			t.Errorf("%s: found for a question with a key of its own", answers)
		}
	}
}

// TestIsPlaceholder_OnlyForInventedValues: defaults of the schema are no
// inventions.
func TestIsPlaceholder_OnlyForInventedValues(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object","required":["n"],"properties":{"n":{"type":"string"}}}`:               true,
		`{"type":"object","required":["n"],"properties":{"n":{"type":"string","default":"x"}}}`: false,
		`{"type":"object","properties":{"n":{"type":"string"}}}`:                                false,
	} {
		f := asked(t, `{"method":"elicitation/create","params":{"message":"m","requestedSchema":`+schema+`}}`)
		a, err := f.Placeholder()
		if err != nil || f.IsPlaceholder(a.Value) != want {
			t.Errorf("%s: %s, %v", schema, a.Value, err)
		}
		if f.IsPlaceholder([]byte(`{"action":"accept","content":{"n":"Ada"}}`)) {
			t.Errorf("%s: a real answer", schema)
		}
	}
}
