package agent_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// checked returns the result of check_server, with an answer to whether the server may be
// tested.
func checked(a *sitetest.Agent, arguments map[string]any, mine bool) sitetest.ToolResult {
	a.T.Helper()
	asked := a.Call("check_server", arguments, sitetest.ToolResult{})
	return a.Call("check_server", arguments, asked, "mine", map[string]any{"mine": mine})
}

// agentResult is what the structured contents of the tools have in common.
type agentResult struct {
	OK           bool
	Status       string
	URL          string
	Expires      string
	Note         string
	Exchange     string
	Rounds       []any
	Findings     []struct{ ID, Exchange string }
	Requirements []struct{ ID, Standing string }
}

// TestAgent_QuestionsTravelThrough: the questions of the server under test are those of
// call_tool, each names the server, and a retry that comes twice changes nothing.
func TestAgent_QuestionsTravelThrough(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	first := a.Call("call_tool", sitetest.Resolving(), sitetest.ToolResult{})
	asked := fmt.Sprint(first.Questions["round-1-1"])
	if !strings.Contains(asked, "The server at 127.0.0.1:2322/mcp/azure-devops asks: Resolving Bug #4522") ||
		!strings.Contains(asked, "Duplicate") {
		t.Fatalf("%+v", first)
	}
	choice := map[string]any{"resolution": "Duplicate"}
	second := a.Call("call_tool", sitetest.Resolving(), first, "round-1-1", choice)
	if again := a.Call("call_tool", sitetest.Resolving(), first, "round-1-1",
		choice); len(again.Questions) != 1 ||
		fmt.Sprint(again.Questions) != fmt.Sprint(second.Questions) {
		t.Errorf("the same retry again: %+v", again)
	}
	third := a.Call("call_tool", sitetest.Resolving(), second, "round-2-1",
		map[string]any{"duplicateOfId": 4301})
	var r agentResult
	third.Read(t, &r)
	if r.Status != "complete" || len(r.Rounds) != 3 || len(r.Findings) != 0 ||
		!strings.Contains(string(third.Structured), "Bug #4522 resolved as Duplicate of Bug #4301.") {
		t.Errorf("%s", third.Structured)
	}
	a.Page(strings.TrimPrefix(r.URL, sitetest.Base)).Has(t, `main[data-status="complete"]`)

	var read agentResult
	a.Call("read_exchange", map[string]any{"id": r.Exchange, "round": 2}, sitetest.ToolResult{}).Read(t,
		&read)
	if len(read.Rounds) != 1 || !strings.Contains(fmt.Sprint(read.Rounds), `"resolution":"Duplicate"`) {
		t.Errorf("%+v", read)
	}
	var given agentResult
	a.Call("call_tool", sitetest.Resolved(), sitetest.ToolResult{}).Read(t, &given)
	if given.Status != "complete" || len(given.Rounds) != 2 {
		t.Errorf("with an answer in advance: %+v", given)
	}
	a.NoErrors()
}

// TestAgent_ChecksWhatMayBeTested: check_server asks first, and without a yes only the
// correct call is made.
func TestAgent_ChecksWhatMayBeTested(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table("no state"))
	t.Cleanup(server.Close)
	a := sitetest.New(t, app.Local).Agent()
	in := map[string]any{"url": server.URL, "tool": exercise.Tool}
	asked := a.Call("check_server", in, sitetest.ToolResult{})
	place := strings.TrimPrefix(server.URL, "http://")
	if !strings.Contains(fmt.Sprint(asked.Questions["mine"]), "at "+place) ||
		asked.State == "" {
		t.Fatalf("%+v", asked)
	}
	var r, right, unasked agentResult
	checked(a, in, true).Read(t, &r)
	standing := map[string]string{}
	for _, q := range r.Requirements {
		standing[q.ID] = q.Standing
	}
	if standing["remembers"] != "fail" || standing["two-questions"] != "pass" || r.Status != "complete" {
		t.Errorf("%+v", r)
	}
	a.Page(strings.TrimPrefix(r.URL, sitetest.Base)).Has(t, `.board`)
	checked(a, in, false).Read(t, &right)
	if right.OK || right.Status != "stopped" || right.Requirements != nil ||
		!strings.Contains(right.Note, "Only the correct call was made") {
		t.Errorf("not confirmed: %+v", right)
	}
	var given agentResult
	table := peers.Table("books when it cannot ask")
	unasking := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mute := strings.Replace(string(body), `"elicitation"`, `"none"`, 1)
		r.Body = io.NopCloser(strings.NewReader(mute)) // few experiments are for who does not ask
		table.ServeHTTP(w, r)
	}))
	t.Cleanup(unasking.Close)
	checked(a, map[string]any{"url": unasking.URL, "tool": exercise.Tool,
		"arguments": map[string]any{"restaurant": "Roma", "day": "Monday"}}, true).Read(t, &given)
	if given.Requirements != nil || !strings.Contains(given.Note, "were not judged") {
		t.Errorf("with other arguments: %+v", given)
	}
	mute := a.Site.Agent()
	mute.Mute = true
	mute.Call("check_server", in, sitetest.ToolResult{}).Read(t, &unasked)
	if unasked.OK || !strings.Contains(unasked.Note, "does not declare form elicitation") {
		t.Errorf("a client that cannot be asked: %+v", unasked)
	}
	if other := a.Call("check_server", map[string]any{"url": server.URL, "tool": "x"}, asked, "mine",
		map[string]any{"mine": true}); !strings.Contains(other.Words(), "requestState") {
		t.Errorf("a yes for another call: %+v", other)
	}
	a.NoErrors()
}

// TestAgent_MendPrompt: the prompt carries the report of a check, which is asked for first,
// and a refusal is an error in words.
func TestAgent_MendPrompt(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table("no state"))
	t.Cleanup(server.Close)
	a := sitetest.New(t, app.Local).Agent()
	params := map[string]any{
		"name": "mend", "arguments": map[string]any{"url": server.URL, "tool": exercise.Tool},
	}
	params["requestState"] = a.Ask(playground.PromptsGet, params).State
	mend := func(answer any) sitetest.ToolResult {
		params["inputResponses"] = map[string]any{"mine": answer}
		return a.Ask(playground.PromptsGet, params)
	}
	got := mend(map[string]any{"action": "decline"})
	if !strings.Contains(got.Problem, "the user declined") {
		t.Errorf("declined: %+v", got)
	}
	got = mend(accepted(map[string]any{"mine": false}))
	if words := got.Words(); !strings.HasPrefix(words, "Mend the MCP server") ||
		!strings.Contains(words, "Only the correct call was made") {
		t.Errorf("%+v", got)
	}
	a.NoErrors()
}
