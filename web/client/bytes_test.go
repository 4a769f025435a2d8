package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestCapture_BytesAreEqual(t *testing.T) {
	t.Parallel()
	request := "{\"jsonrpc\":\"2.0\", \"id\" " +
		":1.0e0,\r\n\t\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\u202e\",\"a\":1e400,\"a\":2}}  "
	response := "{\"jsonrpc\":\"2.0\",\"id\":1,  " +
		"\"result\":{\"resultType\":\"complete\",\"content\":[],\"x\":\"\x00\xfe\"}}\n\n"
	f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
		fmt.Fprintf(conn, "HTTP/1.1 200 Fine\r\nContent-Type: application/json\r\nX-Own: a\r\nX-Own: b\r\n"+
			"Set-Cookie: s=1\r\nRefresh: 0;url=/\r\nClear-Site-Data: \"*\"\r\nAccess-Control-Allow-Origin: "+
			"*\r\n"+
			"Location: https://elsewhere.example/\r\nContent-Length: %d\r\n\r\n%s", len(response), response)
	})
	got := f.Do(http.MethodPost, f.Path, request, http.Header{
		"Content-Type": {"application/json"}, "Mcp-Method": {"tools/call"}, "X-Client": {"one", "two"},
		"Cookie": {"mrtr=ours"}, "Origin": {"http://localhost:1"}, "Te": {"trailers"},
	})
	sent := wire.Split(<-f.Requests)
	if string(sent.Body) != request || got.Body != response {
		t.Errorf("sent %q\ncame %q", sent.Body, got.Body)
	}
	head, err := wire.ParseHead(sent.Head)
	sitetest.Check(t, err)
	if !slices.Equal(head.Values("X-Client"), []string{"one", "two"}) || head.Get("Via") == "" {
		t.Errorf("%s", sent.Head)
	}
	for _, name := range []string{"Cookie", "Origin", "Te", "X-Forwarded-For"} {
		if head.Get(name) != "" {
			t.Errorf("%s went upstream", name)
		}
	}
	if !slices.Equal(got.Header["X-Own"], []string{"a", "b"}) || got.Header.Get("Mcp-Recorded-By") == "" {
		t.Errorf("%v", got.Header)
	}
	for _, name := range []string{"Set-Cookie", "Refresh", "Clear-Site-Data", "Location"} {
		if got.Header.Get(name) != "" {
			t.Errorf("%s came back", name)
		}
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "http://localhost:1", "X-Content-Type-Options": "nosniff",
		"Content-Disposition":     "attachment",
		"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q", name, got.Header.Get(name))
		}
	}
	n, log := f.Recorded()
	for _, x := range n.Exchanges {
		log = append(log, x.Log...)
	}
	rounds := playground.Connections(log)
	if len(rounds) != 1 || string(rounds[0].Request.Body) != request ||
		string(rounds[0].Response.Body) != response {
		t.Errorf("recorded %d", len(rounds))
	}
}

// TestCapture_StreamsAsTheyCome: the server sends on only after the client has
// the earlier bytes.
func TestCapture_StreamsAsTheyCome(t *testing.T) {
	t.Parallel()
	parts := []string{
		": a comment\n\n", `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}` + "\n",
		"\n", `data: {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`, `"content":[]}}` + "\n\n",
	}
	next := make(chan struct{})
	f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn,
			"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
		for _, p := range parts {
			<-next
			_, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(p), p)
		}
		_, _ = io.WriteString(conn, "0\r\n\r\n")
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.URL+f.Path,
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
	sitetest.Check(t, err)
	res, err := f.Client.Do(req) // returns with the head, before any part
	sitetest.Check(t, err)
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
	sitetest.Await(t, func() string {
		n, _ := f.Recorded()
		if len(n.Exchanges) != 1 || n.Exchanges[0].Fold().Status != playground.StatusComplete {
			return "not complete"
		}
		return ""
	})
}

// TestCapture_CutOff: a connection cut off on one side is cut off on the other.
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
			s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
				cfg.Served = func(r web.Served) { served <- r }
			})
			f := sitetest.InFrontOf(t, s, func(conn net.Conn) { _, _ = io.WriteString(conn, answer) })
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.URL+f.Path,
				strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
			sitetest.Check(t, err)
			res, err := f.Client.Do(req)
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
			n, _ := f.Recorded()
			if r := n.Exchanges[0].Fold().Last(); r.Kind != playground.OutcomeTransportError {
				t.Error(r.Kind, r.Detail)
			}
		})
	}
	t.Run("the client ends", func(t *testing.T) {
		gone := make(chan struct{})
		f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hi\n\n")
			_, _ = io.Copy(io.Discard, conn) // returns when the capture has closed it
			close(gone)
		})
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.URL+f.Path,
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`))
		sitetest.Check(t, err)
		res, err := f.Client.Do(req)
		sitetest.Check(t, err)
		leave()
		_ = res.Body.Close()
		<-gone
		sitetest.Await(t, func() string {
			n, _ := f.Recorded()
			if s := n.Exchanges[0].Fold().Status; s != playground.StatusCancelled {
				return string(s)
			}
			return ""
		})
	})
	t.Run("there is no server", func(t *testing.T) {
		s := sitetest.New(t, app.Local)
		f := sitetest.InFrontOf(t, s, nil)
		sitetest.Check(t, s.Store.SetTarget(t.Context(), "local", playground.Target{
			ID: "server", Name: "none", URL: "http://127.0.0.1:1/mcp", Capabilities: json.RawMessage(`{}`),
		}))
		c := s.Capture("server", "")
		got := c.Send(playground.ToolsList, map[string]any{})
		if got.Status != http.StatusBadGateway || got.Header.Get("Mcp-Capture-Error") != "refused" {
			t.Errorf("%d %v %s", got.Status, got.Header, got.Body)
		}
		if f.Seen.Load() != 0 {
			t.Error("the old server was asked")
		}
	})
}
