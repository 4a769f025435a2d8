package server_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/faults/balance"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

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

// begins sends the beginning of an answer, and then nothing until the client closes
// the connection.
func begins(conn net.Conn) {
	sitetest.Says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n ")(conn)
	sitetest.Silent(conn)
}

// failures are one fake server, or one thing to type, for each class.
func failures(t *testing.T) map[string]string {
	t.Helper()
	at := func(f func(net.Conn)) string { return "http://" + sitetest.Listener(t, f) + "/mcp" }
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	return map[string]string{
		"bad_url":       "ftp://example.com/mcp",
		"stdio_command": "npx -y @modelcontextprotocol/server-everything",
		"dns":           "http://nowhere.test/mcp",
		"refused":       "http://127.0.0.1:1/mcp", // which nothing uses
		"unreachable":   "http://broadcast.test/mcp",
		"tls_untrusted": secure.URL + "/mcp",
		"no_tls": "https://" + sitetest.Listener(t,
			sitetest.Says("HTTP/1.1 400 Bad Request\r\n\r\n")) + "/mcp",
		"timeout_connect":    "https://" + sitetest.Listener(t, sitetest.Silent) + "/mcp",
		"timeout_first_byte": at(sitetest.Silent),
		"timeout_idle": at(func(c net.Conn) {
			sitetest.Says("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hello\n")(c)
			sitetest.Silent(c)
		}),
		"timeout_total": at(begins),
		"too_large":     at(sitetest.JSON1(`"` + strings.Repeat("x", 9<<10) + `"`)),
		"too_deep":      at(sitetest.JSON1(strings.Repeat("[", 80) + strings.Repeat("]", 80))),
		"reset": at(
			sitetest.Says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"),
		),
		"not_http": at(func(c net.Conn) {
			_, _ = c.Write([]byte("SSH-2.0-OpenSSH_9.9\r\n"))
			sitetest.Silent(c)
		}),
		"redirect":     at(sitetest.HTTP1("307 Temporary Redirect", "text/plain", "", "Location: /mcp/")),
		"not_json":     at(sitetest.JSON1(`{oops`)),
		"content_type": at(sitetest.HTTP1("200 OK", "text/html", "<h1>Log in</h1>")),
		"http_401": at(sitetest.HTTP1("401 Unauthorized", "text/plain", "",
			`WWW-Authenticate: Bearer realm="x, y", `+
				`resource_metadata="https://h/.well-known/oauth-protected-resource", scope="mcp"`)),
		"http_403":    at(sitetest.HTTP1("403 Forbidden", "text/plain", "no")),
		"http_404":    at(sitetest.HTTP1("404 Not Found", "text/plain", "no")),
		"http_405":    at(sitetest.HTTP1("405 Method Not Allowed", "text/plain", "no")),
		"http_429":    at(sitetest.HTTP1("429 Too Many Requests", "text/plain", "no", "Retry-After: 3")),
		"http_4xx":    at(sitetest.HTTP1("418 I'm a teapot", "text/plain", "no")),
		"http_5xx":    at(sitetest.HTTP1("502 Bad Gateway", "text/html", "no")),
		"http_status": at(sitetest.Says("HTTP/1.1 204 No Content\r\n\r\n")),
		"no_response": at(sitetest.HTTP1("200 OK", "text/event-stream", ": bye\n\n")),
		"rpc": at(sitetest.JSON1(
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"broken"}}`)),
		"violation": at(sitetest.JSON1(`{"jsonrpc":"2.0","id":7,"result":{}}`)),
		"protocol_version": at(sitetest.HTTP1("400 Bad Request", "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no",`+
				`"data":{"supported":["2099-01-01"],"requested":"2026-07-28"}}}`)),
		"capability": at(sitetest.HTTP1("400 Bad Request", "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no",`+
				`"data":{"requiredCapabilities":{"sampling":{}}}}}`)),
		"header_mismatch": at(sitetest.HTTP1(
			"400 Bad Request", "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}`,
		)),
	}
}

func TestFailures_HaveOneCodeEach(t *testing.T) {
	t.Parallel()
	for class, address := range failures(t) {
		t.Run(class, func(t *testing.T) {
			t.Parallel()
			s := sitetest.NewWith(t, app.Local, wire.Config{
				Limits: limitsFor(class), Resolver: sitetest.Names{"broadcast.test": "255.255.255.255"},
			})
			got := s.ConnectTo(address)
			if found := sitetest.Codes(got.Body); !slices.Equal(found, []string{class}) {
				t.Errorf("got %q, want %q\n%s", found, class, sitetest.Excerpt(got.Body))
			}
			words := doctor.SentenceOf(wire.Class(class))
			if !strings.Contains(got.Body, words.What[:12]) || words.Try == "" {
				t.Errorf("the page does not say %q", words.What)
			}
		})
	}
}

func TestFailures_HaveDistinctSentences(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for class := range failures(t) {
		words := doctor.SentenceOf(wire.Class(class))
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
	s := sitetest.NewWith(t, app.Public, wire.Config{Resolver: sitetest.Names{"inside.test": "10.0.0.1"}})
	for _, address := range []string{"http://localhost:3000/mcp", "localhost:3000/mcp",
		"https://127.0.0.1/mcp", "http://192.168.1.5/mcp", "https://inside.test/mcp"} {
		got := s.ConnectTo(address)
		if found := sitetest.Codes(got.Body); !slices.Equal(found, []string{"blocked_address"}) {
			t.Errorf("%s: %q", address, found)
		}
		if !strings.Contains(got.Body,
			"go run github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground") {
			t.Errorf("%s: the page does not say how to run this locally", address)
		}
	}
}

func TestSuggestions_ConnectOnlyWhenClicked(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{Resolver: sitetest.Names{}})
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
		got := s.ConnectTo(c.address)
		if !got.HTML().Has(`[data-guess="`+c.want+`"]`) ||
			!got.HTML().Has(`[name="url"][value="`+c.want+`"]`) {
			t.Errorf("%s: no guess %s\n%s", c.address, c.want, sitetest.Excerpt(got.Body))
		}
	}
}

func TestChallenge_IsShown(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	got := s.ConnectTo(failures(t)["http_401"])
	got.Has(t, `strong "Bearer"`, `[data-challenge] "x, y"`,
		`[data-challenge] dt "resource_metadata"`,
		`[data-challenge] "https://h/.well-known/oauth-protected-resource"`, `[data-challenge] dt "scope"`)
}

func TestHeaders_BadOneIsRefused(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, lines := range []string{"no colon", "Connection: close", "Bad Name: x",
		"Authorization: Basic abc\nAuthorization: x"} {
		got := s.ConnectTo("http://127.0.0.1:1/mcp", "headers", lines)
		if got.Status != http.StatusUnprocessableEntity ||
			!slices.Equal(sitetest.Codes(got.Body), []string{"bad_header"}) {
			t.Errorf("%q: %d %q", lines, got.Status, sitetest.Codes(got.Body))
		}
	}
}

// TestFailures_ABrowserThatLeft: a page whose reader has gone is not an error of
// this program.
func TestFailures_ABrowserThatLeft(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, path := range []string{"/history", "/test", "/servers/confirm", "/x/nothing", "/saved"} {
		ctx, leave := context.WithCancel(t.Context())
		leave()
		request := httptest.NewRequest("GET", sitetest.Base+path, nil).WithContext(ctx)
		s.Handler.ServeHTTP(httptest.NewRecorder(), request)
	}
	s.NoErrors()
}

// TestFailures_LeaveNoGoroutine: once every kind of failure was shown, no more
// goroutines, open files and memory are there than before (fault 87).
func TestFailures_LeaveNoGoroutine(t *testing.T) {
	sites := map[string]*sitetest.Site{}
	for _, limit := range []string{"", "timeout_first_byte", "timeout_idle"} {
		s := sitetest.NewWith(t, app.Local, wire.Config{
			Limits: limitsFor(limit), Resolver: sitetest.Names{"broadcast.test": "255.255.255.255"},
		})
		s.Client.Transport = &http.Transport{DisableKeepAlives: true}
		s.ConnectTo("http://" + sitetest.Listener(t, sitetest.JSON1(`{}`)) + "/mcp")
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
		if got := s.ConnectTo(wrong[class]); !slices.Equal(sitetest.Codes(got.Body), []string{class}) {
			t.Errorf("%s: %q", class, sitetest.Codes(got.Body))
		}
	}
	end()
}
