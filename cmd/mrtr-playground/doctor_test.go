package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// tried runs call and returns what was tried, with ports, dates and random texts replaced.
func tried(t *testing.T, stderr interface {
	io.Writer
	String() string
}, args ...string) string {
	t.Helper()
	var stdout bytes.Buffer
	if err := call(t.Context(), args, patient, &stdout, stderr); err == nil {
		t.Errorf("the call worked: %s", stdout.String())
	}
	text := stderr.String()
	at := strings.LastIndex(text, "what was tried, in order:")
	if at < 0 {
		t.Fatalf("nothing says what was tried:\n%s\n%s", stdout.String(), text)
	}
	text = text[strings.LastIndex(text[:at], "\n")+1:]
	for _, r := range []struct{ pattern, with string }{
		{`\b(127\.0\.0\.1|localhost|\[::1\]):\d+`, "$1:PORT"},
		{`\b(from|to|until) \d{4}-\d\d-\d\d\b`, "$1 DATE"}, {`\bsays [-0-9]{10} [0-9:]{5} UTC`, "says NOW"},
		{`\b[0-9a-f]{32}\b`, "DIGEST"}, {`\bport number(.*?), \d+`, "port number$1, PORT"},
		{`\b[0-9a-f]{64}\b`, strings.Repeat("5e", 32)}, {`(::1, )?127\.0\.0\.1(, ::1)?`, "127.0.0.1"},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.with)
	}
	return text
}

// sameAs compares a text with a golden file.
func sameAs(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "doctor", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// answers returns a server that answers everything alike.
func answers(status int, kind, body string, fields ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		for i := 0; i < len(fields); i += 2 {
			w.Header().Set(fields[i], fields[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// startPlain starts a server, quietly, and returns its URL.
func startPlain(t *testing.T, h http.Handler) string {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// hour makes tables shorter.
const hour = time.Hour

// startTLS starts a server with a certificate for a name, which is valid between two times from
// now.
func startTLS(t *testing.T, name string, from, until time.Duration) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(from), NotAfter: time.Now().Add(until), DNSNames: []string{name},
	}
	if ip := net.ParseIP(name); ip != nil {
		template.DNSNames, template.IPAddresses = nil, []net.IP{ip}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(answers(http.StatusOK, "application/json", "{}"))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

// startRaw starts a server that writes bytes to whatever connects, once it has read the
// request, and closes.
func startRaw(t *testing.T, says string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body) // what is left unread would reset the connection
				}
				_, _ = io.WriteString(conn, says)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// closedPort returns the URL of a port where nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// legacySSE is a server of 2024-11-05: its stream is at /sse, and messages go elsewhere.
func legacySSE(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/sse" && r.Method == http.MethodGet:
		answers(http.StatusOK, "text/event-stream", "event: endpoint\ndata: /messages?id=1\n\n")(w, r)
	case r.URL.Path == "/sse":
		answers(http.StatusMethodNotAllowed, "text/plain", "Method Not Allowed", "Allow", "GET")(w, r)
	default:
		answers(http.StatusNotFound, "text/plain", "Not Found")(w, r)
	}
}

// hangs answers nothing until the client leaves.
func hangs(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // else the server does not see that the client leaves
	<-r.Context().Done()
}

// idles opens a stream and sends no response on it.
func idles(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	answers(http.StatusOK, "text/event-stream", "")(w, r)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// brokenServers are servers that cannot be connected to, by name, with the arguments of call.
func brokenServers(t *testing.T) map[string][]string {
	at := func(h http.HandlerFunc, more ...string) []string { return append(more, startPlain(t, h)+"/mcp") }
	plain := startPlain(t, answers(http.StatusOK, "application/json", "{}"))
	otherHost := startPlain(t, answers(http.StatusOK, "application/json", "{}"))
	secure := startTLS(t, "127.0.0.1", -hour, hour)
	return map[string][]string{
		"name-unknown":  {"http://no-such-host." + strings.Repeat("x", 64) + ".example/mcp"},
		"port-refused":  {closedPort(t) + "/mcp"},
		"port-ssh":      {startRaw(t, "SSH-2.0-OpenSSH_9.9\r\n") + "/mcp"},
		"tls-self":      {secure + "/mcp"},
		"tls-name":      {startTLS(t, "other.example", -hour, hour) + "/mcp"},
		"tls-expired":   {startTLS(t, "127.0.0.1", -48*hour, -hour) + "/mcp"},
		"tls-early":     {startTLS(t, "127.0.0.1", hour, 48*hour) + "/mcp"},
		"http-to-https": {strings.Replace(secure, "https:", "http:", 1) + "/mcp"},
		"https-to-http": {strings.Replace(plain, "http:", "https:", 1) + "/mcp"},
		"redirect-host": at(answers(307, "", "", "Location", strings.Replace(otherHost, "127.0.0.1",
			"localhost", 1)+"/mcp")),
		"redirect-loop":  at(answers(302, "", "", "Location", "/mcp")),
		"redirect-https": at(answers(301, "", "", "Location", "https://127.0.0.1/mcp")),
		"status-404":     at(answers(404, "text/plain", "Cannot POST /mcp")),
		"status-405":     at(answers(405, "text/plain", "Method Not Allowed", "Allow", "GET")),
		"status-401": at(answers(401, "application/json", `{"error":"unauthorized"}`,
			"WWW-Authenticate", `Bearer realm="mcp"`)),
		"status-401-token": at(answers(401, "application/json", "",
			"WWW-Authenticate",
			`Bearer error="invalid_token", error_description="The audience is not https://mcp.example/mcp"`),
			"-header", "Authorization: Bearer aaaabbbbcccc"),
		"status-403-origin": at(answers(403, "text/plain", "Invalid Origin header")),
		"status-403-scope": at(answers(403, "application/json", "", "WWW-Authenticate",
			`Bearer error="insufficient_scope", scope="mcp:tools"`)),
		"status-406": at(answers(406, "application/json",
			`{"jsonrpc":"2.0","id":"server-error","error":`+
				`{"code":-32600,"message":"Not Acceptable: Client must accept text/event-stream"}}`)),
		"status-415": at(answers(415, "text/plain", "Unsupported content type")),
		"status-421": at(answers(421, "text/plain", "Invalid Host header")),
		"status-422": at(answers(422, "application/json", `{"detail":"body.params: field required"}`)),
		"status-429": at(answers(429, "application/json", `{"message":"100 requests a minute"}`,
			"Retry-After", "30")),
		"status-500": at(answers(500, "application/json", `{"error":"database is locked"}`)),
		"status-502": at(answers(502, "text/html", "<html><head><title>502 Bad "+
			"Gateway</title></head></html>")),
		"html-page": at(answers(200, "text/html",
			"<html><head><title>Log in to Example</title></head><body>…</body></html>")),
		"stream-silent": at(idles, "-limit", "answer-idle=300ms"),
		"hangs":         at(hangs, "-limit", "answer-first-byte=300ms"),
		"reset":         {startRaw(t, "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n{") + "/mcp"},
		"old-transport": {startPlain(t, http.HandlerFunc(legacySSE)) + "/sse"},
		"not-json":      at(answers(200, "application/json", "{oops")),
		"not-rpc":       at(answers(200, "application/json", `{"status":"ok"}`)),
		"accepted-202":  at(answers(202, "", "")),
		"other-version": at(answers(400, "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version",`+
				`"data":{"supported":["2099-01-01"],"requested":"2026-07-28"}}}`)),
		"no-tools": {startPlain(t, mcptest.Script(listsFail)) + "/mcp"},
	}
}

// listsFail answers server/discover and fails at its tools.
func listsFail(m mcptest.Message, _ *http.Request) mcptest.Answer {
	if m.Method == "server/discover" {
		return mcptest.Complete(`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"x","version":"1"}`)
	}
	return mcptest.Refuse(500, -32603, `{}`)
}

// Each broken connection has a list that says where it ended, with the words of the server,
// and what to do.
func TestDoctor_Connections(t *testing.T) {
	for name, args := range brokenServers(t) {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			sameAs(t, "connect-"+name, tried(t, &stderr, args...))
		})
	}
}

// A call of a tool and the check of one print the same list as connecting.
func TestDoctor_SameWordsEverywhere(t *testing.T) {
	url := startPlain(t, answers(421, "text/plain", "Invalid Host header")) + "/mcp"
	var first, second, third bytes.Buffer
	want := tried(t, &first, url)
	if got := tried(t, &second, url, "tool"); got != want {
		t.Errorf("call of a tool:\n%s\nwant\n%s", got, want)
	}
	_ = checkServer(t.Context(), []string{url, "-tool", "tool"}, patient, io.Discard, &third)
	at := strings.Index(first.String(), "connecting failed")
	if !strings.Contains(third.String(), first.String()[at:]) {
		t.Errorf("check:\n%s\nwant\n%s", third.String(), first.String())
	}
	if !strings.Contains(want, "Invalid Host header") {
		t.Errorf("the body is not quoted: %s", want)
	}
}

// The request of a call that fails is examined, too, where nothing was connected to before.
func TestDoctor_Request(t *testing.T) {
	url := startPlain(t, answers(503, "text/plain", "warming up")) + "/mcp"
	var stderr bytes.Buffer
	sameAs(t, "request-503", tried(t, &stderr, "-era", "modern", url, "tool"))
}
