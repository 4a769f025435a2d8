package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// resolve calls the tool of the sample Azure DevOps, with the additions of a
// retry.
func resolve(c *sitetest.Capture, state string, answers map[string]any, header ...string) sitetest.Answer {
	c.T.Helper()
	params := map[string]any{"name": "update_work_item", "arguments": map[string]any{
		"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
	}}
	if answers != nil {
		params["inputResponses"] = answers
	}
	if state != "" {
		params["requestState"] = state
	}
	return c.Send(playground.ToolsCall, params, header...)
}

func accept(key, field string, value any) map[string]any {
	return map[string]any{key: map[string]any{"action": "accept", "content": map[string]any{field: value}}}
}

// stateIn returns the requestState of a result.
func stateIn(t *testing.T, a sitetest.Answer) string {
	t.Helper()
	var message struct {
		Result struct {
			RequestState string `json:"requestState"`
		} `json:"result"`
	}
	sitetest.Check(t, json.Unmarshal([]byte(a.Body), &message))
	if message.Result.RequestState == "" {
		t.Fatalf("no requestState in %s", a.Body)
	}
	return message.Result.RequestState
}

func TestCapture_JoinsTheRoundsOfACall(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("azure-devops", "")
	c.Send(playground.Discover, map[string]any{})
	c.Send(playground.ToolsList, map[string]any{})
	resolve(c, "", nil)
	second := resolve(c, "", accept("resolution", "resolution", "Duplicate"))
	third := resolve(c, stateIn(t, second), accept("duplicate_of", "duplicateOfId", 4301))
	third.Contains(t, "Bug #4522 resolved as Duplicate of Bug #4301.")

	page := c.Get(c.Page)
	page.Has(t, `main[data-requests="5"]`, `h1 "tester 3"`, `[data-call]`,
		`[data-headline="pass"] "No violation by this client in 5 requests."`,
		`td[data-side="client"] .outcome-pass`)
	n, log := c.Recorded()
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
	whole := c.Get("/x/" + x.ID)
	whole.Has(t, `main[data-status="complete"]`, `[data-round="3"][data-outcome="complete"]`,
		fmt.Sprintf(`a[href="%s"]`, c.Page))
	whole.HasNot(t, `form[data-form="answers"]`, `[data-do="send"]`, `form[action$="/rerun"]`)
	c.Get("/x/"+x.ID+"?round=2").Has(t, `.note.client`)
	// the copy serves as any other
	c.Get("/x/"+x.ID+".md").Contains(t, "4301")
	c.Get("/sessions/"+n.ID+"/share").Has(t, `form`)
	c.NoErrors()
}

func TestCapture_WaitsForItsClient(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("azure-devops", "")
	resolve(c, "", nil)
	n, _ := c.Recorded()
	id := n.Exchanges[0].ID
	c.Get("/x/"+id).Has(t, `main[data-status="waiting"]`, `[data-waits]`,
		`.status "◐ waiting for the client"`)
	if a := c.Post("/x/"+id+"/rounds",
		"round=1&a0.action=accept&a0.f0=Fixed"); a.Status != http.StatusConflict {
		t.Errorf("an answer of ours: %d %s", a.Status, sitetest.Excerpt(a.Body))
	}
	if got := c.Calls.Load(); got != 1 {
		t.Errorf("%d calls reached the sample", got)
	}
}

func TestCapture_NamesWhatTheClientDoesWrong(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct {
		rule string
		do   func(t *testing.T, c *sitetest.Capture)
	}{
		"state altered": {"C2", func(t *testing.T, c *sitetest.Capture) {
			resolve(c, "", nil)
			state := stateIn(t, resolve(c, "", accept("resolution", "resolution", "Duplicate")))
			resolve(c, strings.Replace(state, "sealed.", "sealed.0", 1), accept("duplicate_of",
				"duplicateOfId",
				4301))
		}},
		"no version in _meta": {"client-meta", func(_ *testing.T, c *sitetest.Capture) {
			c.Do(http.MethodPost, c.Path, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`,
				http.Header{
					"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
					"Mcp-Protocol-Version": {wire.ProtocolVersion}, "Mcp-Method": {"tools/list"},
				})
		}},
		"wrong Mcp-Name": {"client-headers", func(_ *testing.T, c *sitetest.Capture) {
			resolve(c, "", nil, "Mcp-Name", "another")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := sitetest.New(t, app.Local).Capture("azure-devops", "")
			f.do(t, c)
			failed := c.Get(c.Page).HTML().Values(`[data-side="client"] [data-verdict="fail"]`, "data-rule")
			if !slices.Equal(failed, []string{f.rule}) {
				t.Errorf("failed %v, want %s", failed, f.rule)
			}
		})
	}
}

// TestCapture_ClientsStayApart: calls at once, with states and keys of each other.
func TestCapture_ClientsStayApart(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("azure-devops", "")
	var wg sync.WaitGroup
	for i := range 4 {
		one := &sitetest.Capture{Site: c.Site, Path: c.Path, Next: 1000 * i}
		wg.Go(func() {
			call := func(state string, answers map[string]any) sitetest.Answer {
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
				return one.Send(playground.ToolsCall, params)
			}
			call("", nil)
			second := call("", accept("resolution", "resolution", "Duplicate"))
			call(stateIn(t, second), accept("duplicate_of", "duplicateOfId", 4301))
		})
	}
	wg.Wait()
	n, _ := c.Recorded()
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
	c := sitetest.New(t, app.Local).Capture("before-mrtr", "")
	asked := 0
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
	})
	conn, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: c.URL + c.Path}, nil)
	sitetest.Check(t, err)
	tools, err := conn.ListTools(t.Context(), nil)
	sitetest.Check(t, err)
	if len(tools.Tools) == 0 {
		t.Fatal("no tools")
	}
	_, err = conn.CallTool(t.Context(), &mcp.CallToolParams{Name: "update_work_item",
		Arguments: map[string]any{
			"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
		}})
	sitetest.Check(t, err)
	sitetest.Check(t, conn.Close())
	if asked == 0 {
		t.Error("nothing was asked")
	}
	page := c.Get(c.Page)
	page.HasNot(t, `[data-side="client"] [data-verdict="fail"]`, `[data-side="server"] [data-verdict="fail"]`)
	n, log := c.Recorded()
	if len(n.Exchanges) != 0 || len(playground.Connections(log)) < 4 {
		t.Errorf("%d exchanges, %d requests", len(n.Exchanges), len(playground.Connections(log)))
	}
}

// TestCapture_LegacyClientInTheClientTest: the page says what the client test needs.
func TestCapture_LegacyClientInTheClientTest(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("client-test", "")
	c.Do(http.MethodPost, c.Path, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{`+
		`"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`,
		http.Header{"Content-Type": {"application/json"}})
	c.Get(c.Page).Contains(t, "The client test needs a client of revision 2026-07-28.")
}

// TestCapture_FailedScenarios: what only the client test sees counts in the headline of the
// page, and no row of its calls says passed where a scenario failed.
func TestCapture_FailedScenarios(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("client-test", "")
	call := func(tool, model string) {
		params := map[string]any{"name": tool, "arguments": map[string]any{}}
		capabilities := map[string]any{"sampling": map[string]any{"tools": map[string]any{}}}
		c.Next++
		first := c.SendTo(c.Path, c.Next, playground.ToolsCall, params, capabilities)
		answers := answersTo(t, first)
		for key := range answers {
			answers[key] = map[string]any{"role": "assistant", "model": "small",
				"content": map[string]any{"type": "text", "text": model}}
		}
		params["requestState"], params["inputResponses"] = stateIn(t, first), answers
		c.Next++
		c.SendTo(c.Path, c.Next, playground.ToolsCall, params, capabilities)
	}
	call("sampling_short", strings.Repeat("five ", 500))
	call("sampling_tool_required", "five")
	call("sampling_tool_none", "five")
	page := c.Get(c.Page)
	page.Has(t, `[data-headline="fail"] "This client fails 2 checks."`)
	page.HasNot(t, `[data-side="client"] [data-rule][data-verdict="fail"]`)
	rows := page.HTML().Texts(`td[data-side="client"] .outcome`)
	if want := []string{"✕ 1 failed", "✕ 1 failed", "✓ passed"}; !slices.Equal(rows, want) {
		t.Errorf("calls: %q, want %q", rows, want)
	}
}

func TestCapture_PageIsLive(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("azure-devops", "")
	page := c.Get(c.Page)
	page.Has(t, `main[data-live]`, `details#snippets[open]`, `noscript meta[http-equiv="refresh"]`)
	events := htmltest.Parse(page.Body).Values("main[data-live]", "data-live")[0]
	done := make(chan sitetest.Answer)
	go func() { done <- c.Get(events) }()
	resolve(c, "", nil)
	if got := <-done; !strings.Contains(got.Body, "event: changed") {
		t.Errorf("%q", got.Body)
	}
}

// TestCapture_EmptySession: the pages of any session work for a capture without calls.
func TestCapture_EmptySession(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("azure-devops", "")
	id := strings.TrimPrefix(c.Page, "/clients/")
	for _, path := range []string{
		"/history", "/sessions/" + id, "/sessions/" + id + "/share", "/search?q=azure", "/test",
	} {
		if got := c.Get(path); got.Status != http.StatusOK && got.Status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, got.Status, sitetest.Excerpt(got.Body))
		}
	}
	c.Get("/history").Has(t, `a[href="`+c.Page+`"]`)
	if got := c.Post("/sessions/"+id+"/delete", ""); got.Status != http.StatusSeeOther {
		t.Errorf("deleted: %d", got.Status)
	}
	if got := c.Get(c.Page); got.Status != http.StatusNotFound {
		t.Errorf("after it was deleted: %d", got.Status)
	}
	c.NoErrors()
}
