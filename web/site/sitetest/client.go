package sitetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Front is a server on a socket whose every byte a test decides, behind a capture.
type Front struct {
	*Capture
	Requests chan []byte // as they came
	answer   func(conn net.Conn)
	Seen     atomic.Int64
}

// InFrontOf returns a capture in front of a server that answers with a function of
// the test.
func InFrontOf(t *testing.T, s *Site, answer func(conn net.Conn)) *Front {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Check(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	f := &Front{Requests: make(chan []byte, 64), answer: answer}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			f.Seen.Add(1)
			go f.serve(conn)
		}
	}()
	target := playground.Target{
		ID: "server", Name: "raw", URL: "http://" + listener.Addr().String() + "/mcp",
		Capabilities: json.RawMessage(`{}`),
	}
	Check(t, s.Store.AddTarget(t.Context(), "local", target, s.Config.App.Now()))
	f.Capture = s.Capture("server", "")
	return f
}

func (f *Front) serve(conn net.Conn) {
	defer conn.Close()
	var whole bytes.Buffer
	reader := bufio.NewReader(io.TeeReader(conn, &whole))
	request, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, request.Body)
	f.Requests <- bytes.Clone(whole.Bytes())
	f.answer(conn)
}

// Capture is an address in front of a server, and a client that talks to it.
type Capture struct {
	*Site
	Page string // path
	Path string // of the address
	Next int    // JSON-RPC id
}

// Capture makes an address in front of a sample, or of one of the user's servers.
func (s *Site) Capture(server, query string) *Capture {
	s.T.Helper()
	made := s.Post("/clients", url.Values{"server": {server}, "query": {query}}.Encode())
	if made.Status != http.StatusSeeOther {
		s.T.Fatalf("%d %s", made.Status, Excerpt(made.Body))
	}
	c := &Capture{Site: s, Page: s.Last}
	address := s.Get(c.Page).HTML().Texts("[data-address]")
	if len(address) != 1 {
		s.T.Fatal("no address")
	}
	u, err := url.Parse(address[0])
	Check(s.T, err)
	c.Path = u.Path
	return c
}

// Send sends a message as a client of MCP 2026-07-28 does.
func (c *Capture) Send(method string, params map[string]any, header ...string) Answer {
	c.T.Helper()
	c.Next++
	return c.SendTo(c.Path, c.Next, method, params, map[string]any{
		"elicitation": map[string]any{"form": map[string]any{}},
		"extensions":  map[string]any{"io.modelcontextprotocol/tasks": map[string]any{}},
	}, header...)
}

// SendTo sends a message of MCP 2026-07-28 to a path, from a client with these
// capabilities.
func (s *Site) SendTo(path string, id int, method string, params, capabilities map[string]any,
	header ...string) Answer {
	s.T.Helper()
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    wire.ProtocolVersion,
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "tester", "version": "3"},
		"io.modelcontextprotocol/clientCapabilities": capabilities,
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method,
		"params": params})
	Check(s.T, err)
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {wire.ProtocolVersion}, "Mcp-Method": {method},
	}
	if name, ok := params[wire.NameMember(method)].(string); ok {
		h.Set("Mcp-Name", name)
	}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return s.Do(http.MethodPost, path, string(body), h)
}

// Recorded returns the record of the capture.
func (c *Capture) Recorded() (session.Session, []playground.Event) {
	c.T.Helper()
	id := strings.TrimPrefix(c.Page, "/clients/")
	n, err := c.Store.Session(c.T.Context(), "local", id)
	Check(c.T, err)
	log, err := c.Store.CaptureEvents(c.T.Context(), id)
	Check(c.T, err)
	return n, log
}
