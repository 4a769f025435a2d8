package site_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
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
)

// TestAgent_GoSDK: the client of go-sdk makes a whole check, answers the questions of a
// call, and reads texts.
func TestAgent_GoSDK(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(peers.Table(""))
	t.Cleanup(server.Close)
	s := newSite(t, app.Local)
	var asked []string
	answers := []map[string]any{{"mine": true}, {"resolution": "Duplicate"}, {"duplicateOfId": 4301}}
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked = append(asked, r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: answers[len(asked)-1]}, nil
		},
	})
	conn, err := client.Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: s.url + web.AgentPath}, nil)
	check(t, err)
	call := func(tool string, arguments map[string]any) string {
		t.Helper()
		r, err := conn.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		check(t, err)
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
	if got := call("call_tool", resolving()); !strings.Contains(got, "resolved as Duplicate of Bug #4301") {
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
	check(t, err)
	prompt, err := conn.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "build",
		Arguments: map[string]string{"language": "go"}})
	check(t, err)
	words := prompt.Messages[0].Content.(*mcp.TextContent).Text
	if !strings.Contains(lesson.Contents[0].Text, "package main") ||
		!strings.Contains(words, "package main") {
		t.Error("no example")
	}
	check(t, conn.Close())
}

// token makes a token on the page of settings.
func (s *testSite) token() string {
	s.t.Helper()
	page := s.follow("/settings/tokens", url.Values{"title": {"laptop"}, "expires": {"7d"}})
	if made := page.html().Texts("#agent-token"); page.status == http.StatusCreated && len(made) == 1 {
		return made[0]
	}
	s.t.Fatalf("no token: %d %s", page.status, excerpt(page.body))
	return ""
}

// TestAgent_TokenLeadsToAHistory: a token puts results into the history of its workspace,
// is shown once, and works until it is revoked or expires.
func TestAgent_TokenLeadsToAHistory(t *testing.T) {
	t.Parallel()
	s, clock := strict(t, nil)
	token := s.token()
	page := s.page("/settings")
	page.has(t, `[data-token-row] "laptop"`, `[data-token-row] "Never used, expires in 7 days"`)
	page.lacks(t, token)
	a := s.agent("Authorization", "Bearer "+token)
	var r agentResult
	a.call("call_tool", resolved(), toolResult{}).read(t, &r)
	if r.Status != "complete" || r.Expires != "" || r.URL != siteBase+"/x/"+r.Exchange {
		t.Fatalf("%+v", r)
	}
	s.page("/x/"+r.Exchange).has(t, `main[data-status="complete"]`)
	if got := s.visitor(t).page("/x/" + r.Exchange); got.status != http.StatusNotFound {
		t.Errorf("another visitor: %d", got.status)
	}
	s.page("/settings").has(t, `[data-token-row] "Last used"`)

	other := s.visitor(t)
	stranger := other.agent("Authorization", "Bearer "+other.token())
	for name, one := range map[string]*agent{
		"no token": s.agent(), "a token of another workspace": stranger,
	} {
		got := one.call("read_exchange", map[string]any{"id": r.Exchange}, toolResult{})
		if !got.IsError || !strings.Contains(got.words(), "There is no recording") {
			t.Errorf("%s reads it: %+v", name, got)
		}
	}
	id := value(t, s.page("/settings").body, "[data-token-row]", "data-token-row")
	if got := other.follow("/settings/tokens/"+id+"/delete", nil); got.status != http.StatusNotFound {
		t.Errorf("another visitor revokes it: %d", got.status)
	}
	s.follow("/settings/tokens/"+id+"/delete", nil)
	if got := a.call("search_lessons", map[string]any{"query": "state"}, toolResult{}); got.Code != 401 ||
		!strings.Contains(got.words(), "was revoked") {
		t.Errorf("revoked: %+v", got)
	}
	a.header[1] = "Bearer " + s.token()
	clock.pass(8 * 24 * time.Hour)
	if got := a.ask("tools/list", map[string]any{}); got.Code != http.StatusUnauthorized {
		t.Errorf("expired: %+v", got)
	}
	if strings.Contains(s.logs.String(), app.AgentTokenPrefix) {
		t.Error("a token is in the log")
	}
}

// TestAgent_WithoutATokenOnlyALinkIsKept: the result is a link, which the agent can
// read, and nothing else is stored.
func TestAgent_WithoutATokenOnlyALinkIsKept(t *testing.T) {
	t.Parallel()
	s, _ := strict(t, nil)
	a := s.agent()
	first := a.call("call_tool", resolving(), toolResult{})
	var r agentResult
	a.call("call_tool", resolving(), first, "round-1-1", map[string]any{"resolution": "Fixed"}).read(t, &r)
	token, ok := strings.CutPrefix(r.URL, siteBase+"/s/")
	if !ok || r.Expires == "" || r.Exchange != token+"/1" {
		t.Fatalf("%+v", r)
	}
	s.visitor(t).page("/s/"+token).has(t, `"complete"`)
	var read agentResult
	a.call("read_exchange", map[string]any{"id": r.Exchange}, toolResult{}).read(t, &read)
	if len(read.Rounds) != 2 {
		t.Errorf("%+v", read)
	}
	var board agentResult
	a.call("check_server", map[string]any{"url": siteBase + "/mcp/azure-devops", "tool": "update_work_item",
		"arguments": resolving()["arguments"]}, toolResult{}).read(t, &board)
	if !board.OK || board.Expires == "" {
		t.Errorf("%+v", board)
	}
	s.visitor(t).page(strings.TrimPrefix(board.URL, siteBase)).has(t, ".board")
	for _, table := range []string{"exchange", "event", "target"} {
		if n := s.number(t, `SELECT count(*) FROM `+table); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}

// TestAgent_AnUnfinishedCallIsNotKept: a call of a guest that never came back is deleted
// when it cannot go on any more, and with the last link everything is.
func TestAgent_AnUnfinishedCallIsNotKept(t *testing.T) {
	t.Parallel()
	s, clock := strict(t, nil)
	a := s.agent()
	sweep := func(after time.Duration, links, exchanges int) {
		t.Helper()
		clock.pass(after)
		check(t, s.store.DeleteExpiredShares(t.Context(), clock.Now()))
		_, err := s.store.DeleteGuests(t.Context(), agents.GuestPrefix, clock.Now().Add(-agents.GuestIdle))
		check(t, err)
		for table, want := range map[string]int{"share": links, "session": links + exchanges,
			"exchange": exchanges, "workspace": links + exchanges} {
			if n := s.number(t, `SELECT count(*) FROM `+table); n != int64(want) {
				t.Errorf("%d rows in %s, want %d", n, table, want)
			}
		}
	}
	if got := a.call("call_tool", resolving(), toolResult{}); len(got.Questions) != 1 {
		t.Fatalf("%+v", got)
	}
	if got := a.call("call_tool", resolved(), toolResult{}); got.Structured == nil {
		t.Fatalf("%+v", got)
	}
	await(t, func() string { // what a process holds is not deleted
		if n := s.number(t, `SELECT count(*) FROM exchange WHERE held = 1`); n != 0 {
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
	check(t, err)
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
	s := newSiteWith(t, app.Public, wire.Config{Resolver: names{"inside.example": "127.0.0.1"}},
		func(cfg *site.Config) {
			cfg.App.Limits = app.DefaultLimits()
			cfg.App.Limits.WrongLinks = app.Rate{N: 1, Per: time.Hour, Burst: 3}
			cfg.App.Limits.Calls = app.Rate{N: 1, Per: time.Hour, Burst: 4}
		})
	a := s.agent()
	for _, address := range []string{"https://inside.example/mcp", "https://127.0.0.1/mcp",
		"https://[::1]:8443/mcp",
		"http://" + listener.Addr().String(), "file:///etc/passwd"} {
		for _, tool := range []string{"check_server", "call_tool"} {
			in := map[string]any{"url": address, "tool": "x"}
			got := a.call(tool, in, toolResult{})
			if got.Questions != nil {
				got = a.call(tool, in, got, "mine", map[string]any{"mine": true})
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
		got := a.call("call_tool", resolved(), toolResult{})
		if strings.Contains(got.words(), "Too many calls") {
			refusals++
		}
	}
	if refusals == 0 || refusals == 30 {
		t.Errorf("%d of 30 calls were refused", refusals)
	}
	giant := a.call("call_tool", map[string]any{"url": strings.Repeat("x", 600<<10), "tool": "x"},
		toolResult{})
	if giant.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a giant argument: %d %s", giant.Code, giant.words())
	}
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1:9"} {
		got := s.agent("Origin", origin).ask("tools/list", map[string]any{})
		if got.Code != http.StatusForbidden {
			t.Errorf("origin %s: %d", origin, got.Code)
		}
	}
	if got := s.agent("Origin", siteBase).ask("tools/list", map[string]any{}); got.Code != http.StatusOK {
		t.Errorf("own origin: %d", got.Code)
	}
	var codes []int
	for i := range 4 {
		guess := s.agent("Authorization", fmt.Sprint("Bearer ", app.AgentTokenPrefix, i))
		codes = append(codes, guess.ask("tools/list", map[string]any{}).Code)
	}
	if fmt.Sprint(codes) != "[401 401 401 429]" {
		t.Errorf("guesses: %v", codes)
	}
	pretender := s.agent("Mcp-Playground-Workspace", "id1")
	if got := pretender.call("read_exchange", map[string]any{"id": "id1"}, toolResult{}); !got.IsError {
		t.Errorf("a workspace by header: %+v", got)
	}
	s.noErrors()
}

// TestAgent_ServerThatAsksForEver: a call ends at the limit of rounds.
func TestAgent_ServerThatAsksForEver(t *testing.T) {
	t.Parallel()
	a := newSite(t, app.Local).agent()
	in := map[string]any{"url": siteBase + "/mcp/naughty", "tool": "same_question_forever",
		"answers": map[string]any{"color": map[string]any{"color": "blue"}}}
	var r agentResult
	a.call("call_tool", in, toolResult{}).read(t, &r)
	if r.Status != "capped" || len(r.Rounds) != 20 {
		t.Errorf("%+v", r)
	}
}

// TestAgent_SessionHasAnOwner: the session of a legacy client with a token is neither
// used nor ended without that token.
func TestAgent_SessionHasAnOwner(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	bearer := "Bearer " + s.token()
	send := func(method, session, authorization, body string) answer {
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
		return s.do(method, web.AgentPath, body, header)
	}
	began := send("POST", "", bearer, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	session := began.header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatalf("%d %s", began.status, began.body)
	}
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for what, got := range map[string]answer{
		"list": send("POST", session, "", list), "end": send("DELETE", session, "", ""),
	} {
		if got.status != http.StatusNotFound {
			t.Errorf("%s without the token: %d %s", what, got.status, got.body)
		}
	}
	if got := send("POST", session, bearer, list); got.status != http.StatusOK {
		t.Errorf("list with the token: %d %s", got.status, got.body)
	}
	if got := send("DELETE", session, bearer, ""); got.status >= 300 {
		t.Errorf("end with the token: %d", got.status)
	}
	if got := send("POST", session, bearer, list); got.status != http.StatusNotFound {
		t.Errorf("after the end: %d", got.status)
	}
}
