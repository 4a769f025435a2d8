package site_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// connectToCommand connects to a server that is a command, and returns its page.
func (s *testSite) connectToCommand(words []string) answer {
	s.t.Helper()
	address, _ := s.lines.Add(words)
	s.connectTo(address)
	s.runner.Wait(s.t.Context(), strings.TrimPrefix(s.last, "/servers/"))
	return s.page(s.last)
}

// callTool calls a tool of the server at a path and returns the page of the exchange.
func (s *testSite) callTool(server, tool string) answer {
	s.t.Helper()
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(server, "/servers/")}, "tool": {tool}})
	return s.page(s.last)
}

// TestCommand_Pages: a server on standard input works on the pages as one with a URL does.
func TestCommand_Pages(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"modern", "legacy", "strict"} {
		s := newSite(t, app.Local)
		page := s.connectToCommand(linestest.Words(era))
		server := s.last
		page.has(t, `[data-status="connected"]`, `[data-command]`, `[data-processes]`, `[data-do="restart"]`)
		page.hasNot(t, `[data-missing]`, `#token`, `#headers`, `[data-curl]`, `[data-error]`)
		s.page("/servers").contains(t, "be-the-server "+era)
		s.page(server+"/check").hasNot(t, `[name="mine"]`) // who names a command may test it
		s.page("/clients").hasNot(t, `option[value="`+strings.TrimPrefix(server, "/servers/")+`"]`)

		asks := s.callTool(server, "ask")
		asks.has(t, `[data-status="waiting"]`, `[data-field="name"]`)
		if era != "modern" {
			asks.contains(t, "the answer goes out as a line to the same process")
		}
		call := s.last
		s.post(call+"/rounds", "round=1&a0.action=accept&a0.f0=Ada&do=send")
		s.runner.Answered(t.Context(), strings.TrimPrefix(call, "/x/"))
		done := s.page(call)
		done.has(t, `[data-status="complete"]`, `[data-result]`)
		done.contains(t, "Hello, Ada")
		if page := s.page(server); strings.Contains(page.body+done.body, "session id") {
			t.Errorf("%s: a process has no session id: %s", era, excerpt(page.body))
		}
		done.hasNot(t, `[data-missing]`, `[data-do="curl"]`)
		s.page(call+"?exact=1").hasNot(t, `[data-head]`, `[data-curl]`)
		s.page(call+"?panel=rules").has(t, `[data-on-lines]`)
		s.page(call+"?panel=rules").hasNot(t, `[data-verdict="fail"]`)
		s.page(call+".md").contains(t, "paste them into its standard input")
		s.page(call+".har").contains(t, `"entries": []`, "have no HTTP")
	}
}

// TestCommand_Dies: the page says how the command ended and what it wrote, and the next
// call starts it again.
func TestCommand_Dies(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.connectToCommand(linestest.Words("modern"))
	server := s.last
	page := s.callTool(server, "die")
	page.has(t, `[data-error="command_ended"]`, `[data-stderr]`)
	page.contains(t, "exit status 3", "out of ideas")
	s.callTool(server, "pid").has(t, `[data-status="complete"]`)
	s.follow(server+"/restart", nil)
	s.runner.Wait(t.Context(), strings.TrimPrefix(server, "/servers/"))
	page = s.page(server)
	page.contains(t, "Process 1, started just now: exit status 3", "Process 3, started just now: running")
	page.has(t, `[data-status="connected"]`)
}

// TestCommand_SaysWhatItDoes: the page of a call that waits asks again and again for what
// the command writes to standard error, and no longer once the call has ended.
func TestCommand_SaysWhatItDoes(t *testing.T) {
	t.Parallel()
	const asks = `#stderr[hx-trigger^="every"], #stderr [hx-trigger^="every"]`
	s := newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) { c.App.Settle = time.Millisecond })
	s.connectToCommand(linestest.Words("modern"))
	s.callTool(s.last, "silent").has(t, asks)
	call := s.last
	for !strings.Contains(s.page(call).body, "thinking") { // it is on its way
	}
	s.page(call).has(t, `#stderr-text[hx-get^="`+call+`"]`)
	s.post(call+"/cancel", "")
	s.runner.Wait(t.Context(), strings.TrimPrefix(call, "/x/"))
	s.page(call).contains(t, "thinking", "You cancelled the request before the response arrived.")
	s.page(call).hasNot(t, asks)
}

// TestCommand_NoRequestNamesOne: whatever is asked for, only the commands of the command
// line start, and they do when the user calls them (fault 127).
func TestCommand_NoRequestNamesOne(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	known, _ := s.lines.Add(linestest.Words("modern"))
	unknown := wire.CommandURL([]string{"touch", "/tmp/started"})
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	recording := func(address string) session.Session {
		return session.Session{Title: "planted", Exchanges: []playground.Exchange{{
			ID: "planted", Created: at,
			Target: playground.Target{
				ID: "t", Name: "touch /tmp/started", URL: address, Capabilities: []byte(`{}`),
			},
			Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"pid"}`)},
		}}}
	}
	for _, typed := range []string{
		unknown, "touch /tmp/started", "./server", "stdio:touch", "file:///bin/sh",
	} {
		for _, path := range []string{"/servers", "/learn/your-turn"} {
			got := s.do("POST", path, url.Values{"url": {typed}, "mine": {"yes"}}.Encode(), nil)
			if got.status != http.StatusUnprocessableEntity {
				t.Errorf("%s %s: %d", path, typed, got.status)
			}
		}
	}
	for _, address := range []string{unknown, known} {
		path := s.imported(recording(address))
		token := s.share("leave=note")
		s.get("/s/" + token)
		s.get(path)
		if got := s.post("/s/"+token+"/fork", ""); got.status != http.StatusSeeOther {
			t.Errorf("fork: %d", got.status)
		}
		if address == unknown {
			s.post(path+"/rerun", "").has(t, `[data-error="no_command"]`)
		}
	}
	s.get("/servers?url=" + url.QueryEscape(known))
	s.get("/servers?url=" + url.QueryEscape("touch /tmp/started"))
	for _, path := range []string{"/servers", "/learn/your-turn", "/exchanges", "/servers/t/restart"} {
		form := url.Values{"url": {known}, "mine": {"yes"}, "target": {"t"}}.Encode()
		header := http.Header{"Sec-Fetch-Site": {"cross-site"}}
		if got := s.do("POST", path, form, header); got.status != http.StatusForbidden {
			t.Errorf("%s of another site: %d", path, got.status)
		}
	}
	if c, _ := s.lines.Command(known); len(c.Processes) != 0 {
		t.Errorf("%+v", c.Processes)
	}
	if got := s.connectTo(known); !strings.HasPrefix(s.last, "/servers/") {
		t.Errorf("%d", got.status)
	}
	s.runner.Wait(t.Context(), strings.TrimPrefix(s.last, "/servers/"))
	if c, _ := s.lines.Command(known); len(c.Processes) != 1 {
		t.Errorf("%+v", c.Processes)
	}
}
