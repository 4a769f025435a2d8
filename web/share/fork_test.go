package share_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// newAsker serves one tool that asks a question without a requestState. It
// counts the calls.
func newAsker(t *testing.T) (calls *atomic.Int32, address string) {
	calls = new(atomic.Int32)
	address = mcptest.Start(t, mcptest.Tools(func(m mcptest.Message, _ *http.Request) mcptest.Answer {
		calls.Add(1)
		if m.Params.InputResponses == nil {
			return mcptest.Ask(`"q":{"method":"elicitation/create","params":{"mode":"form",`+
				`"message":"Go on?","requestedSchema":{"type":"object",`+
				`"properties":{"a":{"type":"string"}}}}}`, "")
		}
		return mcptest.Text("went on")
	}, "ask"))
	return calls, address
}

// fork shares the newest session and forks the link. It returns the reader's page
// and the address of the fork.
func fork(s *sitetest.Site, choices string) (reader sitetest.Answer, path string) {
	s.T.Helper()
	token := s.Share(choices)
	reader = s.Get("/s/" + token)
	got := s.Post("/s/"+token+"/fork", "")
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("fork: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	return reader, got.Header.Get("Location")
}

// answerOf sends the form of a waiting call with its defaults.
func answerOf(s *sitetest.Site, path string) sitetest.Answer {
	s.T.Helper()
	form := url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}}
	return s.Post(path+"/rounds", form.Encode())
}

func TestFork_OfAForeignServerGoesOn(t *testing.T) {
	t.Parallel()
	calls, address := newAsker(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address+"/mcp", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")}, "tool": {"ask"}})
	original := s.Last
	reader, path := fork(s, "")
	reader.Has(t, `"A fork continues with the server at `+address+`/mcp"`)
	s.Get(path).Has(t, `[data-status="waiting"]`, `[data-form="answers"]`)
	before := calls.Load()
	answerOf(s, path)
	id := strings.TrimPrefix(path, "/x/")
	s.Runner.Wait(t.Context(), id)
	x, err := s.Store.Exchange(t.Context(), "local", id)
	sitetest.Check(t, err)
	if got := x.Fold().Status; got != playground.StatusComplete || calls.Load() != before+1 {
		t.Errorf("the fork is %s after %d calls", got, calls.Load()-before)
	}
	s.Get(original).Has(t, `[data-status="waiting"]`)
}

// TestFork_OfARedactedURLSendsNothing: a fork without the whole URL of its server
// says so and sends nothing.
func TestFork_OfARedactedURLSendsNothing(t *testing.T) {
	t.Parallel()
	calls, address := newAsker(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address+"/s/8f8d97a1-2b44-4ec7-98f3-5d7e6b1a2c3d/mcp", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")}, "tool": {"ask"}})
	reader, path := fork(s, "")
	reader.Has(t, `"A part of the server's URL is redacted."`)
	s.Get(path).Has(t, "[data-redacted]")
	before := calls.Load()
	for name, got := range map[string]sitetest.Answer{
		"answer": answerOf(s, path), "run again": s.Post(path+"/rerun", ""),
	} {
		if got.Status != http.StatusUnprocessableEntity ||
			!got.HTML().Has(`[data-error="redacted_url"]`) {
			t.Errorf("%s: %d %s", name, got.Status, sitetest.Codes(got.Body))
		}
	}
	if n := calls.Load() - before; n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestFork_OfATaskAndASample(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, sample := range []string{"tasks", "azure-devops", "before-mrtr"} {
		s.StartOf(sample)
		reader, path := fork(s, "")
		reader.HasNot(t, "[data-fork-needs]")
		page := s.Get(path)
		if page.Status != http.StatusOK || !page.HTML().Has("[data-imported]") {
			t.Errorf("%s: %d", sample, page.Status)
		}
	}
}

// TestFork_OfARedactedStateSaysSo: if the answers are redacted, the state of a
// sample is too, and a fork cannot continue from it.
func TestFork_OfARedactedStateSaysSo(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.StartOf("azure-devops")
	s.Post(path+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"},
		"a0.f0": {"Duplicate"}}.Encode())
	s.Get(path).Has(t, `[data-newest="2"]`)
	reader, _ := fork(s, "leave=answers")
	reader.Has(t, `"The requestState of the last round is redacted"`)
}
