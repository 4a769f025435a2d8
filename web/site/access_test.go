package site_test

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// routes are the paths that server.go has for a method, as it writes them: the
// tests below hold for those to come as well.
func routes(t *testing.T, method string) []string {
	t.Helper()
	source, err := os.ReadFile("site.go")
	sitetest.Check(t, err)
	var list []string
	written := regexp.MustCompile(`\b` + strings.ToLower(method) + `\("([^"]+)"`)
	for _, m := range written.FindAllStringSubmatch(string(source), -1) {
		list = append(list, m[1])
	}
	if len(list) < 10 {
		t.Fatalf("only %d routes for %s", len(list), method)
	}
	return list
}

// with fills in the parameters of a route.
func with(route string, values map[string]string) string {
	for name, value := range values {
		route = strings.ReplaceAll(route, ":"+name, value)
	}
	return route
}

func TestForms_RefuseOtherSites(t *testing.T) { // fault 55
	s := sitetest.New(t, app.Local)
	for _, route := range routes(t, "POST") {
		for _, header := range []http.Header{{"Sec-Fetch-Site": {"cross-site"}},
			{"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}}, {"Origin": {"null"}}} {
			if got := s.Do("POST", route, "x=y", header); got.Status != http.StatusForbidden ||
				!slices.Equal(sitetest.Codes(got.Body), []string{"cross_site"}) {
				t.Errorf("POST %s with %v: %d %q", route, header, got.Status, sitetest.Codes(got.Body))
			}
		}
	}
}

func TestGET_ChangesNothing(t *testing.T) { // fault 56
	s := sitetest.New(t, app.Local)
	for _, route := range routes(t, "POST") {
		if slices.Contains(routes(t, "GET"), route) {
			continue // shows the form
		}
		for _, method := range []string{"GET", "HEAD"} {
			if got := s.Do(method, route, "", nil); got.Status != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, route, got.Status)
			}
		}
	}
}

// TestGET_CallsNoServer: whatever is read, a server hears nothing (fault 57).
func TestGET_CallsNoServer(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	var heard atomic.Int64
	address := "http://" + sitetest.Listener(t, func(conn net.Conn) {
		heard.Add(1)
		sitetest.JSON1(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",` +
			`"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"canary",` +
			`"version":"1"}}}`)(conn)
	}) + "/mcp"
	s.ConnectTo(address)
	server := strings.TrimPrefix(s.Last, "/servers/")
	before := heard.Load()
	if before == 0 {
		t.Fatal("the server was not asked when it should be")
	}
	values := map[string]string{"id": server, "slug": "why", "session": "nothing", "token": "nothing"}
	for _, route := range routes(t, "GET") {
		if strings.Contains(route, "*") {
			continue
		}
		s.Page(with(route, values) + "?url=" + url.QueryEscape(address) + "&tool=t&args=%7B%7D")
	}
	if after := heard.Load(); after != before {
		t.Errorf("the server was asked %d times by looking", after-before)
	}
}

// TestHostHeader_BuildsNoLink, nor leads anywhere (faults 61 and 62).
func TestHostHeader_BuildsNoLink(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, nil)
	s.Stranger()
	evil := http.Header{
		"Host": {"evil.example"}, "X-Forwarded-Host": {"evil.example"}, "X-Forwarded-Proto": {"gopher"},
		"Cookie": {s.Cookies},
	}
	for _, path := range []string{"/", "/test", "/servers/azure-devops", "/learn/why", "/history",
		s.Last, s.Last + ".md", s.Last + ".har", "/nothing", "/learn/"} {
		got := s.Do("GET", path, "", evil)
		if to := got.Header.Get("Location"); strings.Contains(got.Body+to, "evil.example") ||
			strings.Contains(to, "gopher") {
			t.Errorf("%s: the answer or its Location (%q) names the Host", path, to)
		}
	}
	for _, path := range []string{"//evil.example/", "/\\evil.example/", "///evil.example//",
		"/%2fevil.example/"} {
		if to := s.Do("GET", path, "", nil).Header.Get("Location"); strings.HasPrefix(to, "//") ||
			strings.HasPrefix(to, "/\\") || strings.Contains(to, ":") {
			t.Errorf("%s leads to %s", path, to)
		}
	}
	if to := s.Do("POST", "/exchanges", "sample=azure-devops",
		evil).Header.Get("Location"); !strings.HasPrefix(to, "/x/") {
		t.Errorf("a form leads to %s", to)
	}
	for _, back := range []string{"https://evil.example/learn/", "//evil.example",
		"/learn//../\\evil.example", "/learn/\r\nX: y", "/learn/why"} {
		got := s.Do(
			"POST", s.Last+"/rounds",
			url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"decline"}, "back": {back}}.Encode(),
			http.Header{"Cookie": {s.Cookies}},
		)
		if to := got.Header.Get("Location"); strings.Contains(to, "evil") ||
			strings.ContainsAny(to, "\r\n\\") {
			t.Errorf("back=%q leads to %q", back, to)
		}
	}
}

// TestHost_OnlyOwnNames holds faults 88 and 93: a page of another site that
// reaches this program by DNS rebinding is refused.
func TestHost_OnlyOwnNames(t *testing.T) {
	t.Parallel()
	hosts := func(c *site.Config) {
		c.App.BaseURL, c.App.Hosts = "https://lab.example", []string{"playground"}
	}
	for mode, names := range map[app.Mode]map[string]bool{
		app.Local: {
			"localhost:2322": true, "127.0.0.1": true, "[::1]:2322": true, "evil.test": false,
			"192.0.2.7:2322": false, "lab.example": false, "playground": false, "localhost.evil.test": false,
		},
		app.Trusted: {
			"localhost:2322": true, "127.0.0.1": true, "[::1]:2322": true, "evil.test": false,
			"192.0.2.7:2322": true, "[2001:db8::7]:2322": true, "lab.example": true, "LAB.example:443": true,
			"playground:2322": true, "playground.evil.test": false, "127.0.0.1.evil.test": false,
			"2130706433": false, "0x7f.1": false, "evil.test:127.0.0.1": false,
		},
	} {
		s := sitetest.NewWith(t, mode, wire.Config{}, hosts)
		for name, known := range names {
			for _, method := range []string{"GET", "POST"} {
				got := s.Do(method, "/history", "", http.Header{"Host": {name}})
				if refused := got.HTML().Has(`[data-error="foreign_host"]`); refused == known {
					t.Errorf("mode %v, %s with Host %s: %d", mode, method, name, got.Status)
				}
			}
		}
	}
}
