package client_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// raw sends bytes to the site and returns the first final response to them.
func raw(s *sitetest.Site, t *testing.T, method, request string) sitetest.Answer {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	sitetest.Check(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, request)
	sitetest.Check(t, err)
	reader := bufio.NewReader(conn)
	for {
		res, err := http.ReadResponse(reader, &http.Request{Method: method})
		sitetest.Check(t, err)
		body, err := io.ReadAll(res.Body)
		sitetest.Check(t, err)
		if res.StatusCode >= http.StatusOK || res.StatusCode == http.StatusSwitchingProtocols {
			return sitetest.Answer{Status: res.StatusCode, Header: res.Header, Body: string(body)}
		}
	}
}

// two is the end of a message with two bytes.
const two = "Content-Length: 2\r\n\r\n{}"

// TestCapture_StrangeRequests: a request that is no plain HTTP/1.1 is refused,
// or reaches the server as one.
func TestCapture_StrangeRequests(t *testing.T) {
	t.Parallel()
	f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"+two)
	})
	host := strings.TrimPrefix(f.URL, "http://")
	token, of := strings.TrimPrefix(f.Path, "/c/"), "\r\nHost: "+host+"\r\n"
	post, chunked := "POST "+f.Path+" HTTP/1.1"+of, "Transfer-Encoding: chunked\r\n"
	for name, c := range map[string]struct {
		request string
		status  int
		body    string // that the server gets; it gets no request if this is empty
	}{
		"absolute form":   {"POST http://" + host + f.Path + " HTTP/1.1\r\nHost: x\r\n" + two, 200, "{}"},
		"of another host": {"POST http://evil.example" + f.Path + " HTTP/1.1" + of + two, 403, ""},
		"a tunnel":        {"CONNECT evil.example:443 HTTP/1.1" + of + "\r\n", 403, ""},
		"two lengths":     {post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, ""},
		"length and chunks": {post + "Content-Length: 9\r\n" + chunked + "\r\n2\r\n{}\r\n0\r\n\r\n", 200,
			"{}"},
		"another coding":   {post + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 501, ""},
		"chunk extensions": {post + chunked + "\r\n2;a=\"b\"\r\n{}\r\n0;x\r\n\r\n", 200, "{}"},
		"trailers": {post + "Trailer: Authorization\r\n" + chunked +
			"\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer t\r\n\r\n", 200, "{}"},
		"waits for 100": {post + "Expect: 100-continue\r\n" + two, 200, "{}"},
		"HTTP/1.0":      {"POST " + f.Path + " HTTP/1.0" + of + two, 200, "{}"},
		"an upgrade": {post + "Connection: Upgrade, X-Hop, HTTP2-Settings\r\nUpgrade: h2c\r\n" +
			"HTTP2-Settings: AA\r\nX-Hop: 1\r\n" + two, 200, "{}"},
		"settings alone":     {post + "HTTP2-Settings: AA\r\n" + two, 200, "{}"},
		"a folded field":     {post + "X-A: a\r\n b\r\n" + two, 200, "{}"},
		"a space in a name":  {post + "X-A : a\r\n" + two, 400, ""},
		"bytes after it":     {post + "Content-Length: 2\r\n\r\n{}POST /mcp/x HTTP/1.1\r\n\r\n", 200, "{}"},
		"encoded body":       {post + "Content-Encoding: gzip\r\n" + two, 200, "{}"},
		"a trace":            {strings.Replace(post, "POST", "TRACE", 1) + "\r\n", 405, ""},
		"a lower-case post":  {strings.Replace(post, "POST", "post", 1) + two, 405, ""},
		"an encoded slash":   {"POST /c%2f" + token + " HTTP/1.1" + of + two, 404, ""},
		"dots":               {"POST /c/../" + token + " HTTP/1.1" + of + two, 404, ""},
		"a form of a page":   {post + "Sec-Fetch-Mode: navigate\r\n" + two, 403, ""},
		"an image of a page": {post + "Sec-Fetch-Mode: no-cors\r\n" + two, 403, ""},
		"a script of a page": {post + "Sec-Fetch-Mode: cors\r\n" + two, 200, "{}"},
	} {
		before := f.Seen.Load()
		got := raw(f.Capture.Site, t, strings.Fields(c.request)[0], c.request)
		if got.Status != c.status || (f.Seen.Load() > before) != (c.body != "") {
			t.Errorf("%s: %d, %d requests %s", name, got.Status, f.Seen.Load()-before,
				sitetest.Excerpt(got.Body))
		}
		if f.Seen.Load() == before {
			continue
		}
		sent := wire.Split(<-f.Requests)
		head, err := wire.ParseHead(sent.Head)
		if err != nil || string(sent.Body) != c.body || head.Line != "POST /mcp HTTP/1.1" ||
			!slices.Equal(head.Values("Content-Length"), []string{fmt.Sprint(len(c.body))}) {
			t.Errorf("%s: the server got %q%q, %v", name, sent.Head, sent.Body, err)
		}
		for _, field := range []string{
			"Transfer-Encoding", "Trailer", "Authorization", "Expect", "Upgrade", "HTTP2-Settings", "X-Hop",
		} {
			if len(head.Values(field)) > 0 {
				t.Errorf("%s: the server got %s", name, field)
			}
		}
	}
}

// TestCapture_StrangeResponses: what a server says acts on nothing between it and the client.
func TestCapture_StrangeResponses(t *testing.T) {
	t.Parallel()
	const stream = "Content-Type: text/event-stream\r\n"
	for name, c := range map[string]struct {
		response string
		status   int
		body     string
	}{
		"a switch": {"HTTP/1.1 101 Go\r\n\r\n", 502, ""},
		"a switch, stream": {"HTTP/1.1 101 Go\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n" + stream +
			"\r\nraw", 502, ""},
		"interim responses": {"HTTP/1.1 103 Hints\r\nLink: </x>; rel=preload\r\n\r\n" +
			"HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\n" + two, 200, "{}"},
		"a redirect inside": {"HTTP/1.1 307 Go\r\nLocation: http://inside.example/\r\n" +
			"Content-Length: 0\r\n\r\n", 307, ""},
		"a page": {"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: Content-Security-Policy\r\n" +
			"Content-Security-Policy: default-src *\r\nX-Accel-Redirect: /clients\r\n" +
			"X-Sendfile: /etc/passwd\r\n" +
			"Surrogate-Control: content=\"ESI/1.0\"\r\nAccept-CH: Sec-CH-UA\r\n" +
			"Cross-Origin-Resource-Policy: cross-origin\r\nAccess-Control-Allow-Credentials: true\r\n" +
			"Set-Cookie: a=b\r\n\r\n<script>alert(1)</script>", 200, "<script>alert(1)</script>"},
		"two lengths": {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 502, ""},
		"a coding":    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 502, ""},
		"zipped": {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b",
			200, "\x1f\x8b"},
		"a line in a field":   {"HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: b\r\n" + two, 200, "{}"},
		"bytes after it":      {"HTTP/1.1 200 OK\r\n" + two + "HTTP/1.1 200 OK\r\n\r\n", 200, "{}"},
		"a stream of nothing": {"HTTP/1.1 204 No\r\n" + stream + "\r\nraw", 204, ""},
		"a stream": {"HTTP/1.1 200 OK\r\nX-Accel-Buffering: yes\r\n" + stream + "\r\n: hi\n\n",
			200, ": hi\n\n"},
		"HTTP/0.9": {"hello", 502, ""},
		"many fields of one connection": {"HTTP/1.1 200 OK\r\nConnection: " + strings.Repeat("a,", 8000) +
			"\r\n" + strings.Repeat("X: y\r\n", 4000) + "\r\n{}", 200, "{}"},
	} {
		f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
			_, _ = io.WriteString(conn, c.response)
		})
		got := f.Do(http.MethodPost, f.Path, "{}", http.Header{"Accept-Encoding": {"identity"}})
		if got.Status != c.status || got.Status < 300 && got.Body != c.body {
			t.Errorf("%s: %d %s", name, got.Status, sitetest.Excerpt(got.Body))
		}
		for _, field := range []string{
			"Location", "Link", "Set-Cookie", "X-Accel-Redirect", "X-Sendfile", "Surrogate-Control",
			"Accept-Ch", "Upgrade", "Access-Control-Allow-Credentials", "Cross-Origin-Resource-Policy",
		} {
			if v, there := got.Header[field]; there {
				t.Errorf("%s: %s: %s came back", name, field, v)
			}
		}
		const policy = "default-src 'none'; sandbox; frame-ancestors 'none'"
		if got.Header.Get("Content-Security-Policy") != policy ||
			got.Header.Get("Content-Disposition") != "attachment" ||
			got.Header.Get("X-Accel-Buffering") == "yes" {
			t.Errorf("%s: %v", name, got.Header)
		}
	}
}
