package site_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	pure "github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

func TestCapture_MasksCredentials(t *testing.T) {
	t.Parallel()
	const secret = "tok3n-of-the-client-9000"
	s := newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) { cfg.App.NewID = rand.Text })
	f := inFrontOf(t, s, func(conn net.Conn) {
		body := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"` + secret + `"}]}}`
		fmt.Fprintf(conn,
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Echo: %s\r\n"+
				"Set-Cookie: id=cookie-of-the-server-5; Path=/\r\nContent-Length: %d\r\n\r\n%s",
			secret, len(body), body)
	})
	token := strings.TrimPrefix(f.path, "/c/")
	got := f.send(playground.ToolsCall, map[string]any{"name": "t", "arguments": map[string]any{
		"key": secret, "address": f.path,
	}}, "Authorization", "Bearer "+secret, "X-Api-Key", "key-of-the-client-77")
	got.contains(t, secret) // the client gets what the server sent
	if sent := string(<-f.requests); !strings.Contains(sent, "Bearer "+secret) ||
		!strings.Contains(sent, "key-of-the-client-77") {
		t.Errorf("the server did not get the credentials: %s", sent)
	}
	for name, content := range s.stored() {
		for _, hidden := range []string{secret, "key-of-the-client-77", "cookie-of-the-server-5"} {
			if bytes.Contains(content, []byte(hidden)) {
				t.Errorf("%s is in %s", hidden, name)
			}
		}
	}
	// the server repeats it although the client has another one by now
	f.send(playground.ToolsCall, map[string]any{"name": "t"}, "Authorization", "Bearer another-token-of-it")
	if content := s.stored(); bytes.Contains(content["database"], []byte(secret)) ||
		bytes.Contains(content["database-wal"], []byte(secret)) {
		t.Error("an earlier credential is stored")
	}
	n, log := f.recorded()
	for _, e := range slices.Concat(log, n.Exchanges[0].Log) {
		if bytes.Contains(e.Data, []byte(token)) {
			t.Error("the token of the capture is recorded")
		}
	}
	if strings.Contains(s.logs.String(), token) || strings.Contains(s.logs.String(), secret) {
		t.Error("a secret is in the log")
	}
}

// behindHops is a site that takes requests through proxies, as that of the command client.
func behindHops(t *testing.T) *testSite {
	t.Helper()
	return newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) { c.Proxied = true })
}

func TestCapture_IsNoOpenProxy(t *testing.T) {
	t.Parallel()
	f := inFrontOf(t, behindHops(t), func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
	})
	for name, c := range map[string]struct {
		method, path string
		header       http.Header
		status       int
		code         string
	}{
		"a longer path":    {"POST", f.path + "/more", nil, 404, "capture_not_found"},
		"a query":          {"POST", f.path + "?a=b", nil, 400, "capture_query"},
		"another method":   {"PUT", f.path, nil, 405, "capture_method"},
		"a browser":        {"GET", f.path, http.Header{"Accept": {"text/html"}}, 405, "capture_method"},
		"an unknown token": {"POST", "/c/unknown", nil, 404, "capture_not_found"},
		"from itself": {"POST", f.path, http.Header{"Via": {"1.1 a, 1.1 mrtr-playground"}}, 508,
			"capture_loop"},
		"another site":       {"POST", f.path, http.Header{"Origin": {"https://evil.example"}}, 403, ""},
		"DNS rebinding":      {"POST", f.path, http.Header{"Host": {"evil.example"}}, 403, ""},
		"a null origin":      {"POST", f.path, http.Header{"Origin": {"null"}}, 403, ""},
		"a trailing slash":   {"POST", f.path + "/", nil, 404, "capture_not_found"},
		"an encoded segment": {"POST", f.path + "%2f..%2fx", nil, 404, "capture_not_found"},
	} {
		got := f.do(c.method, c.path, "", c.header)
		if got.status != c.status || got.header.Get("Mcp-Capture-Error") != c.code {
			t.Errorf("%s: %d %q %s", name, got.status, got.header.Get("Mcp-Capture-Error"), excerpt(got.body))
		}
	}
	if n := f.seen.Load(); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
	if got := f.do(http.MethodPost, f.path, "", nil); got.status != http.StatusAccepted {
		t.Errorf("%d", got.status)
	}
	f.post(f.page+"/end", "")
	ended := f.do(http.MethodPost, f.path, "", nil)
	unknown := f.do(http.MethodPost, "/c/unknown", "", nil)
	if ended.status != http.StatusNotFound || ended.body != unknown.body {
		t.Errorf("%d %s, unknown %s", ended.status, ended.body, unknown.body)
	}
	f.get(f.page).has(t, `.outcome "– ended"`)
}

// TestCapture_RecordsAQuery: an access token in the query of the address is recorded masked,
// judged and refused.
func TestCapture_RecordsAQuery(t *testing.T) {
	t.Parallel()
	const secret = "tok3n-in-the-query-9000"
	f := inFrontOf(t, newSite(t, app.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
	})
	for _, query := range []string{
		"?access_token=" + secret, "?x=1&" + url.QueryEscape(secret) + "&=" + secret,
	} {
		got := f.do(http.MethodPost, f.path+query, `{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
			`"params":{"name":"t","arguments":{"key":"`+secret+`"}}}`,
			http.Header{"Authorization": {"Bearer " + secret}})
		if got.status != http.StatusBadRequest || got.header.Get("Mcp-Capture-Error") != "capture_query" {
			t.Errorf("%d %s", got.status, excerpt(got.body))
		}
	}
	if n := f.seen.Load(); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
	n, log := f.recorded()
	r := pure.Judge(n, log)
	if r.Requests() != 2 || len(r.Calls) > 0 || len(log) != 4 {
		t.Fatalf("%d requests, %d calls, %d events", r.Requests(), len(r.Calls), len(log))
	}
	named := 0
	for _, found := range r.Findings {
		if found.Rule == "client-secret" && found.Verdict == verdict.Failed {
			named++
		}
	}
	if named != 1 || !strings.Contains(string(log[0].Data), "?access_token=******** HTTP/1.1") ||
		!strings.Contains(string(log[2].Data), "?x=********&=********&=******** HTTP/1.1") {
		t.Errorf("named %d times: %s", named, log[0].Data)
	}
	for name, content := range f.stored() {
		if bytes.Contains(content, []byte(secret)) {
			t.Errorf("the token is in %s", name)
		}
	}
}

// TestCapture_IsPrivate: another visitor sees nothing of a capture, and guessing ends.
func TestCapture_IsPrivate(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	mine, other := s.visitor(t), s.visitor(t)
	page := mine.follow("/clients", url.Values{"server": {"azure-devops"}})
	id := page.html().Values("main[data-capture]", "data-capture")[0]
	for _, path := range []string{
		"/clients/" + id, "/clients/" + id + ".json", "/clients/" + id + "/events",
		"/clients/" + id + "/frames/1", "/sessions/" + id,
	} {
		if got := other.page(path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := other.follow("/clients/"+id+"/end", url.Values{}); got.status != http.StatusNotFound {
		t.Errorf("ended by another visitor: %d", got.status)
	}
	if strings.Contains(other.page("/clients").body, id) {
		t.Error("it is in another visitor's list")
	}
	address, err := url.Parse(page.html().Texts("[data-address]")[0])
	check(t, err)
	var last answer
	for i := range 40 {
		last = s.post(fmt.Sprintf("/c/GUESS%d", i), "")
		if last.status != http.StatusNotFound {
			break
		}
	}
	if last.status != http.StatusTooManyRequests || last.header.Get("Retry-After") == "" {
		t.Errorf("after many guesses: %d", last.status)
	}
	if got := s.post(address.Path, ""); got.status == http.StatusTooManyRequests {
		t.Error("the right address does not work any more")
	}
}

// TestCapture_ReachesNoInsideAddress: the guard of calls holds for captures.
func TestCapture_ReachesNoInsideAddress(t *testing.T) {
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
	s := newSiteWith(t, app.Public, wire.Config{
		Resolver: names{"inside.example": "127.0.0.1", "meta.example": "169.254.169.254"},
	})
	v := s.visitor(t)
	first, err := url.Parse(v.follow("/clients",
		url.Values{"server": {"azure-devops"}}).html().Texts("[data-address]")[0])
	check(t, err)
	k, err := s.store.CaptureAt(t.Context(), strings.TrimPrefix(first.Path, "/c/"))
	check(t, err)
	workspace := k.Workspace
	for i, address := range []string{
		"https://inside.example/mcp", "https://meta.example/mcp", "https://127.0.0.1/mcp",
		"https://[::1]:8443/mcp",
	} {
		id := fmt.Sprint("inside", i)
		check(t, s.store.AddTarget(t.Context(), workspace, playground.Target{
			ID: id, Name: "inside", URL: address, Capabilities: json.RawMessage(`{}`),
		}, s.config.App.Now()))
		page := v.follow("/clients", url.Values{"server": {id}})
		u, err := url.Parse(page.html().Texts("[data-address]")[0])
		check(t, err)
		c := &capture{testSite: s, path: u.Path}
		got := c.send(playground.ToolsList, map[string]any{})
		if got.status != http.StatusBadGateway || got.header.Get("Mcp-Capture-Error") != "blocked_address" {
			t.Errorf("%s: %d %s", address, got.status, got.body)
		}
	}
	if n := seen.Load(); n != 0 {
		t.Errorf("%d connections inside", n)
	}
}

// TestCapture_TooManyCredentials: more than can be remembered and masked is refused.
func TestCapture_TooManyCredentials(t *testing.T) {
	t.Parallel()
	f := inFrontOf(t, newSite(t, app.Local), nil)
	many := http.Header{}
	for i := range 40 {
		many.Set(fmt.Sprintf("X-Api-Key-%d", i), "some-key")
	}
	for name, h := range map[string]http.Header{
		"many": many, "long": {"Authorization": {"Bearer " + strings.Repeat("a", 17<<10)}},
	} {
		if got := f.do(http.MethodPost, f.path, "{}",
			h); got.status != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if f.seen.Load() != 0 {
		t.Error("something was sent")
	}
}
