package check_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestRun_RefusalOfTheRightRequest: a server that refuses a request which is
// right in every respect that its error names is reported for that, and for
// nothing else. It lists the tool as it was before, so that no header can be
// missing.
func TestRun_RefusalOfTheRightRequest(t *testing.T) {
	const elicits = `{"requiredCapabilities":{"elicitation":{"form":{}}}}`
	coded := func(code int, data string) func(http.ResponseWriter, message) {
		return func(w http.ResponseWriter, m message) { refuse(w, m, 400, code, data) }
	}
	plain := func(status int) func(http.ResponseWriter, message) {
		return func(w http.ResponseWriter, _ message) { http.Error(w, "no", status) }
	}
	for name, c := range map[string]struct {
		reply func(http.ResponseWriter, message)
		want  map[string]verdict.Outcome
		text  string
	}{
		"headers": {coded(-32020, ""), map[string]verdict.Outcome{
			"header-mismatch": verdict.Failed, "tool-name": verdict.Advisory, // it is listed again
		}, "Mcp-Name is \"=?base64?Z3LDvMOf?=\"; it must be decoded before it is compared."},
		"capabilities": {coded(-32021, elicits), map[string]verdict.Outcome{"error-data": verdict.Failed},
			"requires capabilities that the request declares"},
		"version": {coded(-32022, `{"supported":["2026-07-28"],"requested":"2026-07-28"}`),
			map[string]verdict.Outcome{"version-unknown": verdict.Failed}, "which it lists as supported"},
		"Content-Type": {plain(415), map[string]verdict.Outcome{"request-media": verdict.Advisory},
			"HTTP status 415, but the request has the Content-Type application/json"},
		"Accept": {plain(406), map[string]verdict.Outcome{"request-media": verdict.Advisory},
			"HTTP status 406, but the request accepts JSON and event streams"},
		"busy":    {plain(503), map[string]verdict.Outcome{}, ""},
		"no such": {coded(-32602, ""), map[string]verdict.Outcome{}, ""},
	} {
		parallel(t, name, func(t *testing.T) {
			clock := newClock()
			m := inMemory(t, odd(fakeServer{now: clock.Now},
				func(w http.ResponseWriter, r *http.Request, m message) bool {
					encoded := "=?base64?" + base64.StdEncoding.EncodeToString([]byte(m.Params.Name)) + "?="
					switch {
					case m.Method == "tools/list":
						answer(w, m, `{"resultType":"complete","ttlMs":0,`+
							`"cacheScope":"private",`+
							`"tools":[{"name":"grüß","inputSchema":{"type":"object"}}]}`)
					case m.Params.Name == "grüß" && r.Header.Get("Mcp-Name") == encoded:
						c.reply(w, m)
					default:
						return false
					}
					return true
				}))
			plan := planOf(m.url() + "/mcp")
			plan.Call = playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"grüß"}`),
				Tool: []byte(`{"name":"grüß","inputSchema":{"type":"object"}}`)}
			r := checkOf(t, checkConfig(t, clock, run.NewMemory(), m), plan)
			if diff := cmp.Diff(c.want, remarks(r)); diff != "" {
				show(t, r)
				t.Error(diff)
			}
			for _, f := range r.Findings {
				if f.Rule != "tool-name" && !strings.Contains(f.Text, c.text) {
					t.Error(f.Text)
				}
			}
		})
	}
}

// TestRun_ToolThatHasChanged: a call without a header that only the newest definition of its
// tool has is refused rightly.
func TestRun_ToolThatHasChanged(t *testing.T) {
	parallel(t, "changed", func(t *testing.T) {
		clock := newClock()
		m := inMemory(t, odd(fakeServer{now: clock.Now},
			func(w http.ResponseWriter, r *http.Request, m message) bool {
				switch {
				case m.Method == "tools/list":
					answer(w, m, `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+
						`"tools":[{"name":"other","inputSchema":{"type":"object","properties":{"env":`+
						`{"type":"string","x-mcp-header":"Env"}}}}]}`)
				case m.Params.Name == "other" && r.Header.Get("Mcp-Param-Env") == "":
					refuse(w, m, 400, -32020, "")
				default:
					return false
				}
				return true
			}))
		plan := planOf(m.url() + "/mcp")
		plan.RightOnly = true
		plan.Call = playground.Call{Method: playground.ToolsCall,
			Params: []byte(`{"name":"other","arguments":{"env":"prod"}}`),
			Tool:   []byte(`{"name":"other","inputSchema":{"type":"object"}}`)}
		r := checkOf(t, checkConfig(t, clock, run.NewMemory(), m), plan)
		for _, f := range r.Findings {
			if f.Rule == "header-mismatch" {
				t.Errorf("%s: %s", f.Verdict, f.Text)
			}
		}
		if !r.Worked {
			t.Error(r.Compared)
		}
	})
}

// TestRun_AWrongStatusCountsOnce: an error with the right code and a wrong status is a fault
// of the request that an experiment makes, and of no rule beside it.
func TestRun_AWrongStatusCountsOnce(t *testing.T) {
	parallel(t, "headers", func(t *testing.T) {
		clock := newClock()
		m := inMemory(t, odd(fakeServer{now: clock.Now},
			func(w http.ResponseWriter, r *http.Request, m message) bool {
				if r.Header.Get("Mcp-Name") != "something-else" {
					return false
				}
				refuse(w, m, 200, -32020, "")
				return true
			}))
		r := checkOf(t, checkConfig(t, clock, run.NewMemory(), m), planOf(m.url()+"/mcp"))
		want := map[string]verdict.Outcome{"wrong-name-header": verdict.Failed}
		if diff := cmp.Diff(want, remarks(r)); diff != "" {
			show(t, r)
			t.Error(diff)
		}
	})
}
