package site_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/faults/balance"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// names is a resolver of few names.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if ip, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(ip)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// limitsFor lets the limit of time that a failure is about end at once, and no other.
func limitsFor(class string) wire.Limits {
	const short, never = 100 * time.Millisecond, time.Hour
	l := wire.Limits{TLS: never, FirstByte: never, Idle: never, Total: never, Body: 8 << 10}
	switch class {
	case "timeout_connect":
		l.TLS = short
	case "timeout_first_byte":
		l.FirstByte = short
	case "timeout_idle":
		l.Idle = short
	case "timeout_total":
		l.Total = short
	}
	return l
}

// listener serves every connection with f.
func listener(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				f(conn)
			}()
		}
	}()
	return l.Addr().String()
}

// says reads a request and answers with these bytes.
func says(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = conn.Write([]byte(answer))
		}
	}
}

// http1 is a complete answer.
func http1(status, contentType, body string, more ...string) func(net.Conn) {
	head := fmt.Sprintf(
		"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n", status, contentType, len(body),
	)
	for _, line := range more {
		head += line + "\r\n"
	}
	return says(head + "\r\n" + body)
}

func json1(body string) func(net.Conn) { return http1("200 OK", "application/json", body) }

// silent accepts a connection and sends nothing until the client closes it.
func silent(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// begins sends the beginning of an answer, and then nothing until the client closes
// the connection.
func begins(conn net.Conn) {
	says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n ")(conn)
	silent(conn)
}

// failures are one fake server, or one thing to type, for each class.
func failures(t *testing.T) map[string]string {
	t.Helper()
	at := func(f func(net.Conn)) string { return "http://" + listener(t, f) + "/mcp" }
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	return map[string]string{
		"bad_url":            "ftp://example.com/mcp",
		"stdio_command":      "npx -y @modelcontextprotocol/server-everything",
		"dns":                "http://nowhere.test/mcp",
		"refused":            "http://127.0.0.1:1/mcp", // which nothing uses
		"unreachable":        "http://broadcast.test/mcp",
		"tls_untrusted":      secure.URL + "/mcp",
		"no_tls":             "https://" + listener(t, says("HTTP/1.1 400 Bad Request\r\n\r\n")) + "/mcp",
		"timeout_connect":    "https://" + listener(t, silent) + "/mcp",
		"timeout_first_byte": at(silent),
		"timeout_idle": at(func(c net.Conn) {
			says("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hello\n")(c)
			silent(c)
		}),
		"timeout_total": at(begins),
		"too_large":     at(json1(`"` + strings.Repeat("x", 9<<10) + `"`)),
		"too_deep":      at(json1(strings.Repeat("[", 80) + strings.Repeat("]", 80))),
		"reset": at(
			says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"),
		),
		"not_http": at(func(c net.Conn) {
			_, _ = c.Write([]byte("SSH-2.0-OpenSSH_9.9\r\n"))
			silent(c)
		}),
		"redirect":     at(http1("307 Temporary Redirect", "text/plain", "", "Location: /mcp/")),
		"not_json":     at(json1(`{oops`)),
		"content_type": at(http1("200 OK", "text/html", "<h1>Log in</h1>")),
		"http_401": at(http1("401 Unauthorized", "text/plain", "",
			`WWW-Authenticate: Bearer realm="x, y", `+
				`resource_metadata="https://h/.well-known/oauth-protected-resource", scope="mcp"`)),
		"http_403":    at(http1("403 Forbidden", "text/plain", "no")),
		"http_404":    at(http1("404 Not Found", "text/plain", "no")),
		"http_405":    at(http1("405 Method Not Allowed", "text/plain", "no")),
		"http_429":    at(http1("429 Too Many Requests", "text/plain", "no", "Retry-After: 3")),
		"http_4xx":    at(http1("418 I'm a teapot", "text/plain", "no")),
		"http_5xx":    at(http1("502 Bad Gateway", "text/html", "no")),
		"http_status": at(says("HTTP/1.1 204 No Content\r\n\r\n")),
		"no_response": at(http1("200 OK", "text/event-stream", ": bye\n\n")),
		"rpc":         at(json1(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"broken"}}`)),
		"violation":   at(json1(`{"jsonrpc":"2.0","id":7,"result":{}}`)),
		"protocol_version": at(http1("400 Bad Request", "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no",`+
				`"data":{"supported":["2099-01-01"],"requested":"2026-07-28"}}}`)),
		"capability": at(http1("400 Bad Request", "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no",`+
				`"data":{"requiredCapabilities":{"sampling":{}}}}}`)),
		"header_mismatch": at(http1(
			"400 Bad Request", "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}`,
		)),
	}
}

// codes are all failures that a page shows.
func codes(body string) []string {
	return htmltest.Parse(body).Values("[data-error]", "data-error")
}

// connectTo posts the form of connecting and returns the page it leads to.
func (s *testSite) connectTo(address string, more ...string) answer {
	s.t.Helper()
	form := url.Values{"url": {address}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Add(more[i], more[i+1])
	}
	return s.follow("/servers", form)
}

// visitor is another browser on the same site.
func (s *testSite) visitor(t *testing.T) *testSite {
	return &testSite{t: t, url: s.url, client: s.client}
}

// follow posts a form as one browser, whose cookies s keeps, and returns the
// page it leads to.
func (s *testSite) follow(path string, form url.Values) answer {
	s.t.Helper()
	got := s.do("POST", path, form.Encode(), http.Header{"Cookie": {s.cookies}})
	for _, line := range got.header.Values("Set-Cookie") {
		s.cookies, _, _ = strings.Cut(line, ";")
	}
	if got.status == http.StatusSeeOther {
		got = s.page(s.last)
	}
	return got
}

// page reads a page as the browser of follow.
func (s *testSite) page(path string) answer {
	s.t.Helper()
	return s.do("GET", path, "", http.Header{"Cookie": {s.cookies}})
}

func TestFailures_HaveOneCodeEach(t *testing.T) {
	t.Parallel()
	for class, address := range failures(t) {
		t.Run(class, func(t *testing.T) {
			t.Parallel()
			s := newSiteWith(t, app.Local, wire.Config{
				Limits: limitsFor(class), Resolver: names{"broadcast.test": "255.255.255.255"},
			})
			got := s.connectTo(address)
			if found := codes(got.body); !slices.Equal(found, []string{class}) {
				t.Errorf("got %q, want %q\n%s", found, class, excerpt(got.body))
			}
			words := views.SentenceOf(wire.Class(class))
			if !strings.Contains(got.body, words.What[:12]) || words.Try == "" {
				t.Errorf("the page does not say %q", words.What)
			}
		})
	}
}

func TestFailures_HaveDistinctSentences(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for class := range failures(t) {
		words := views.SentenceOf(wire.Class(class))
		for _, text := range []string{words.What, words.Try} {
			if other := seen[text]; other != "" || text == "" {
				t.Errorf("%s and %s both say %q", class, other, text)
			}
			seen[text] = class
		}
	}
}

func TestPublicMode_ExplainsHowToReachOwnServers(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Public, wire.Config{Resolver: names{"inside.test": "10.0.0.1"}})
	for _, address := range []string{"http://localhost:3000/mcp", "localhost:3000/mcp",
		"https://127.0.0.1/mcp", "http://192.168.1.5/mcp", "https://inside.test/mcp"} {
		got := s.connectTo(address)
		if found := codes(got.body); !slices.Equal(found, []string{"blocked_address"}) {
			t.Errorf("%s: %q", address, found)
		}
		if !strings.Contains(got.body,
			"go run github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground") {
			t.Errorf("%s: the page does not say how to run this locally", address)
		}
	}
}

func TestSuggestions_ConnectOnlyWhenClicked(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Local, wire.Config{Resolver: names{}})
	known := failures(t)
	for _, c := range []struct{ address, want string }{
		{"example.com/mcp", "https://example.com/mcp"},
		{"localhost:3000/mcp", "http://localhost:3000/mcp"},
		{`{"mcpServers":{"x":{"url":"https://example.com/mcp"}}}`, "https://example.com/mcp"},
		{"claude mcp add --transport http x https://example.com/mcp", "https://example.com/mcp"},
		{"https://user:pass@example.com/mcp", "https://example.com/mcp"},
		{"https://example.com/mcp#top", "https://example.com/mcp"},
		{known["redirect"], known["redirect"] + "/"},
		{strings.Replace(known["http_404"], "/mcp", "/sse", 1), known["http_404"]},
		{strings.TrimSuffix(known["content_type"], "/mcp"), known["content_type"]},
		{"https://" + strings.TrimPrefix(known["not_json"], "http://"), known["not_json"]},
		{known["no_tls"], "http://" + strings.TrimPrefix(known["no_tls"], "https://")},
	} {
		got := s.connectTo(c.address)
		if !got.html().Has(`[data-guess="`+c.want+`"]`) ||
			!got.html().Has(`[name="url"][value="`+c.want+`"]`) {
			t.Errorf("%s: no guess %s\n%s", c.address, c.want, excerpt(got.body))
		}
	}
}

func TestChallenge_IsShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	got := s.connectTo(failures(t)["http_401"])
	got.has(t, `strong "Bearer"`, `[data-challenge] "x, y"`,
		`[data-challenge] dt "resource_metadata"`,
		`[data-challenge] "https://h/.well-known/oauth-protected-resource"`, `[data-challenge] dt "scope"`)
}

func TestHeaders_BadOneIsRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, lines := range []string{"no colon", "Connection: close", "Bad Name: x",
		"Authorization: Basic abc\nAuthorization: x"} {
		got := s.connectTo("http://127.0.0.1:1/mcp", "headers", lines)
		if got.status != http.StatusUnprocessableEntity ||
			!slices.Equal(codes(got.body), []string{"bad_header"}) {
			t.Errorf("%q: %d %q", lines, got.status, codes(got.body))
		}
	}
}

// TestFailures_ABrowserThatLeft: a page whose reader has gone is not an error of
// this program.
func TestFailures_ABrowserThatLeft(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, path := range []string{"/history", "/servers", "/servers/confirm", "/x/nothing", "/saved"} {
		ctx, leave := context.WithCancel(t.Context())
		leave()
		request := httptest.NewRequest("GET", siteBase+path, nil).WithContext(ctx)
		s.handler.ServeHTTP(httptest.NewRecorder(), request)
	}
	s.noErrors()
}

// TestFailures_LeaveNoGoroutine: once every kind of failure was shown, no more
// goroutines, open files and memory are there than before (fault 87).
func TestFailures_LeaveNoGoroutine(t *testing.T) {
	sites := map[string]*testSite{}
	for _, limit := range []string{"", "timeout_first_byte", "timeout_idle"} {
		s := newSiteWith(t, app.Local, wire.Config{
			Limits: limitsFor(limit), Resolver: names{"broadcast.test": "255.255.255.255"},
		})
		s.client.Transport = &http.Transport{DisableKeepAlives: true}
		s.connectTo("http://" + listener(t, json1(`{}`)) + "/mcp")
		sites[limit] = s
	}
	wrong := failures(t)
	end := balance.Begin(t, balance.Growth)
	for _, class := range []string{"refused", "unreachable", "tls_untrusted", "reset", "not_http", "redirect",
		"too_large", "too_deep", "not_json", "content_type", "http_401", "http_5xx", "no_response",
		"violation", "timeout_first_byte", "timeout_idle"} {
		s := sites[class]
		if s == nil {
			s = sites[""]
		}
		if got := s.connectTo(wrong[class]); !slices.Equal(codes(got.body), []string{class}) {
			t.Errorf("%s: %q", class, codes(got.body))
		}
	}
	end()
}
