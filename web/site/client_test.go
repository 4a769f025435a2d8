package site_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// capture is an address in front of a server, and a client that talks to it.
type capture struct {
	*testSite
	page string // path
	path string // of the address
	next int    // JSON-RPC id
}

// capture makes an address in front of a sample, or of one of the user's servers.
func (s *testSite) capture(server, query string) *capture {
	s.t.Helper()
	made := s.post("/clients", url.Values{"server": {server}, "query": {query}}.Encode())
	if made.status != http.StatusSeeOther {
		s.t.Fatalf("%d %s", made.status, excerpt(made.body))
	}
	c := &capture{testSite: s, page: s.last}
	address := s.get(c.page).html().Texts("[data-address]")
	if len(address) != 1 {
		s.t.Fatal("no address")
	}
	u, err := url.Parse(address[0])
	check(s.t, err)
	c.path = u.Path
	return c
}

// send sends a message as a client of MCP 2026-07-28 does.
func (c *capture) send(method string, params map[string]any, header ...string) answer {
	c.t.Helper()
	c.next++
	return c.sendTo(c.path, c.next, method, params, map[string]any{
		"elicitation": map[string]any{"form": map[string]any{}},
		"extensions":  map[string]any{"io.modelcontextprotocol/tasks": map[string]any{}},
	}, header...)
}

// sendTo sends a message of MCP 2026-07-28 to a path, from a client with these
// capabilities.
func (s *testSite) sendTo(path string, id int, method string, params, capabilities map[string]any,
	header ...string) answer {
	s.t.Helper()
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    wire.ProtocolVersion,
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "tester", "version": "3"},
		"io.modelcontextprotocol/clientCapabilities": capabilities,
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method,
		"params": params})
	check(s.t, err)
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {wire.ProtocolVersion}, "Mcp-Method": {method},
	}
	if name, ok := params[wire.NameMember(method)].(string); ok {
		h.Set("Mcp-Name", name)
	}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return s.do(http.MethodPost, path, string(body), h)
}

// resolve calls the tool of the sample Azure DevOps, with what a retry adds.
func (c *capture) resolve(state string, answers map[string]any, header ...string) answer {
	c.t.Helper()
	params := map[string]any{"name": "update_work_item", "arguments": map[string]any{
		"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
	}}
	if answers != nil {
		params["inputResponses"] = answers
	}
	if state != "" {
		params["requestState"] = state
	}
	return c.send(playground.ToolsCall, params, header...)
}

func accept(key, field string, value any) map[string]any {
	return map[string]any{key: map[string]any{"action": "accept", "content": map[string]any{field: value}}}
}

// stateIn returns the requestState of a result.
func stateIn(t *testing.T, a answer) string {
	t.Helper()
	var message struct {
		Result struct {
			RequestState string `json:"requestState"`
		} `json:"result"`
	}
	check(t, json.Unmarshal([]byte(a.body), &message))
	if message.Result.RequestState == "" {
		t.Fatalf("no requestState in %s", a.body)
	}
	return message.Result.RequestState
}

// recorded returns what the capture has recorded.
func (c *capture) recorded() (session.Session, []playground.Event) {
	c.t.Helper()
	id := strings.TrimPrefix(c.page, "/clients/")
	n, err := c.store.Session(c.t.Context(), "local", id)
	check(c.t, err)
	log, err := c.store.CaptureEvents(c.t.Context(), id)
	check(c.t, err)
	return n, log
}

func TestCapture_JoinsTheRoundsOfACall(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("azure-devops", "")
	c.send(playground.Discover, map[string]any{})
	c.send(playground.ToolsList, map[string]any{})
	c.resolve("", nil)
	second := c.resolve("", accept("resolution", "resolution", "Duplicate"))
	third := c.resolve(stateIn(t, second), accept("duplicate_of", "duplicateOfId", 4301))
	third.contains(t, "Bug #4522 resolved as Duplicate of Bug #4301.")

	page := c.get(c.page)
	page.has(t, `main[data-requests="5"]`, `h1 "tester 3"`, `[data-call]`,
		`.client-words "No violation by this client in 5 requests."`, `td[data-side="client"] .outcome-pass`)
	n, log := c.recorded()
	if len(n.Exchanges) != 1 || len(playground.Connections(log)) != 2 || n.Kind != session.KindCapture {
		t.Fatalf("%d exchanges, %d other requests, kind %s", len(n.Exchanges),
			len(playground.Connections(log)),
			n.Kind)
	}
	x := n.Exchanges[0]
	f := x.Fold()
	if len(f.Rounds) != 3 || f.Status != playground.StatusComplete || !f.Foreign() ||
		f.Rounds[1].Decision.Join != playground.JoinCertain ||
		f.Rounds[2].Decision.Join != playground.JoinCertain {
		t.Errorf("%d rounds, %s, %v", len(f.Rounds), f.Status, f.Rounds)
	}
	if len(x.Call.Tool) == 0 {
		t.Error("the tool is not known although the client listed it")
	}
	whole := c.get("/x/" + x.ID)
	whole.has(t, `main[data-status="complete"]`, `[data-round="3"][data-outcome="complete"]`,
		fmt.Sprintf(`a[href="%s"]`, c.page))
	whole.hasNot(t, `form[data-form="answers"]`, `[data-do="send"]`, `form[action$="/rerun"]`)
	c.get("/x/"+x.ID+"?round=2").has(t, `.note.client`)
	// the copy serves as any other
	c.get("/x/"+x.ID+".md").contains(t, "4301")
	c.get("/sessions/"+n.ID+"/share").has(t, `form`)
	c.noErrors()
}

func TestCapture_WaitsForItsClient(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("azure-devops", "")
	c.resolve("", nil)
	n, _ := c.recorded()
	id := n.Exchanges[0].ID
	c.get("/x/"+id).has(t, `main[data-status="waiting"]`, `[data-waits]`,
		`.status "◐ waiting for the client"`)
	if a := c.post("/x/"+id+"/rounds",
		"round=1&a0.action=accept&a0.f0=Fixed"); a.status != http.StatusConflict {
		t.Errorf("an answer of ours: %d %s", a.status, excerpt(a.body))
	}
	if got := c.calls.Load(); got != 1 {
		t.Errorf("%d calls reached the sample", got)
	}
}

func TestCapture_NamesWhatTheClientDoesWrong(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct {
		rule string
		do   func(t *testing.T, c *capture)
	}{
		"state altered": {"C2", func(t *testing.T, c *capture) {
			c.resolve("", nil)
			state := stateIn(t, c.resolve("", accept("resolution", "resolution", "Duplicate")))
			c.resolve(strings.Replace(state, "sealed.", "sealed.0", 1), accept("duplicate_of",
				"duplicateOfId",
				4301))
		}},
		"no version in _meta": {"client-meta", func(_ *testing.T, c *capture) {
			c.do(http.MethodPost, c.path, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`,
				http.Header{
					"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
					"Mcp-Protocol-Version": {wire.ProtocolVersion}, "Mcp-Method": {"tools/list"},
				})
		}},
		"wrong Mcp-Name": {"client-headers", func(_ *testing.T, c *capture) {
			c.resolve("", nil, "Mcp-Name", "another")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newSite(t, app.Local).capture("azure-devops", "")
			f.do(t, c)
			failed := c.get(c.page).html().Values(`[data-side="client"] [data-verdict="fail"]`, "data-rule")
			if !slices.Equal(failed, []string{f.rule}) {
				t.Errorf("failed %v, want %s", failed, f.rule)
			}
		})
	}
}

// TestCapture_ClientsStayApart: calls at once, with states and keys of each other.
func TestCapture_ClientsStayApart(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("azure-devops", "")
	var wg sync.WaitGroup
	for i := range 4 {
		one := &capture{testSite: c.testSite, path: c.path, next: 1000 * i}
		wg.Go(func() {
			call := func(state string, answers map[string]any) answer {
				params := map[string]any{"name": "update_work_item", "arguments": map[string]any{
					"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved",
						"System.Title": fmt.Sprint("Title ", i)},
				}}
				if answers != nil {
					params["inputResponses"] = answers
				}
				if state != "" {
					params["requestState"] = state
				}
				return one.send(playground.ToolsCall, params)
			}
			call("", nil)
			second := call("", accept("resolution", "resolution", "Duplicate"))
			call(stateIn(t, second), accept("duplicate_of", "duplicateOfId", 4301))
		})
	}
	wg.Wait()
	n, _ := c.recorded()
	if len(n.Exchanges) != 4 {
		t.Errorf("%d exchanges", len(n.Exchanges))
	}
	for _, x := range n.Exchanges {
		f := x.Fold()
		want := string(x.Call.Params)
		for _, r := range f.Rounds {
			if got, _ := json.Marshal(json.RawMessage(r.Sent.At("params",
				"arguments").Raw())); !strings.Contains(want, string(got)) {
				t.Errorf("round %d of %s has %s", r.N, want, got)
			}
		}
		if len(f.Rounds) != 3 || f.Status != playground.StatusComplete {
			t.Errorf("%d rounds, %s", len(f.Rounds), f.Status)
		}
	}
}

// TestCapture_LegacySession drives the client of the official Go SDK through a session of
// an earlier revision.
func TestCapture_LegacySession(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("before-mrtr", "")
	asked := 0
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
	})
	conn, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: c.url + c.path}, nil)
	check(t, err)
	tools, err := conn.ListTools(t.Context(), nil)
	check(t, err)
	if len(tools.Tools) == 0 {
		t.Fatal("no tools")
	}
	_, err = conn.CallTool(t.Context(), &mcp.CallToolParams{Name: "update_work_item",
		Arguments: map[string]any{
			"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
		}})
	check(t, err)
	check(t, conn.Close())
	if asked == 0 {
		t.Error("nothing was asked")
	}
	page := c.get(c.page)
	page.hasNot(t, `[data-side="client"] [data-verdict="fail"]`, `[data-side="server"] [data-verdict="fail"]`)
	n, log := c.recorded()
	if len(n.Exchanges) != 0 || len(playground.Connections(log)) < 4 {
		t.Errorf("%d exchanges, %d requests", len(n.Exchanges), len(playground.Connections(log)))
	}
}

// TestCapture_LegacyClientInTheClientTest: the page says what the client test needs.
func TestCapture_LegacyClientInTheClientTest(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("client-test", "")
	c.do(http.MethodPost, c.path, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{`+
		`"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`,
		http.Header{"Content-Type": {"application/json"}})
	c.get(c.page).contains(t, "The client test needs a client of revision 2026-07-28.")
}

// TestCapture_FailedScenarios: what only the client test sees counts in the headline of the
// page, and no row of its calls says passed where a scenario failed.
func TestCapture_FailedScenarios(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("client-test", "")
	call := func(tool, model string) {
		params := map[string]any{"name": tool, "arguments": map[string]any{}}
		capabilities := map[string]any{"sampling": map[string]any{"tools": map[string]any{}}}
		c.next++
		first := c.sendTo(c.path, c.next, playground.ToolsCall, params, capabilities)
		answers := answersTo(t, first)
		for key := range answers {
			answers[key] = map[string]any{"role": "assistant", "model": "small",
				"content": map[string]any{"type": "text", "text": model}}
		}
		params["requestState"], params["inputResponses"] = stateIn(t, first), answers
		c.next++
		c.sendTo(c.path, c.next, playground.ToolsCall, params, capabilities)
	}
	call("sampling_short", strings.Repeat("five ", 500))
	call("sampling_tool_required", "five")
	call("sampling_tool_none", "five")
	page := c.get(c.page)
	page.has(t, `.client-words "This client fails 2 checks in 6 requests"`)
	page.hasNot(t, `.client-words.good`, `[data-side="client"] .client-findings [data-verdict="fail"]`)
	rows := page.html().Texts(`td[data-side="client"] .outcome`)
	if want := []string{"✓ passed", "✕ 1 failed", "✕ 1 failed"}; !slices.Equal(rows, want) {
		t.Errorf("calls: %q, want %q", rows, want)
	}
}

func TestCapture_PageIsLive(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("azure-devops", "")
	page := c.get(c.page)
	page.has(t, `main[data-live]`, `details#snippets[open]`, `noscript meta[http-equiv="refresh"]`)
	events := htmltest.Parse(page.body).Values("main[data-live]", "data-live")[0]
	done := make(chan answer)
	go func() { done <- c.get(events) }()
	c.resolve("", nil)
	if got := <-done; !strings.Contains(got.body, "event: changed") {
		t.Errorf("%q", got.body)
	}
}

// TestCapture_EmptySession: the pages of any session work for a capture without calls.
func TestCapture_EmptySession(t *testing.T) {
	t.Parallel()
	c := newSite(t, app.Local).capture("azure-devops", "")
	id := strings.TrimPrefix(c.page, "/clients/")
	for _, path := range []string{
		"/history", "/sessions/" + id, "/sessions/" + id + "/share", "/search?q=azure", "/clients",
	} {
		if got := c.get(path); got.status != http.StatusOK && got.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, got.status, excerpt(got.body))
		}
	}
	c.get("/history").has(t, `a[href="`+c.page+`"]`)
	if got := c.post("/sessions/"+id+"/delete", ""); got.status != http.StatusSeeOther {
		t.Errorf("deleted: %d", got.status)
	}
	if got := c.get(c.page); got.status != http.StatusNotFound {
		t.Errorf("after it was deleted: %d", got.status)
	}
	c.noErrors()
}
