package check_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// TestRun_PageUnderNewKeys: a server waits for the user of a page, and gives the question a
// new key and a new query each time, in a call or in a task. The check accepts once and then
// declines, so that the call ends.
func TestRun_PageUnderNewKeys(t *testing.T) {
	declined := func(m mcptest.Message) bool {
		for _, response := range m.Params.InputResponses {
			if strings.Contains(string(response), "decline") {
				return true
			}
		}
		return false
	}
	for name, newScript := range map[string]func() mcptest.Script{
		"call": func() mcptest.Script {
			n := 0
			return func(m mcptest.Message, _ *http.Request) mcptest.Answer {
				if declined(m) {
					return mcptest.Text("You did not sign in.")
				}
				n++
				return mcptest.Ask(page(n), "")
			}
		},
		"task": func() mcptest.Script {
			n, ended := 0, false
			const open = `"taskId":"t","ttlMs":null,"createdAt":"2026-11-20T09:00:00Z",` +
				`"lastUpdatedAt":"2026-11-20T09:00:00Z","pollIntervalMs":1000,`
			return func(m mcptest.Message, _ *http.Request) mcptest.Answer {
				switch m.Method {
				case "tools/call":
					ended = false
					return mcptest.Answer{Result: `{"resultType":"task",` + open + `"status":"working"}`}
				case "tasks/update":
					n++
					ended = ended || declined(m)
					return mcptest.Answer{Result: `{"resultType":"complete"}`}
				case "tasks/cancel":
					return mcptest.Answer{Result: `{"resultType":"complete"}`}
				}
				if ended {
					return mcptest.Complete(open + `"status":"completed","result":{"content":[]}`)
				}
				return mcptest.Complete(open + `"status":"input_required","inputRequests":{` + page(n) + `}`)
			}
		},
	} {
		parallel(t, name, func(t *testing.T) {
			var one sync.Mutex
			script := newScript()
			oneByOne := func(m mcptest.Message, q *http.Request) mcptest.Answer {
				one.Lock()
				defer one.Unlock()
				return script(m, q)
			}
			r := checked(t, newClock(), mcptest.Tools(oneByOne, "link"), "link")
			f := r.Control.Fold()
			if r.Status != lab.Complete || !f.Status.Ended() || f.Status == playground.StatusCapped {
				show(t, r)
				t.Errorf("%s: the call is %s after %d rounds", r.Status, f.Status, len(f.Rounds))
			}
		})
	}
}

// page returns the n-th question for the same page.
func page(n int) string {
	return fmt.Sprintf(`"auth-%d":{"method":"elicitation/create","params":{"mode":"url",`+
		`"message":"Sign in.","url":"https://example.com/sign-in?id=%d"}}`, n, n)
}
