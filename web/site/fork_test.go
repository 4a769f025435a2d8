package site_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// newAsker serves one tool that asks a question without a requestState. It
// counts the calls.
func newAsker(t *testing.T) (calls *atomic.Int32, address string) {
	calls = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ InputResponses map[string]any }
		}
		_ = json.Unmarshal(body, &m)
		result := map[string]any{"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
		switch {
		case m.Method == "server/discover":
			result["supportedVersions"] = []string{"2026-07-28"}
			result["capabilities"] = map[string]any{"tools": map[string]any{}}
		case m.Method == "tools/list":
			result["tools"] = []any{map[string]any{"name": "ask",
				"inputSchema": map[string]any{"type": "object"}}}
		case m.Params.InputResponses == nil:
			calls.Add(1)
			question := map[string]any{"method": "elicitation/create", "params": map[string]any{
				"mode": "form", "message": "Go on?", "requestedSchema": map[string]any{"type": "object",
					"properties": map[string]any{"a": map[string]any{"type": "string"}}}}}
			result = map[string]any{"resultType": "input_required",
				"inputRequests": map[string]any{"q": question}}
		default:
			calls.Add(1)
			result = map[string]any{"resultType": "complete",
				"content": []any{map[string]any{"type": "text", "text": "went on"}}}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	}))
	t.Cleanup(server.Close)
	return calls, server.URL
}

// fork shares the newest session and forks the link. It returns the reader's page
// and the address of the fork.
func (s *testSite) fork(choices string) (reader answer, path string) {
	s.t.Helper()
	token := s.share(choices)
	reader = s.get("/s/" + token)
	got := s.post("/s/"+token+"/fork", "")
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("fork: %d %s", got.status, excerpt(got.body))
	}
	return reader, got.header.Get("Location")
}

// answerOf sends the form of a waiting call with its defaults.
func (s *testSite) answerOf(path string) answer {
	s.t.Helper()
	form := url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}}
	return s.post(path+"/rounds", form.Encode())
}

func TestFork_OfAForeignServerGoesOn(t *testing.T) {
	t.Parallel()
	calls, address := newAsker(t)
	s := newSite(t, app.Local)
	s.connectTo(address+"/mcp", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"ask"}})
	original := s.last
	reader, path := s.fork("")
	reader.has(t, `"A fork continues with the server at `+address+`/mcp"`)
	s.get(path).has(t, `[data-status="waiting"]`, `[data-form="answers"]`)
	before := calls.Load()
	s.answerOf(path)
	id := strings.TrimPrefix(path, "/x/")
	s.runner.Wait(t.Context(), id)
	x, err := s.store.Exchange(t.Context(), "local", id)
	check(t, err)
	if got := x.Fold().Status; got != playground.StatusComplete || calls.Load() != before+1 {
		t.Errorf("the fork is %s after %d calls", got, calls.Load()-before)
	}
	s.get(original).has(t, `[data-status="waiting"]`)
}

// TestFork_OfARedactedURLSendsNothing: a fork without the whole URL of its server
// says so and sends nothing.
func TestFork_OfARedactedURLSendsNothing(t *testing.T) {
	t.Parallel()
	calls, address := newAsker(t)
	s := newSite(t, app.Local)
	s.connectTo(address+"/s/8f8d97a1-2b44-4ec7-98f3-5d7e6b1a2c3d/mcp", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"ask"}})
	reader, path := s.fork("")
	reader.has(t, `"A part of the server's URL is redacted."`)
	s.get(path).has(t, "[data-redacted]")
	before := calls.Load()
	for name, got := range map[string]answer{
		"answer": s.answerOf(path), "run again": s.post(path+"/rerun", ""),
	} {
		if got.status != http.StatusUnprocessableEntity ||
			!got.html().Has(`[data-error="redacted_url"]`) {
			t.Errorf("%s: %d %s", name, got.status, codes(got.body))
		}
	}
	if n := calls.Load() - before; n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestFork_OfATaskAndASample(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, sample := range []string{"tasks", "azure-devops", "before-mrtr"} {
		s.startOf(sample)
		reader, path := s.fork("")
		reader.hasNot(t, "[data-fork-needs]")
		page := s.get(path)
		if page.status != http.StatusOK || !page.html().Has("[data-imported]") {
			t.Errorf("%s: %d", sample, page.status)
		}
	}
}

// TestFork_OfARedactedStateSaysSo: if the answers are redacted, the state of a
// sample is too, and a fork cannot continue from it.
func TestFork_OfARedactedStateSaysSo(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	path := s.startOf("azure-devops")
	s.post(path+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
		"a0.f0": {"Duplicate"}}.Encode())
	s.get(path).has(t, `[data-newest="2"]`)
	reader, _ := s.fork("leave=answers")
	reader.has(t, `"The requestState of the last round is redacted"`)
}
