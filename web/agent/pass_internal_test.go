package agent

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// TestPass_Problems: what a server asks is not passed on if a client could not be asked it
// by any server.
func TestPass_Problems(t *testing.T) {
	for _, test := range []struct{ method, params, want string }{
		{playground.CreateMessage, ``, "it has no messages"},
		{playground.CreateMessage, `{"messages":[]}`, "it has no messages"},
		{playground.CreateMessage, `{"messages":[{"role":"user"}]}`, ""},
		{playground.Elicit, `{"mode":"url","url":"javascript:x"}`, "its URL is not one of a page"},
		{playground.Elicit, `{"message":"m","requestedSchema":{"type":"object","properties":{"a":{}}}}`,
			`the field "a" is not one that a form may have`},
		{"server/made-up", `{}`, "its method is not one of the protocol"},
	} {
		q := playground.Question{Key: "k", Method: test.method}
		q.Params, _ = jsontree.Parse([]byte(test.params), jsontree.Limits{})
		var r playground.Round
		r.Questions = []playground.Question{q}
		_, problem := pass(playground.Target{URL: "https://a.example"}, question.Forms(r)[0], 1, 0)
		if problem != test.want {
			t.Errorf("%s %s: %q, want %q", test.method, test.params, problem, test.want)
		}
	}
}
