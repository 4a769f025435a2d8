package agent_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
	agents "github.com/mrtr-playground/mrtr-playground/web/agent"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestAgent_GoSDK: the client of go-sdk makes a whole check, answers the questions of a
// call, and reads texts.
func TestAgent_GoSDK(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table(""))
	t.Cleanup(server.Close)
	s := sitetest.New(t, app.Local)
	var asked []string
	answers := []map[string]any{{"mine": true}, {"resolution": "Duplicate"}, {"duplicateOfId": 4301}}
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked = append(asked, r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: answers[len(asked)-1]}, nil
		},
	})
	conn, err := client.Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: s.URL + web.AgentPath}, nil)
	sitetest.Check(t, err)
	call := func(tool string, arguments map[string]any) string {
		t.Helper()
		r, err := conn.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		sitetest.Check(t, err)
		if r.IsError {
			t.Fatalf("%+v", r.Content[0])
		}
		return fmt.Sprint(r.StructuredContent)
	}
	board := call("check_server", map[string]any{"url": server.URL, "tool": exercise.Tool})
	if !strings.Contains(board, "ok:true") || strings.Contains(board, "standing:fail") ||
		strings.Count(board, "standing:pass") != len(exercise.Requirements()) {
		t.Errorf("%s", board)
	}
	if got := call("call_tool", sitetest.Resolving()); !strings.Contains(got,
		"resolved as Duplicate of Bug #4301") {
		t.Errorf("%s", got)
	}
	if len(asked) != 3 || !strings.Contains(asked[0], strings.TrimPrefix(server.URL, "http://")) {
		t.Errorf("asked %q", asked)
	}
	if got := call("explain_finding", map[string]any{"id": "S4"}); !strings.Contains(got, "attacks#rule-S4") {
		t.Errorf("%s", got)
	}
	page, err := conn.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "mrtr://reference/http"})
	if err != nil || !strings.Contains(page.Contents[0].Text, "-32022") {
		t.Errorf("a reference page: %v", err)
	}
	lesson, err := conn.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "mrtr://lessons/build"})
	sitetest.Check(t, err)
	prompt, err := conn.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "build",
		Arguments: map[string]string{"language": "go"}})
	sitetest.Check(t, err)
	words := prompt.Messages[0].Content.(*mcp.TextContent).Text
	if !strings.Contains(lesson.Contents[0].Text, "package main") ||
		!strings.Contains(words, "package main") {
		t.Error("no example")
	}
	sitetest.Check(t, conn.Close())
}

// TestAgent_TokenLeadsToAHistory: a token puts results into the history of its workspace,
// is shown once, and works until it is revoked or expires.
func TestAgent_TokenLeadsToAHistory(t *testing.T) {
	t.Parallel()
	s, clock := sitetest.Strict(t, nil)
	token := s.Token()
	page := s.Page("/settings")
	page.Has(t, `[data-token-row] "laptop"`, `[data-token-row] "Never used, expires in 7 days"`)
	page.Lacks(t, token)
	a := s.Agent("Authorization", "Bearer "+token)
	var r agentResult
	a.Call("call_tool", sitetest.Resolved(), sitetest.ToolResult{}).Read(t, &r)
	if r.Status != "complete" || r.Expires != "" || r.URL != sitetest.Base+"/x/"+r.Exchange {
		t.Fatalf("%+v", r)
	}
	s.Page("/x/"+r.Exchange).Has(t, `main[data-status="complete"]`)
	if got := s.Visitor(t).Page("/x/" + r.Exchange); got.Status != http.StatusNotFound {
		t.Errorf("another visitor: %d", got.Status)
	}
	s.Page("/settings").Has(t, `[data-token-row] "Last used"`)

	other := s.Visitor(t)
	stranger := other.Agent("Authorization", "Bearer "+other.Token())
	for name, one := range map[string]*sitetest.Agent{
		"no token": s.Agent(), "a token of another workspace": stranger,
	} {
		got := one.Call("read_exchange", map[string]any{"id": r.Exchange}, sitetest.ToolResult{})
		if !got.IsError || !strings.Contains(got.Words(), "There is no recording") {
			t.Errorf("%s reads it: %+v", name, got)
		}
	}
	id := sitetest.Value(t, s.Page("/settings").Body, "[data-token-row]", "data-token-row")
	if got := other.Follow("/settings/tokens/"+id+"/delete", nil); got.Status != http.StatusNotFound {
		t.Errorf("another visitor revokes it: %d", got.Status)
	}
	s.Follow("/settings/tokens/"+id+"/delete", nil)
	if got := a.Call("search_lessons", map[string]any{"query": "state"},
		sitetest.ToolResult{}); got.Code != 401 ||
		!strings.Contains(got.Words(), "was revoked") {
		t.Errorf("revoked: %+v", got)
	}
	a.Header[1] = "Bearer " + s.Token()
	clock.Pass(8 * 24 * time.Hour)
	if got := a.Ask("tools/list", map[string]any{}); got.Code != http.StatusUnauthorized {
		t.Errorf("expired: %+v", got)
	}
	if strings.Contains(s.Logs.String(), app.AgentTokenPrefix) {
		t.Error("a token is in the log")
	}
}

// TestAgent_WithoutATokenOnlyALinkIsKept: the result is a link, which the agent can
// read, and nothing else is stored.
func TestAgent_WithoutATokenOnlyALinkIsKept(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, nil)
	a := s.Agent()
	first := a.Call("call_tool", sitetest.Resolving(), sitetest.ToolResult{})
	var r agentResult
	a.Call("call_tool", sitetest.Resolving(), first, "round-1-1",
		map[string]any{"resolution": "Fixed"}).Read(t, &r)
	token, ok := strings.CutPrefix(r.URL, sitetest.Base+"/s/")
	if !ok || r.Expires == "" || r.Exchange != token+"/1" {
		t.Fatalf("%+v", r)
	}
	s.Visitor(t).Page("/s/"+token).Has(t, `"complete"`)
	var read agentResult
	a.Call("read_exchange", map[string]any{"id": r.Exchange}, sitetest.ToolResult{}).Read(t, &read)
	if len(read.Rounds) != 2 {
		t.Errorf("%+v", read)
	}
	var board agentResult
	a.Call("check_server", map[string]any{"url": sitetest.Base + "/mcp/azure-devops",
		"tool":      "update_work_item",
		"arguments": sitetest.Resolving()["arguments"]}, sitetest.ToolResult{}).Read(t, &board)
	if !board.OK || board.Expires == "" {
		t.Errorf("%+v", board)
	}
	s.Visitor(t).Page(strings.TrimPrefix(board.URL, sitetest.Base)).Has(t, ".board")
	for _, table := range []string{"exchange", "event", "target"} {
		if n := s.Number(t, `SELECT count(*) FROM `+table); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}

// TestAgent_AnUnfinishedCallIsNotKept: a call of a guest that never came back is deleted
// when it cannot go on any more, and with the last link everything is.
func TestAgent_AnUnfinishedCallIsNotKept(t *testing.T) {
	t.Parallel()
	s, clock := sitetest.Strict(t, nil)
	a := s.Agent()
	sweep := func(after time.Duration, links, exchanges int) {
		t.Helper()
		clock.Pass(after)
		sitetest.Check(t, s.Store.DeleteExpiredShares(t.Context(), clock.Now()))
		_, err := s.Store.DeleteGuests(t.Context(), agents.GuestPrefix, clock.Now().Add(-agents.GuestIdle))
		sitetest.Check(t, err)
		for table, want := range map[string]int{"share": links, "session": links + exchanges,
			"exchange": exchanges, "workspace": links + exchanges} {
			if n := s.Number(t, `SELECT count(*) FROM `+table); n != int64(want) {
				t.Errorf("%d rows in %s, want %d", n, table, want)
			}
		}
	}
	if got := a.Call("call_tool", sitetest.Resolving(), sitetest.ToolResult{}); len(got.Questions) != 1 {
		t.Fatalf("%+v", got)
	}
	if got := a.Call("call_tool", sitetest.Resolved(), sitetest.ToolResult{}); got.Structured == nil {
		t.Fatalf("%+v", got)
	}
	sitetest.Await(t, func() string { // what a process holds is not deleted
		if n := s.Number(t, `SELECT count(*) FROM exchange WHERE held = 1`); n != 0 {
			return fmt.Sprint(n, " calls are held")
		}
		return ""
	})
	sweep(time.Hour-time.Second, 1, 1)
	sweep(2*time.Second, 1, 0)
	sweep(7*24*time.Hour, 0, 0)
}

// TestAgent_Hostile holds fault 129.
func TestAgent_Hostile(t *testing.T) {
	t.Parallel()
	var seen atomic.Int64
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	sitetest.Check(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			seen.Add(1)
			_ = conn.Close()
		}
	}()
	s := sitetest.NewWith(t, app.Public, wire.Config{Resolver: sitetest.Names{"inside.example": "127.0.0.1"}},
		func(cfg *site.Config) {
			cfg.App.Limits = app.DefaultLimits()
			cfg.App.Limits.WrongLinks = app.Rate{N: 1, Per: time.Hour, Burst: 3}
			cfg.App.Limits.Calls = app.Rate{N: 1, Per: time.Hour, Burst: 4}
		})
	a := s.Agent()
	for _, address := range []string{"https://inside.example/mcp", "https://127.0.0.1/mcp",
		"https://[::1]:8443/mcp",
		"http://" + listener.Addr().String(), "file:///etc/passwd"} {
		for _, tool := range []string{"check_server", "call_tool"} {
			in := map[string]any{"url": address, "tool": "x"}
			got := a.Call(tool, in, sitetest.ToolResult{})
			if got.Questions != nil {
				got = a.Call(tool, in, got, "mine", map[string]any{"mine": true})
			}
			if !got.IsError {
				t.Errorf("%s of %s: %+v", tool, address, got)
			}
		}
	}
	if n := seen.Load(); n != 0 {
		t.Errorf("%d connections inside", n)
	}
	refusals := 0
	for range 30 { // each of a workspace of its own, all from one address
		got := a.Call("call_tool", sitetest.Resolved(), sitetest.ToolResult{})
		if strings.Contains(got.Words(), "Too many calls") {
			refusals++
		}
	}
	if refusals == 0 || refusals == 30 {
		t.Errorf("%d of 30 calls were refused", refusals)
	}
	giant := a.Call("call_tool", map[string]any{"url": strings.Repeat("x", 600<<10), "tool": "x"},
		sitetest.ToolResult{})
	if giant.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a giant argument: %d %s", giant.Code, giant.Words())
	}
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1:9"} {
		got := s.Agent("Origin", origin).Ask("tools/list", map[string]any{})
		if got.Code != http.StatusForbidden {
			t.Errorf("origin %s: %d", origin, got.Code)
		}
	}
	if got := s.Agent("Origin", sitetest.Base).Ask("tools/list",
		map[string]any{}); got.Code != http.StatusOK {
		t.Errorf("own origin: %d", got.Code)
	}
	var codes []int
	for i := range 4 {
		guess := s.Agent("Authorization", fmt.Sprint("Bearer ", app.AgentTokenPrefix, i))
		codes = append(codes, guess.Ask("tools/list", map[string]any{}).Code)
	}
	if fmt.Sprint(codes) != "[401 401 401 429]" {
		t.Errorf("guesses: %v", codes)
	}
	pretender := s.Agent("Mcp-Playground-Workspace", "id1")
	if got := pretender.Call("read_exchange", map[string]any{"id": "id1"},
		sitetest.ToolResult{}); !got.IsError {
		t.Errorf("a workspace by header: %+v", got)
	}
	s.NoErrors()
}

// TestAgent_ServerThatAsksForEver: a call ends at the limit of rounds.
func TestAgent_ServerThatAsksForEver(t *testing.T) {
	t.Parallel()
	a := sitetest.New(t, app.Local).Agent()
	in := map[string]any{"url": sitetest.Base + "/mcp/naughty", "tool": "same_question_forever",
		"answers": map[string]any{"color": map[string]any{"color": "blue"}}}
	var r agentResult
	a.Call("call_tool", in, sitetest.ToolResult{}).Read(t, &r)
	if r.Status != "capped" || len(r.Rounds) != 20 {
		t.Errorf("%+v", r)
	}
}

// TestAgent_SessionHasAnOwner: the session of a legacy client with a token is neither
// used nor ended without that token.
func TestAgent_SessionHasAnOwner(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	bearer := "Bearer " + s.Token()
	send := func(method, session, authorization, body string) sitetest.Answer {
		header := http.Header{
			"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		}
		for name, value := range map[string]string{
			"Mcp-Session-Id": session, "Authorization": authorization,
		} {
			if value != "" {
				header.Set(name, value)
			}
		}
		if session != "" {
			header.Set("Mcp-Protocol-Version", "2025-11-25")
		}
		return s.Do(method, web.AgentPath, body, header)
	}
	began := send("POST", "", bearer, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	session := began.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatalf("%d %s", began.Status, began.Body)
	}
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for what, got := range map[string]sitetest.Answer{
		"list": send("POST", session, "", list), "end": send("DELETE", session, "", ""),
	} {
		if got.Status != http.StatusNotFound {
			t.Errorf("%s without the token: %d %s", what, got.Status, got.Body)
		}
	}
	if got := send("POST", session, bearer, list); got.Status != http.StatusOK {
		t.Errorf("list with the token: %d %s", got.Status, got.Body)
	}
	if got := send("DELETE", session, bearer, ""); got.Status >= 300 {
		t.Errorf("end with the token: %d", got.Status)
	}
	if got := send("POST", session, bearer, list); got.Status != http.StatusNotFound {
		t.Errorf("after the end: %d", got.Status)
	}
}
