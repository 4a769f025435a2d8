package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// watch opens the stream of watching a server, and returns a function that reads on until a
// text comes.
func watch(t *testing.T, s *sitetest.Site, id, accept string) (*http.Response, func(string) string, func()) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	q, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/servers/"+id+"/watch/events", nil)
	sitetest.Check(t, err)
	q.Header = http.Header{"Cookie": {s.Cookies}, "Accept": {accept}}
	q.Host = strings.TrimPrefix(sitetest.Base, "http://")
	res, err := s.Client.Do(q)
	sitetest.Check(t, err)
	t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewReader(res.Body)
	return res, func(want string) string {
		t.Helper()
		var read strings.Builder
		for {
			line, err := lines.ReadString('\n')
			read.WriteString(line)
			if strings.Contains(line, want) {
				return read.String()
			}
			if err != nil {
				t.Fatalf("no %q before the end: %v\n%s", want, err, read.String())
			}
		}
	}, leave
}

// TestWatch_ShowsChangedLists watches a sample while a call changes its tools, in both forms:
// as events and as a page without script.
func TestWatch_ShowsChangedLists(t *testing.T) {
	t.Parallel()
	for _, mode := range []app.Mode{app.Local, app.Public} {
		s := sitetest.New(t, mode)
		s.Follow("/exchanges", map[string][]string{"sample": {"confirm"}})
		s.Page("/servers/conformance").Has(t, `form[data-form="watch"][method="post"]`, "#watch[hidden]")
		res, until, leave := watch(t, s, "conformance", "text/event-stream")
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%d %s", res.StatusCode, res.Header)
		}
		until("Sent subscriptions/listen")
		until("The server has agreed to send: ")
		page, untilPage, leavePage := watch(t, s, "conformance", "text/html")
		if kind := page.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") {
			t.Error(kind)
		}
		untilPage("The server has agreed to send")
		s.Follow("/exchanges", map[string][]string{"target": {"conformance"}, "kind": {"tool"},
			"tool": {"test_trigger_tool_change"}, "raw": {"true"}, "json": {"{}"}})
		until(`notifications/tools/list_changed`)
		untilPage(`notifications/tools/list_changed`)
		leave()
		leavePage()
		s.NoErrors()
	}
}

// TestWatch_OfAHostileServer shows markup and control characters as text, and says how the
// stream ended.
func TestWatch_OfAHostileServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), playground.Listen) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`+
				`"supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public",`+
				`"serverInfo":{"name":"x","version":"1"}}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"<b "+
			"data-evil>\\u202e\",\"params\":{\"x\":\"</pre><script>\"}}\n\n"+
			": a comment\n\ndata: no JSON\n\ndata: "+strings.Repeat("long ", 10000)+"\n\n")
	}))
	t.Cleanup(server.Close)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(server.URL + "/mcp")
	s.Page(s.Last).Has(t, `[data-status="connected"]`)
	id := strings.TrimPrefix(s.Last, "/servers/")
	_, until, _ := watch(t, s, id, "text/html")
	page := until("</html>")
	for _, want := range []string{"&lt;b data-evil&gt;", "&lt;/pre&gt;&lt;script&gt;",
		"A message that is no JSON",
		"more are not shown", "The server has closed the stream"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if strings.Contains(page, "<b data-evil>") || strings.Contains(page, "\u202e") {
		t.Error("foreign text is markup or hidden")
	}
	s.NoErrors()
}

// TestWatch_OfALegacyServer watches the standalone stream of a session.
func TestWatch_OfALegacyServer(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	_, until, leave := watch(t, s, "before-mrtr", "text/event-stream")
	until("Sent initialize")
	until("notifications/initialized")
	leave()
	s.NoErrors()
}

// TestWatch_TakesAPlace: a watched server takes one of the streams of its owner, who gets the
// place back with the end of the page.
func TestWatch_TakesAPlace(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{}, func(c *site.Config) {
		c.App.Limits = app.DefaultLimits()
		c.App.Limits.Streams = 8 // of which one owner may hold an eighth
	})
	s.Follow("/exchanges", map[string][]string{"sample": {"confirm"}})
	_, until, leave := watch(t, s, "conformance", "text/event-stream")
	until("agreed")
	res, _, _ := watch(t, s, "conformance", "text/event-stream")
	if res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the second page: %d", res.StatusCode)
	}
	leave()
	for range 200 {
		if res, _, _ = watch(t, s, "conformance", "text/event-stream"); res.StatusCode == http.StatusOK {
			return
		}
		s.Page("/") // the place is given back once the connection is closed
	}
	t.Errorf("after the first was left: %d", res.StatusCode)
}
