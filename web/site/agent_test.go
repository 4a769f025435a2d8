package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// toolResult is what a call of a tool for agents returned.
type toolResult struct {
	State      string                    `json:"requestState"`
	Questions  map[string]map[string]any `json:"inputRequests"`
	Structured json.RawMessage           `json:"structuredContent"`
	IsError    bool                      `json:"isError"`
	Content    []struct{ Text string }   `json:"content"`
	Messages   []struct {
		Content struct{ Text string } `json:"content"`
	} `json:"messages"`
	Resources []struct{ URI string }
	Contents  []struct{ Text string }
	Problem   string `json:"-"` // message of a JSON-RPC error
	Code      int    `json:"-"` // status
}

// words returns the texts of a result.
func (c toolResult) words() string {
	var b strings.Builder
	for _, x := range c.Content {
		b.WriteString(x.Text)
	}
	for _, x := range c.Messages {
		b.WriteString(x.Content.Text)
	}
	return b.String() + c.Problem
}

// read parses the structured content into v.
func (c toolResult) read(t *testing.T, v any) {
	t.Helper()
	if c.Structured == nil {
		t.Fatalf("no structured content: %+v", c)
	}
	check(t, json.Unmarshal(c.Structured, v))
}

// agent is a client of the server for agents that can be asked.
type agent struct {
	*testSite
	header []string
	mute   bool           // declares nothing
	can    map[string]any // what it declares; nil for forms
}

func (s *testSite) agent(header ...string) *agent { return &agent{testSite: s, header: header} }

// ask sends a request and returns its result.
func (a *agent) ask(method string, params map[string]any) toolResult {
	a.t.Helper()
	can := map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}
	switch {
	case a.mute:
		can = map[string]any{}
	case a.can != nil:
		can = a.can
	}
	got := a.sendTo(web.AgentPath, 1, method, params, can, a.header...)
	lines := strings.Split(strings.TrimSpace(got.body), "\n")
	var message struct {
		Result toolResult
		Error  struct{ Message string }
	}
	if got.status == http.StatusRequestEntityTooLarge { // no message was read
		return toolResult{Code: got.status, Problem: got.body}
	}
	last := strings.TrimPrefix(lines[len(lines)-1], "data: ")
	if err := json.Unmarshal([]byte(last), &message); err != nil {
		a.t.Fatalf("%d %s: %v\n%s", got.status, got.body, err, a.logs.String())
	}
	message.Result.Problem, message.Result.Code = message.Error.Message, got.status
	return message.Result
}

// call calls a tool, with the answers to what the last result asked.
func (a *agent) call(tool string, arguments map[string]any, last toolResult, answers ...any) toolResult {
	a.t.Helper()
	params := map[string]any{"name": tool, "arguments": arguments}
	if last.State != "" {
		params["requestState"] = last.State
	}
	if len(answers) > 0 {
		all := map[string]any{}
		for i := 0; i < len(answers); i += 2 {
			all[answers[i].(string)] = map[string]any{"action": "accept", "content": answers[i+1]}
		}
		params["inputResponses"] = all
	}
	return a.ask(playground.ToolsCall, params)
}

// resolving are the arguments of a call that asks twice.
func resolving() map[string]any {
	return map[string]any{
		"url": siteBase + "/mcp/azure-devops", "tool": "update_work_item",
		"arguments": map[string]any{"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"}},
	}
}

// resolved is resolving with the answer to the only question that it asks then.
func resolved() map[string]any {
	in := resolving()
	in["answers"] = map[string]any{"resolution": map[string]any{"resolution": "Fixed"}}
	return in
}

// checked returns the result of check_server, with an answer to whether the server may be
// tested.
func (a *agent) checked(arguments map[string]any, mine bool) toolResult {
	a.t.Helper()
	asked := a.call("check_server", arguments, toolResult{})
	return a.call("check_server", arguments, asked, "mine", map[string]any{"mine": mine})
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
	a := newSite(t, app.Local).agent()
	first := a.call("call_tool", resolving(), toolResult{})
	asked := fmt.Sprint(first.Questions["round-1-1"])
	if !strings.Contains(asked, "The server at 127.0.0.1:2322/mcp/azure-devops asks: Resolving Bug #4522") ||
		!strings.Contains(asked, "Duplicate") {
		t.Fatalf("%+v", first)
	}
	choice := map[string]any{"resolution": "Duplicate"}
	second := a.call("call_tool", resolving(), first, "round-1-1", choice)
	if again := a.call("call_tool", resolving(), first, "round-1-1", choice); len(again.Questions) != 1 ||
		fmt.Sprint(again.Questions) != fmt.Sprint(second.Questions) {
		t.Errorf("the same retry again: %+v", again)
	}
	third := a.call("call_tool", resolving(), second, "round-2-1", map[string]any{"duplicateOfId": 4301})
	var r agentResult
	third.read(t, &r)
	if r.Status != "complete" || len(r.Rounds) != 3 || len(r.Findings) != 0 ||
		!strings.Contains(string(third.Structured), "Bug #4522 resolved as Duplicate of Bug #4301.") {
		t.Errorf("%s", third.Structured)
	}
	a.page(strings.TrimPrefix(r.URL, siteBase)).has(t, `main[data-status="complete"]`)

	var read agentResult
	a.call("read_exchange", map[string]any{"id": r.Exchange, "round": 2}, toolResult{}).read(t, &read)
	if len(read.Rounds) != 1 || !strings.Contains(fmt.Sprint(read.Rounds), `"resolution":"Duplicate"`) {
		t.Errorf("%+v", read)
	}
	var given agentResult
	a.call("call_tool", resolved(), toolResult{}).read(t, &given)
	if given.Status != "complete" || len(given.Rounds) != 2 {
		t.Errorf("with an answer in advance: %+v", given)
	}
	a.noErrors()
}

// TestAgent_ChecksWhatMayBeTested: check_server asks first, and without a yes only the
// correct call is made.
func TestAgent_ChecksWhatMayBeTested(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table("no state"))
	t.Cleanup(server.Close)
	a := newSite(t, app.Local).agent()
	in := map[string]any{"url": server.URL, "tool": exercise.Tool}
	asked := a.call("check_server", in, toolResult{})
	place := strings.TrimPrefix(server.URL, "http://")
	if !strings.Contains(fmt.Sprint(asked.Questions["mine"]), "at "+place) ||
		asked.State == "" {
		t.Fatalf("%+v", asked)
	}
	var r, right, unasked agentResult
	a.checked(in, true).read(t, &r)
	standing := map[string]string{}
	for _, q := range r.Requirements {
		standing[q.ID] = q.Standing
	}
	if standing["remembers"] != "fail" || standing["two-questions"] != "pass" || r.Status != "complete" {
		t.Errorf("%+v", r)
	}
	a.page(strings.TrimPrefix(r.URL, siteBase)).has(t, `.board`)
	a.checked(in, false).read(t, &right)
	if right.OK || right.Status != "stopped" || right.Requirements != nil ||
		!strings.Contains(right.Note, "Only the correct call was made") {
		t.Errorf("not confirmed: %+v", right)
	}
	var given agentResult
	a.checked(map[string]any{"url": server.URL, "tool": exercise.Tool,
		"arguments": map[string]any{"restaurant": "Roma", "day": "Monday"}}, true).read(t, &given)
	if given.Requirements != nil || !strings.Contains(given.Note, "were not judged") {
		t.Errorf("with other arguments: %+v", given)
	}
	mute := a.testSite.agent()
	mute.mute = true
	mute.call("check_server", in, toolResult{}).read(t, &unasked)
	if unasked.OK || !strings.Contains(unasked.Note, "does not declare form elicitation") {
		t.Errorf("a client that cannot be asked: %+v", unasked)
	}
	if other := a.call("check_server", map[string]any{"url": server.URL, "tool": "x"}, asked, "mine",
		map[string]any{"mine": true}); !strings.Contains(other.words(), "requestState") {
		t.Errorf("a yes for another call: %+v", other)
	}
	a.noErrors()
}

// TestAgent_MendPrompt: the prompt carries the report of a check, which is asked for first,
// and a refusal is an error in words.
func TestAgent_MendPrompt(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table("no state"))
	t.Cleanup(server.Close)
	a := newSite(t, app.Local).agent()
	params := map[string]any{
		"name": "mend", "arguments": map[string]any{"url": server.URL, "tool": exercise.Tool},
	}
	params["requestState"] = a.ask(playground.PromptsGet, params).State
	mend := func(answer any) toolResult {
		params["inputResponses"] = map[string]any{"mine": answer}
		return a.ask(playground.PromptsGet, params)
	}
	got := mend(map[string]any{"action": "decline"})
	if !strings.Contains(got.Problem, "the user declined") {
		t.Errorf("declined: %+v", got)
	}
	got = mend(accepted(map[string]any{"mine": false}))
	if words := got.words(); !strings.HasPrefix(words, "Mend the MCP server") ||
		!strings.Contains(words, "Only the correct call was made") {
		t.Errorf("%+v", got)
	}
	a.noErrors()
}
