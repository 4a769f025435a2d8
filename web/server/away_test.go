package server_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// serveAt serves a server with no lists at an address, until stop.
func serveAt(t *testing.T, address string) (at string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	sitetest.Check(t, err)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",` +
			`"supportedVersions":["2026-07-28"],` +
			`"capabilities":{},"ttlMs":0,"cacheScope":"public","serverInfo":{"name":"x","version":"1"}}}`))
	}))
	_ = s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return l.Addr().String(), s.Close
}

// TestAway_ServerThatRestarts: a server that was connected and is refused is tried again a
// number of times, and is connected once it is back.
func TestAway_ServerThatRestarts(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	at, stop := serveAt(t, "127.0.0.1:0")
	s.ConnectTo("http://" + at + "/mcp")
	page := s.Last
	s.Page(page).HasNot(t, `[data-form="away"]`)
	id := strings.TrimPrefix(page, "/servers/")
	again := func() sitetest.Answer {
		got := s.Follow("/servers", url.Values{"id": {id}, "url": {"http://" + at + "/mcp"}})
		s.Runner.Wait(t.Context(), id)
		if got.Status != http.StatusOK {
			t.Fatal(got.Status)
		}
		return s.Page(page)
	}
	stop()
	again().Has(t, `[data-form="away"][data-after="1000"] [data-away-words*="attempt 1 of 8"]`,
		`[data-do="connect-now"]`)
	again().Has(t, `[data-form="away"][data-after="2000"] [data-away-words*="attempt 2 of 8"]`)
	for range server.MaxAway - 2 {
		again()
	}
	last := again()
	last.Has(t, `[data-form="away"] [data-away-words*="did not come back"]`)
	last.HasNot(t, "[data-after]")
	serveAt(t, at)
	back := again()
	back.Has(t, `[data-status="connected"]`)
	back.HasNot(t, `[data-form="away"]`)
	s.NoErrors()
}

// A server that was never connected is not waited for.
func TestAway_NeverConnected(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	at, stop := serveAt(t, "127.0.0.1:0")
	stop()
	s.ConnectTo("http://"+at+"/mcp").HasNot(t, `[data-form="away"]`)
}
