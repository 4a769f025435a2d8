package server_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestCommand_Pages: a server on standard input works on the pages as one with a URL does.
func TestCommand_Pages(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"modern", "legacy", "strict"} {
		s := sitetest.New(t, app.Local)
		page := s.ConnectToCommand(linestest.Words(era))
		server := s.Last
		page.Has(t, `[data-status="connected"]`, `[data-command]`, `[data-processes]`, `[data-do="restart"]`)
		page.HasNot(t, `[data-missing]`, `#token`, `#headers`, `[data-curl]`, `[data-error]`)
		s.Page("/test").Contains(t, "be-the-server "+era)
		s.Page(server+"/check").HasNot(t, `[name="mine"]`) // who names a command may test it
		s.Page("/test").HasNot(t, `option[value="`+strings.TrimPrefix(server, "/servers/")+`"]`)

		asks := s.CallTool(server, "ask")
		asks.Has(t, `[data-status="waiting"]`, `[data-field="name"]`)
		if era != "modern" {
			asks.Contains(t, "the answer goes out as a line to the same process")
		}
		call := s.Last
		s.Post(call+"/rounds", "round=1&a0.action=accept&a0.f0=Ada&do=send")
		s.Runner.Answered(t.Context(), strings.TrimPrefix(call, "/x/"))
		done := s.Page(call)
		done.Has(t, `[data-status="complete"]`, `[data-result]`)
		done.Contains(t, "Hello, Ada")
		if page := s.Page(server); strings.Contains(page.Body+done.Body, "session id") {
			t.Errorf("%s: a process has no session id: %s", era, sitetest.Excerpt(page.Body))
		}
		done.HasNot(t, `[data-missing]`, `[data-do="curl"]`)
		s.Page(call+"?exact=1").HasNot(t, `[data-head]`, `[data-curl]`)
		s.Page(call+"?panel=rules").Has(t, `[data-on-lines]`)
		s.Page(call+"?panel=rules").HasNot(t, `[data-verdict="fail"]`)
		s.Page(call+".md").Contains(t, "paste them into its standard input")
		s.Page(call+".har").Contains(t, `"entries": []`, "have no HTTP")
	}
}

// TestCommand_NoRequestNamesOne: whatever is asked for, only the commands of the command
// line start, and they do when the user calls them (fault 127).
func TestCommand_NoRequestNamesOne(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	known, _ := s.Lines.Add(linestest.Words("modern"))
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
			got := s.Do("POST", path, url.Values{"url": {typed}, "mine": {"yes"}}.Encode(), nil)
			if got.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s %s: %d", path, typed, got.Status)
			}
		}
	}
	for _, address := range []string{unknown, known} {
		path := s.Imported(recording(address))
		token := s.Share("leave=note")
		s.Get("/s/" + token)
		s.Get(path)
		if got := s.Post("/s/"+token+"/fork", ""); got.Status != http.StatusSeeOther {
			t.Errorf("fork: %d", got.Status)
		}
		if address == unknown {
			s.Post(path+"/rerun", "").Has(t, `[data-error="no_command"]`)
		}
	}
	s.Get("/test?url=" + url.QueryEscape(known))
	s.Get("/test?url=" + url.QueryEscape("touch /tmp/started"))
	for _, path := range []string{"/servers", "/learn/your-turn", "/exchanges", "/servers/t/restart"} {
		form := url.Values{"url": {known}, "mine": {"yes"}, "target": {"t"}}.Encode()
		header := http.Header{"Sec-Fetch-Site": {"cross-site"}}
		if got := s.Do("POST", path, form, header); got.Status != http.StatusForbidden {
			t.Errorf("%s of another site: %d", path, got.Status)
		}
	}
	if c, _ := s.Lines.Command(known); len(c.Processes) != 0 {
		t.Errorf("%+v", c.Processes)
	}
	if got := s.ConnectTo(known); !strings.HasPrefix(s.Last, "/servers/") {
		t.Errorf("%d", got.Status)
	}
	s.Runner.Wait(t.Context(), strings.TrimPrefix(s.Last, "/servers/"))
	if c, _ := s.Lines.Command(known); len(c.Processes) != 1 {
		t.Errorf("%+v", c.Processes)
	}
}
