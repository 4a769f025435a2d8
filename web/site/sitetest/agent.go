package sitetest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Token makes a token on the page of settings.
func (s *Site) Token() string {
	s.T.Helper()
	page := s.Follow("/settings/tokens", url.Values{"title": {"laptop"}, "expires": {"7d"}})
	if made := page.HTML().Texts("#agent-token"); page.Status == http.StatusCreated && len(made) == 1 {
		return made[0]
	}
	s.T.Fatalf("no token: %d %s", page.Status, Excerpt(page.Body))
	return ""
}

// ToolResult is the result of a call of a tool for agents.
type ToolResult struct {
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

// Words returns the texts of a result.
func (c ToolResult) Words() string {
	var b strings.Builder
	for _, x := range c.Content {
		b.WriteString(x.Text)
	}
	for _, x := range c.Messages {
		b.WriteString(x.Content.Text)
	}
	return b.String() + c.Problem
}

// Read parses the structured content into v.
func (c ToolResult) Read(t *testing.T, v any) {
	t.Helper()
	if c.Structured == nil {
		t.Fatalf("no structured content: %+v", c)
	}
	Check(t, json.Unmarshal(c.Structured, v))
}

// Agent is a client of the server for agents that can be asked.
type Agent struct {
	*Site
	Header []string
	Mute   bool           // declares nothing
	Can    map[string]any // declared capabilities; nil for forms
}

// Agent returns a client of the server for agents that sends these headers: names and
// values in turn.
func (s *Site) Agent(header ...string) *Agent { return &Agent{Site: s, Header: header} }

// Ask sends a request and returns its result.
func (a *Agent) Ask(method string, params map[string]any) ToolResult {
	a.T.Helper()
	can := map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}
	switch {
	case a.Mute:
		can = map[string]any{}
	case a.Can != nil:
		can = a.Can
	}
	got := a.SendTo(web.AgentPath, 1, method, params, can, a.Header...)
	lines := strings.Split(strings.TrimSpace(got.Body), "\n")
	var message struct {
		Result ToolResult
		Error  struct{ Message string }
	}
	if got.Status == http.StatusRequestEntityTooLarge { // no message was read
		return ToolResult{Code: got.Status, Problem: got.Body}
	}
	last := strings.TrimPrefix(lines[len(lines)-1], "data: ")
	if err := json.Unmarshal([]byte(last), &message); err != nil {
		a.T.Fatalf("%d %s: %v\n%s", got.Status, got.Body, err, a.Logs.String())
	}
	message.Result.Problem, message.Result.Code = message.Error.Message, got.Status
	return message.Result
}

// Call calls a tool, with the answers to the questions of the last result.
func (a *Agent) Call(tool string, arguments map[string]any, last ToolResult, answers ...any) ToolResult {
	a.T.Helper()
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
	return a.Ask(playground.ToolsCall, params)
}

// Resolving returns the arguments of a call that asks twice.
func Resolving() map[string]any {
	return map[string]any{
		"url": Base + "/mcp/azure-devops", "tool": "update_work_item",
		"arguments": map[string]any{"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"}},
	}
}

// Resolved returns those of Resolving with the answer to the only question that it asks then.
func Resolved() map[string]any {
	in := Resolving()
	in["answers"] = map[string]any{"resolution": map[string]any{"resolution": "Fixed"}}
	return in
}
