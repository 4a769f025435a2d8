package check_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// asksTwice asks for a name, then for a place, and looks at the name only when it has
// both: wrong answers a call with a name that its schema does not allow.
func asksTwice(s fakeServer, wrong func(w http.ResponseWriter, m message)) http.Handler {
	ask := func(w http.ResponseWriter, m message, key, state string) {
		answer(w, m, fmt.Sprintf(`{"resultType":"input_required","requestState":%q,`+
			`"inputRequests":{%q:{"method":"elicitation/create","params":{"message":"Which?",`+
			`"requestedSchema":{"type":"object","properties":{"name":{"type":"string","maxLength":20}},`+
			`"required":["name"]}}}}}`, state+"|"+sum(state), key))
	}
	return odd(s, func(w http.ResponseWriter, _ *http.Request, m message) bool {
		if m.Method != "tools/call" {
			return false
		}
		name := func(key string) string {
			var a struct {
				Content struct{ Name json.RawMessage }
			}
			_ = json.Unmarshal(m.Params.InputResponses[key], &a)
			return string(a.Content.Name)
		}
		kept, _, _ := strings.Cut(stateOf(m), "|")
		where, who := name("where"), name("who")
		isName := func(json string) bool { return strings.HasPrefix(json, `"`) && len(json) <= 22 }
		switch {
		case where == "" && who == "":
			ask(w, m, "who", "unset")
		case where == "":
			ask(w, m, "where", who)
		case !isName(where):
			refuse(w, m, 400, -32602, "")
		case !isName(kept):
			wrong(w, m)
		default:
			complete(w, m, "paid")
		}
		return true
	})
}

func stateOf(m message) string {
	if m.Params.RequestState == nil {
		return ""
	}
	return *m.Params.RequestState
}

// TestRun_WrongValueFoundLater: a result with the next question does not say that the
// server accepted the answer before it. Only the end of the call does.
func TestRun_WrongValueFoundLater(t *testing.T) {
	for _, test := range []struct {
		name  string
		wrong func(http.ResponseWriter, message)
		want  verdict.Outcome
		text  string
	}{
		{"asks again", func(w http.ResponseWriter, m message) {
			answer(w, m, `{"resultType":"input_required","requestState":"again",`+
				`"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?",`+
				`"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}`)
		}, verdict.Passed, "asked the question again in round 3"},
		{"an error", func(w http.ResponseWriter, m message) { refuse(w, m, 400, -32602, "") },
			verdict.Passed, "ended it in round 3"},
		{"a tool error", func(w http.ResponseWriter, m message) {
			answer(w, m, `{"resultType":"complete","isError":true,"content":[{"type":"text",`+
				`"text":"no such name"}]}`)
		}, verdict.Passed, "ended it in round 3"},
		{"its own failure", func(w http.ResponseWriter, m message) { refuse(w, m, 500, -32603, "") },
			verdict.Passed, "error -32602"},
		{"words", func(w http.ResponseWriter, m message) { complete(w, m, "who is that?") },
			verdict.Advisory, "may have refused the value in words"},
		{"accepts", func(w http.ResponseWriter, m message) { complete(w, m, "paid") },
			verdict.Advisory, "continued the call with a value"},
	} {
		parallel(t, test.name, func(t *testing.T) {
			clock := newClock()
			r := checked(t, clock, asksTwice(fakeServer{now: clock.Now}, test.wrong))
			for _, id := range []string{"wrong-type", "out-of-range"} {
				p := result(t, r, id)
				if p.Verdict != test.want || !strings.Contains(p.Text, test.text) {
					t.Errorf("%s: %s %s", id, p.Verdict, p.Text)
					show(t, r)
				}
			}
		})
	}
}
