package client_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestCapture_MasksCredentials(t *testing.T) {
	t.Parallel()
	const secret = "tok3n-of-the-client-9000"
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) { cfg.App.NewID = rand.Text })
	f := sitetest.InFrontOf(t, s, func(conn net.Conn) {
		body := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",` +
			`"content":[{"type":"text","text":"` + secret + `"}]}}`
		fmt.Fprintf(conn,
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Echo: %s\r\n"+
				"Set-Cookie: id=cookie-of-the-server-5; Path=/\r\nContent-Length: %d\r\n\r\n%s",
			secret, len(body), body)
	})
	token := strings.TrimPrefix(f.Path, "/c/")
	got := f.Send(playground.ToolsCall, map[string]any{"name": "t", "arguments": map[string]any{
		"key": secret, "address": f.Path,
	}}, "Authorization", "Bearer "+secret, "X-Api-Key", "key-of-the-client-77")
	got.Contains(t, secret) // the client gets what the server sent
	if sent := string(<-f.Requests); !strings.Contains(sent, "Bearer "+secret) ||
		!strings.Contains(sent, "key-of-the-client-77") {
		t.Errorf("the server did not get the credentials: %s", sent)
	}
	for name, content := range s.Stored() {
		for _, hidden := range []string{secret, "key-of-the-client-77", "cookie-of-the-server-5"} {
			if bytes.Contains(content, []byte(hidden)) {
				t.Errorf("%s is in %s", hidden, name)
			}
		}
	}
	// the server repeats it although the client has another one by now
	f.Send(playground.ToolsCall, map[string]any{"name": "t"}, "Authorization", "Bearer another-token-of-it")
	if content := s.Stored(); bytes.Contains(content["database"], []byte(secret)) ||
		bytes.Contains(content["database-wal"], []byte(secret)) {
		t.Error("an earlier credential is stored")
	}
	n, log := f.Recorded()
	for _, e := range slices.Concat(log, n.Exchanges[0].Log) {
		if bytes.Contains(e.Data, []byte(token)) {
			t.Error("the token of the capture is recorded")
		}
	}
	if strings.Contains(s.Logs.String(), token) || strings.Contains(s.Logs.String(), secret) {
		t.Error("a secret is in the log")
	}
}

// behindHops is a site that takes requests through proxies, as that of the command client.
func behindHops(t *testing.T) *sitetest.Site {
	t.Helper()
	return sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) { c.Proxied = true })
}

func TestCapture_IsNoOpenProxy(t *testing.T) {
	t.Parallel()
	f := sitetest.InFrontOf(t, behindHops(t), func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
	})
	for name, c := range map[string]struct {
		method, path string
		header       http.Header
		status       int
		code         string
	}{
		"a longer path":    {"POST", f.Path + "/more", nil, 404, "capture_not_found"},
		"a query":          {"POST", f.Path + "?a=b", nil, 400, "capture_query"},
		"another method":   {"PUT", f.Path, nil, 405, "capture_method"},
		"a browser":        {"GET", f.Path, http.Header{"Accept": {"text/html"}}, 405, "capture_method"},
		"an unknown token": {"POST", "/c/unknown", nil, 404, "capture_not_found"},
		"from itself": {"POST", f.Path, http.Header{"Via": {"1.1 a, 1.1 mrtr-playground"}}, 508,
			"capture_loop"},
		"another site":       {"POST", f.Path, http.Header{"Origin": {"https://evil.example"}}, 403, ""},
		"DNS rebinding":      {"POST", f.Path, http.Header{"Host": {"evil.example"}}, 403, ""},
		"a null origin":      {"POST", f.Path, http.Header{"Origin": {"null"}}, 403, ""},
		"a trailing slash":   {"POST", f.Path + "/", nil, 404, "capture_not_found"},
		"an encoded segment": {"POST", f.Path + "%2f..%2fx", nil, 404, "capture_not_found"},
	} {
		got := f.Do(c.method, c.path, "", c.header)
		if got.Status != c.status || got.Header.Get("Mcp-Capture-Error") != c.code {
			t.Errorf("%s: %d %q %s", name, got.Status, got.Header.Get("Mcp-Capture-Error"),
				sitetest.Excerpt(got.Body))
		}
	}
	if n := f.Seen.Load(); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
	if got := f.Do(http.MethodPost, f.Path, "", nil); got.Status != http.StatusAccepted {
		t.Errorf("%d", got.Status)
	}
	f.Post(f.Page+"/end", "")
	ended := f.Do(http.MethodPost, f.Path, "", nil)
	unknown := f.Do(http.MethodPost, "/c/unknown", "", nil)
	if ended.Status != http.StatusNotFound || ended.Body != unknown.Body {
		t.Errorf("%d %s, unknown %s", ended.Status, ended.Body, unknown.Body)
	}
	f.Get(f.Page).Has(t, `.outcome "– ended"`)
}

// TestCapture_RecordsAQuery: an access token in the query of the address is recorded masked,
// judged and refused.
func TestCapture_RecordsAQuery(t *testing.T) {
	t.Parallel()
	const secret = "tok3n-in-the-query-9000"
	f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
	})
	for _, query := range []string{
		"?access_token=" + secret, "?x=1&" + url.QueryEscape(secret) + "&=" + secret,
	} {
		got := f.Do(http.MethodPost, f.Path+query, `{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
			`"params":{"name":"t","arguments":{"key":"`+secret+`"}}}`,
			http.Header{"Authorization": {"Bearer " + secret}})
		if got.Status != http.StatusBadRequest || got.Header.Get("Mcp-Capture-Error") != "capture_query" {
			t.Errorf("%d %s", got.Status, sitetest.Excerpt(got.Body))
		}
	}
	if n := f.Seen.Load(); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
	n, log := f.Recorded()
	r := pure.NewReport(n, log)
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
	for name, content := range f.Stored() {
		if bytes.Contains(content, []byte(secret)) {
			t.Errorf("the token is in %s", name)
		}
	}
}

// TestCapture_IsPrivate: another visitor sees nothing of a capture, and guessing ends.
func TestCapture_IsPrivate(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	mine, other := s.Visitor(t), s.Visitor(t)
	page := mine.Follow("/clients", url.Values{"server": {"azure-devops"}})
	id := page.HTML().Values("main[data-capture]", "data-capture")[0]
	for _, path := range []string{
		"/clients/" + id, "/clients/" + id + ".json", "/clients/" + id + "/events",
		"/clients/" + id + "/frames/1", "/sessions/" + id,
	} {
		if got := other.Page(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	if got := other.Follow("/clients/"+id+"/end", url.Values{}); got.Status != http.StatusNotFound {
		t.Errorf("ended by another visitor: %d", got.Status)
	}
	if strings.Contains(other.Page("/test").Body, id) {
		t.Error("it is in another visitor's list")
	}
	address, err := url.Parse(page.HTML().Texts("[data-address]")[0])
	sitetest.Check(t, err)
	var last sitetest.Answer
	for i := range 40 {
		last = s.Post(fmt.Sprintf("/c/GUESS%d", i), "")
		if last.Status != http.StatusNotFound {
			break
		}
	}
	if last.Status != http.StatusTooManyRequests || last.Header.Get("Retry-After") == "" {
		t.Errorf("after many guesses: %d", last.Status)
	}
	if got := s.Post(address.Path, ""); got.Status == http.StatusTooManyRequests {
		t.Error("the right address does not work any more")
	}
}

// TestCapture_ReachesNoInsideAddress: the guard of calls holds for captures.
func TestCapture_ReachesNoInsideAddress(t *testing.T) {
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
	s := sitetest.NewWith(t, app.Public, wire.Config{
		Resolver: sitetest.Names{"inside.example": "127.0.0.1", "meta.example": "169.254.169.254"},
	})
	v := s.Visitor(t)
	first, err := url.Parse(v.Follow("/clients",
		url.Values{"server": {"azure-devops"}}).HTML().Texts("[data-address]")[0])
	sitetest.Check(t, err)
	k, err := s.Store.CaptureAt(t.Context(), strings.TrimPrefix(first.Path, "/c/"))
	sitetest.Check(t, err)
	workspace := k.Workspace
	for i, address := range []string{
		"https://inside.example/mcp", "https://meta.example/mcp", "https://127.0.0.1/mcp",
		"https://[::1]:8443/mcp",
	} {
		id := fmt.Sprint("inside", i)
		sitetest.Check(t, s.Store.AddTarget(t.Context(), workspace, playground.Target{
			ID: id, Name: "inside", URL: address, Capabilities: json.RawMessage(`{}`),
		}, s.Config.App.Now()))
		page := v.Follow("/clients", url.Values{"server": {id}})
		u, err := url.Parse(page.HTML().Texts("[data-address]")[0])
		sitetest.Check(t, err)
		c := &sitetest.Capture{Site: s, Path: u.Path}
		got := c.Send(playground.ToolsList, map[string]any{})
		if got.Status != http.StatusBadGateway || got.Header.Get("Mcp-Capture-Error") != "blocked_address" {
			t.Errorf("%s: %d %s", address, got.Status, got.Body)
		}
	}
	if n := seen.Load(); n != 0 {
		t.Errorf("%d connections inside", n)
	}
}

// TestCapture_TooManyCredentials: more than can be remembered and masked is refused.
func TestCapture_TooManyCredentials(t *testing.T) {
	t.Parallel()
	f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), nil)
	many := http.Header{}
	for i := range 40 {
		many.Set(fmt.Sprintf("X-Api-Key-%d", i), "some-key")
	}
	for name, h := range map[string]http.Header{
		"many": many, "long": {"Authorization": {"Bearer " + strings.Repeat("a", 17<<10)}},
	} {
		if got := f.Do(http.MethodPost, f.Path, "{}",
			h); got.Status != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
	if f.Seen.Load() != 0 {
		t.Error("something was sent")
	}
}
