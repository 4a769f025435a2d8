package question_test

import (
	"encoding/json"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

func TestPlaceholderArguments_FillWhatIsRequired(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type":"object","properties":{"item":{"type":"string"},"amount":{"type":"number",` +
			`"minimum":5},"note":{"type":"string"}},"required":["item","amount"]}`,
			`{"item":"text","amount":5}`},
		{`{"type":"object","properties":{"city":{"type":"string","examples":["Lisbon"]},` +
			`"days":{"type":"integer","default":3}},"required":["city"]}`, `{"city":"Lisbon","days":3}`},
		{`{"type":"object","properties":{"kind":{"type":"string","enum":["a","b"]}},"required":["kind"]}`,
			`{"kind":"a"}`},
		{`{"type":"object","properties":{"days":{"type":"integer","minimum":1,"maximum":5,"default":9},` +
			`"word":{"type":"string","maxLength":2,"default":"long"}},"required":["days","word"]}`,
			`{"days":1,"word":"te"}`}, // defaults that do not fit
		{`{"type":"object"}`, `{}`},
		{`not a schema`, `{}`},
		{``, `{}`},
	} {
		if got := question.PlaceholderArguments(json.RawMessage(c.schema)); string(got) != c.want {
			t.Errorf("of %s: %s, want %s", c.schema, got, c.want)
		}
	}
}
