package site_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// front is a server on a socket whose every byte a test decides, behind a capture.
type front struct {
	*capture
	requests chan []byte // as they came
	answer   func(conn net.Conn)
	seen     atomic.Int64
}

// inFrontOf returns a capture in front of a server that answers as it is told.
func inFrontOf(t *testing.T, s *testSite, answer func(conn net.Conn)) *front {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	f := &front{requests: make(chan []byte, 64), answer: answer}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			f.seen.Add(1)
			go f.serve(conn)
		}
	}()
	target := playground.Target{
		ID: "server", Name: "raw", URL: "http://" + listener.Addr().String() + "/mcp",
		Capabilities: json.RawMessage(`{}`),
	}
	check(t, s.store.AddTarget(t.Context(), "local", target, s.config.App.Now()))
	f.capture = s.capture("server", "")
	return f
}

func (f *front) serve(conn net.Conn) {
	defer conn.Close()
	var whole bytes.Buffer
	reader := bufio.NewReader(io.TeeReader(conn, &whole))
	request, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, request.Body)
	f.requests <- bytes.Clone(whole.Bytes())
	f.answer(conn)
}

func TestCapture_BytesAreEqual(t *testing.T) {
	t.Parallel()
	request := "{\"jsonrpc\":\"2.0\", \"id\" " +
		":1.0e0,\r\n\t\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\u202e\",\"a\":1e400,\"a\":2}}  "
	response := "{\"jsonrpc\":\"2.0\",\"id\":1,  " +
		"\"result\":{\"resultType\":\"complete\",\"content\":[],\"x\":\"\x00\xfe\"}}\n\n"
	f := inFrontOf(t, newSite(t, app.Local), func(conn net.Conn) {
		fmt.Fprintf(conn, "HTTP/1.1 200 Fine\r\nContent-Type: application/json\r\nX-Own: a\r\nX-Own: b\r\n"+
			"Set-Cookie: s=1\r\nRefresh: 0;url=/\r\nClear-Site-Data: \"*\"\r\nAccess-Control-Allow-Origin: "+
			"*\r\n"+
			"Location: https://elsewhere.example/\r\nContent-Length: %d\r\n\r\n%s", len(response), response)
	})
	got := f.do(http.MethodPost, f.path, request, http.Header{
		"Content-Type": {"application/json"}, "Mcp-Method": {"tools/call"}, "X-Client": {"one", "two"},
		"Cookie": {"mrtr=ours"}, "Origin": {"http://localhost:1"}, "Te": {"trailers"},
	})
	sent := wire.Split(<-f.requests)
	if string(sent.Body) != request || got.body != response {
		t.Errorf("sent %q\ncame %q", sent.Body, got.body)
	}
	head, err := wire.ParseHead(sent.Head)
	check(t, err)
	if !slices.Equal(head.Values("X-Client"), []string{"one", "two"}) || head.Get("Via") == "" {
		t.Errorf("%s", sent.Head)
	}
	for _, name := range []string{"Cookie", "Origin", "Te", "X-Forwarded-For"} {
		if head.Get(name) != "" {
			t.Errorf("%s went upstream", name)
		}
	}
	if !slices.Equal(got.header["X-Own"], []string{"a", "b"}) || got.header.Get("Mcp-Recorded-By") == "" {
		t.Errorf("%v", got.header)
	}
	for _, name := range []string{"Set-Cookie", "Refresh", "Clear-Site-Data", "Location"} {
		if got.header.Get(name) != "" {
			t.Errorf("%s came back", name)
		}
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "http://localhost:1", "X-Content-Type-Options": "nosniff",
		"Content-Disposition":     "attachment",
		"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: %q", name, got.header.Get(name))
		}
	}
	n, log := f.recorded()
	for _, x := range n.Exchanges {
		log = append(log, x.Log...)
	}
	rounds := playground.Connections(log)
	if len(rounds) != 1 || string(rounds[0].Request.Body) != request ||
		string(rounds[0].Response.Body) != response {
		t.Errorf("recorded %d", len(rounds))
	}
}

// TestCapture_StreamsAsTheyCome: the server sends on only after the client has what was
// sent before.
func TestCapture_StreamsAsTheyCome(t *testing.T) {
	t.Parallel()
	parts := []string{
		": a comment\n\n", `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}` + "\n",
		"\n", `data: {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`, `"content":[]}}` + "\n\n",
	}
	next := make(chan struct{})
	f := inFrontOf(t, newSite(t, app.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn,
			"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
		for _, p := range parts {
			<-next
			_, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(p), p)
		}
		_, _ = io.WriteString(conn, "0\r\n\r\n")
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.url+f.path,
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
	check(t, err)
	res, err := f.client.Do(req) // returns with the head, before any part
	check(t, err)
	defer res.Body.Close()
	for _, p := range parts {
		next <- struct{}{}
		got := make([]byte, len(p))
		if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != p {
			t.Fatalf("%q %v, want %q", got, err, p)
		}
	}
	if rest, err := io.ReadAll(res.Body); err != nil || len(rest) > 0 {
		t.Errorf("%q %v", rest, err)
	}
	await(t, func() string {
		n, _ := f.recorded()
		if len(n.Exchanges) != 1 || n.Exchanges[0].Fold().Status != playground.StatusComplete {
			return "not complete"
		}
		return ""
	})
}

// TestCapture_CutOff: what is cut off on one side is cut off on the other.
func TestCapture_CutOff(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"in a stream": "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n" +
			"5\r\n: hi\n\r\n",
		"in a body": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
			"99\r\n\r\n{\"jsonrpc\"",
	} {
		t.Run("the server ends "+name, func(t *testing.T) {
			served := make(chan web.Served, 20)
			s := newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
				cfg.Served = func(r web.Served) { served <- r }
			})
			f := inFrontOf(t, s, func(conn net.Conn) { _, _ = io.WriteString(conn, answer) })
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.url+f.path,
				strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
			check(t, err)
			res, err := f.client.Do(req)
			if err == nil {
				_, err = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
			if err == nil {
				t.Error("the client got a whole response")
			}
			for r := range served { // until it is logged
				if r.Route == "/c/:token" {
					break
				}
			}
			n, _ := f.recorded()
			if r := n.Exchanges[0].Fold().Last(); r.Kind != playground.OutcomeTransportError {
				t.Error(r.Kind, r.Detail)
			}
		})
	}
	t.Run("the client ends", func(t *testing.T) {
		gone := make(chan struct{})
		f := inFrontOf(t, newSite(t, app.Local), func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hi\n\n")
			_, _ = io.Copy(io.Discard, conn) // returns when the capture has closed it
			close(gone)
		})
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url+f.path,
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
		check(t, err)
		res, err := f.client.Do(req)
		check(t, err)
		leave()
		_ = res.Body.Close()
		<-gone
		await(t, func() string {
			n, _ := f.recorded()
			if s := n.Exchanges[0].Fold().Status; s != playground.StatusCancelled {
				return string(s)
			}
			return ""
		})
	})
	t.Run("there is no server", func(t *testing.T) {
		s := newSite(t, app.Local)
		f := inFrontOf(t, s, nil)
		check(t, s.store.SetTarget(t.Context(), "local", playground.Target{
			ID: "server", Name: "none", URL: "http://127.0.0.1:1/mcp", Capabilities: json.RawMessage(`{}`),
		}))
		c := s.capture("server", "")
		got := c.send(playground.ToolsList, map[string]any{})
		if got.status != http.StatusBadGateway || got.header.Get("Mcp-Capture-Error") != "refused" {
			t.Errorf("%d %v %s", got.status, got.header, got.body)
		}
		if f.seen.Load() != 0 {
			t.Error("the old server was asked")
		}
	})
}
