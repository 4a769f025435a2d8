package sitetest

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// Listener serves every connection with f.
func Listener(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Check(t, err)
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

// Says reads a request and answers with these bytes.
func Says(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = conn.Write([]byte(answer))
		}
	}
}

// HTTP1 is a complete answer.
func HTTP1(status, contentType, body string, more ...string) func(net.Conn) {
	head := fmt.Sprintf(
		"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n", status, contentType, len(body),
	)
	for _, line := range more {
		head += line + "\r\n"
	}
	return Says(head + "\r\n" + body)
}

// JSON1 is a complete answer with a body of JSON.
func JSON1(body string) func(net.Conn) { return HTTP1("200 OK", "application/json", body) }

// Silent accepts a connection and sends nothing until the client closes it.
func Silent(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// Offered is the start of a result that lists.
const Offered = `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`

// Echo is an MCP server that repeats everything that it received in every
// spelling, and wants its state back to the byte.
type Echo struct {
	mu     sync.Mutex
	Heads  []http.Header
	States []string // given
	Echoed []string // got back
}

// ServeHTTP answers with everything that came.
func (e *Echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Heads = append(e.Heads, r.Header.Clone())
	m := mcptest.Read(r)
	_, _, _, secrets := Credentials()
	var said []string
	for _, s := range secrets {
		raw := []byte(s)
		if len(s) < 8 { // too short to be looked for outside its header
			continue
		}
		said = append(said, s, url.QueryEscape(s), url.PathEscape(s),
			base64.StdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
			base64.StdEncoding.EncodeToString([]byte("user:"+s+"!")),
			base64.StdEncoding.EncodeToString([]byte("ab"+s+"cd")))
	}
	everything := strings.Join(said, " | ")
	answer := mcptest.Answer{}
	switch text := mcptest.Quote(everything); {
	case m.Method == "server/discover":
		answer = mcptest.Listed(`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
			`"instructions":` + text)
	case m.Method == "tools/list":
		answer = mcptest.Listed(`"tools":[{"name":"echo","description":` + text +
			`,"inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]`)
	case m.Params.RequestState == nil:
		e.States = append(e.States, everything)
		answer = mcptest.Ask(`"q":{"method":"elicitation/create","params":{"message":`+text+
			`,"requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`, everything)
	default:
		e.Echoed = append(e.Echoed, *m.Params.RequestState)
		answer = mcptest.Text(everything + string(m.Body))
	}
	answer.Header = []string{"X-Echo", strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, r.Header.Get("Authorization"))}
	answer.Write(w, m)
}

// NewEcho starts a server that repeats, and returns it and its address.
func NewEcho(t *testing.T) (*Echo, string) {
	e := &Echo{}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return e, server.URL + "/mcp"
}
