package check_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// odd answers some requests in its own way, and leaves the others to a server. It
// reports whether it has answered.
func odd(server http.Handler, own func(http.ResponseWriter, *http.Request, message) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !own(w, r, mcptest.Read(r)) {
			server.ServeHTTP(w, r)
		}
	})
}

// result returns the result of an experiment.
func result(t *testing.T, r lab.Report, id string) lab.Result {
	t.Helper()
	for _, p := range r.Results {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("no experiment %s", id)
	return lab.Result{}
}

// TestRun_GatewayErrorsAreNotJudged: the error objects of gateways are no JSON-RPC,
// in JSON and in streams.
func TestRun_GatewayErrorsAreNotJudged(t *testing.T) {
	for _, status := range []int{502, 503, 429} {
		for _, s := range []peers.Stream{{}, peers.Streams()[2]} {
			parallel(t, fmt.Sprint(status, s.Name), func(t *testing.T) {
				clock := newClock()
				f := &failing{server: fakeServer{now: clock.Now}, mu: &sync.Mutex{}, every: 3,
					reply: func(w http.ResponseWriter, _ message) {
						w.WriteHeader(status)
						fmt.Fprintf(w, `{"error":{"code":%d,"message":"upstream"}}`, status)
					}}
				var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					f.ServeHTTP(w, r)
				})
				if s.Name != "" {
					h = peers.Streamed(h, s)
				}
				r := checked(t, clock, h)
				if r.Verdict().Counts().Failed > 0 {
					show(t, r)
					t.Error("a right server behind a gateway is accused")
				}
			})
		}
	}
}

// TestRun_CapabilityErrorForMissingMeta: the members of _meta were the change, so an
// error about capabilities is about it.
func TestRun_CapabilityErrorForMissingMeta(t *testing.T) {
	parallel(t, "capabilities", func(t *testing.T) {
		clock := newClock()
		r := checked(t, clock, odd(fakeServer{now: clock.Now},
			func(w http.ResponseWriter, _ *http.Request, m message) bool {
				missing := m.Method != "" &&
					m.Params.Meta["io.modelcontextprotocol/clientCapabilities"] == nil
				if missing {
					refuse(w, m, 400, -32021, `{"requiredCapabilities":{"elicitation":{}}}`)
				}
				return missing
			}))
		want := map[string]verdict.Outcome{"no-meta": verdict.Failed, "no-meta-capabilities": verdict.Failed}
		if diff := cmp.Diff(want, remarks(r)); diff != "" {
			show(t, r)
			t.Error(diff)
		}
	})
}

// TestRun_ProgressTokenIsOptional: a server that refuses requests without a progress token
// gets advice. A tool that reports an error may have any reason.
func TestRun_ProgressTokenIsOptional(t *testing.T) {
	for name, c := range map[string]struct {
		own  func(http.ResponseWriter, message)
		want map[string]verdict.Outcome
	}{
		"refused": {func(w http.ResponseWriter, m message) { refuse(w, m, 400, -32602, "") },
			map[string]verdict.Outcome{"no-progress-token": verdict.Advisory}},
		"tool error": {func(w http.ResponseWriter, m message) {
			answer(w, m, `{"resultType":"complete","isError":true,"content":[{"type":"text",`+
				`"text":"not twice"}]}`)
		}, map[string]verdict.Outcome{}},
	} {
		parallel(t, name, func(t *testing.T) {
			clock := newClock()
			r := checked(t, clock, odd(fakeServer{now: clock.Now},
				func(w http.ResponseWriter, _ *http.Request, m message) bool {
					without := m.Method == "tools/call" && len(m.Params.Meta) == 3 &&
						m.Params.Meta["progressToken"] == nil
					if without {
						c.own(w, m)
					}
					return without
				}))
			if diff := cmp.Diff(c.want, remarks(r)); diff != "" {
				show(t, r)
				t.Error(diff)
			}
		})
	}
}

// TestRun_StateOfAnotherCall: a server with a counter as the state keeps the
// answers that belong to it. One that was flipped may be that of another call:
// it was issued.
func TestRun_StateOfAnotherCall(t *testing.T) {
	parallel(t, "counter", func(t *testing.T) {
		clock := newClock()
		var mu sync.Mutex
		kept := map[string]claims{}
		counter := style{
			seal: func(c claims) string {
				mu.Lock()
				defer mu.Unlock()
				state := fmt.Sprintf("n-%d", 5000-len(kept)) // one more is the call before
				kept[state] = c
				return state
			},
			open: func(state string) (claims, bool) {
				mu.Lock()
				defer mu.Unlock()
				c, ok := kept[state]
				return c, ok
			},
		}
		r := checked(t, clock, fakeServer{now: clock.Now, style: counter})
		p := result(t, r, "flip-state")
		if p.Verdict != verdict.Advisory || !strings.Contains(p.Text, "had issued to another call") {
			t.Errorf("%s: %s", p.Verdict, p.Text)
		}
		if r.Verdict().Counts().Failed > 0 {
			show(t, r)
			t.Error("a violation")
		}
	})
	parallel(t, "plain", func(t *testing.T) {
		clock := newClock()
		n := 0
		var mu sync.Mutex
		plain := style{
			seal: func(c claims) string {
				mu.Lock()
				defer mu.Unlock()
				n++
				return fmt.Sprintf("%d %d n%d", c.Exp, c.Amount, n)
			},
			open: func(state string) (c claims, ok bool) {
				var n int
				_, err := fmt.Sscanf(state, "%d %d n%d", &c.Exp, &c.Amount, &n)
				c.Who = alice
				return c, err == nil
			},
		}
		r := checked(t, clock, fakeServer{now: clock.Now, style: plain})
		if p := result(t, r, "flip-state"); p.Verdict != verdict.Failed {
			t.Errorf("%s: %s", p.Verdict, p.Text)
		}
	})
}

// TestRun_RejectedInAnotherWay: a request that was rejected was not "not rejected",
// and a body that is broken is named.
func TestRun_RejectedInAnotherWay(t *testing.T) {
	for body, want := range map[string]string{
		"no such task": "The response must be another error (-32602). The server answered with HTTP status " +
			"404 " +
			"and no JSON-RPC error.",
		"":          "HTTP status 404 and no body.",
		`{"error":`: "HTTP status 404 and a body that is not valid JSON.",
	} {
		parallel(t, body, func(t *testing.T) {
			clock := newClock()
			r := checked(t, clock, odd(fakeServer{now: clock.Now, jobs: &jobs{}},
				func(w http.ResponseWriter, _ *http.Request, m message) bool {
					unknown := m.Params.TaskID == "no-such-task"
					if unknown {
						w.Header().Set("Content-Type", "application/json")
						if body == "no such task" {
							w.Header().Set("Content-Type", "text/plain")
						}
						w.WriteHeader(http.StatusNotFound)
						fmt.Fprint(w, body)
					}
					return unknown
				}), "job")
			if p := result(t, r, "task-unknown-id"); p.Verdict != verdict.Failed || !strings.Contains(p.Text,
				want) {
				t.Errorf("%s: %s", p.Verdict, p.Text)
			}
		})
	}
}

// TestRun_PlaceholdersAreNotAlwaysBlamed: a server that refuses a retry for another
// reason has not looked at its answers.
func TestRun_PlaceholdersAreNotAlwaysBlamed(t *testing.T) {
	for status, blamed := range map[int]bool{
		401: false, 403: false, 404: false, 413: false, 429: false, 500: false, 503: false,
		400: true, 422: true,
	} {
		parallel(t, fmt.Sprint(status), func(t *testing.T) {
			clock := newClock()
			m := inMemory(t, odd(fakeServer{now: clock.Now},
				func(w http.ResponseWriter, _ *http.Request, m message) bool {
					retry := m.Params.InputResponses != nil
					if retry {
						refuse(w, m, status, -32600, "")
					}
					return retry
				}))
			plan := planOf(m.url() + "/mcp")
			plan.Answers = nil
			r := checkOf(t, checkConfig(t, clock, run.NewMemory(), m), plan)
			if got := strings.Contains(r.Detail, "looks like a placeholder"); got != blamed ||
				r.Verdict().OK() {
				t.Errorf("%s: %s", r.Status, r.Detail)
			}
			if blamed && !strings.Contains(r.Detail, `error -32600: no. The answer to "who"`) {
				t.Error(r.Detail)
			}
			for _, p := range r.Results {
				if !blamed && strings.Contains(p.Text, "placeholder") {
					t.Errorf("%s: %s", p.ID, p.Text)
				}
			}
		})
	}
}
