package wire

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// serve returns a client of a server in memory at http://sample/ that runs
// script for each connection.
func serve(t *testing.T, l Limits, script func(net.Conn)) *Client {
	t.Helper()
	listener := listen(t, script)
	return New(Config{Limits: l, InMemory: func(_ context.Context, _ string) (net.Conn, bool) {
		conn, _ := listener.Dial(t.Context())
		return conn, true
	}})
}

func listen(t *testing.T, script func(net.Conn)) *Listener {
	t.Helper()
	listener := NewListener("sample")
	var running sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		running.Wait()
	})
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer conn.Close()
				script(conn)
			})
		}
	})
	return listener
}

// says returns a script that writes text and closes the connection.
func says(text string) func(net.Conn) {
	return func(conn net.Conn) { io.WriteString(conn, text) }
}

// ask sends a small request and returns the parts of the response.
func ask(ctx context.Context, c *Client) (parts []Part, t Timing) {
	return askAt(ctx, c, "http://sample/")
}

func askAt(ctx context.Context, c *Client, url string) (parts []Part, t Timing) {
	t = c.Send(ctx, url, Frame{[]byte("POST / HTTP/1.1\r\n\r\n"), []byte("{}")}, func(p Part) error {
		parts = append(parts, p)
		return nil
	})
	return parts, t
}

// show returns the parts on one line: kinds with their bytes, and classes.
func show(parts []Part) string {
	var out []string
	for _, p := range parts {
		switch {
		case p.Kind == Failed:
			out = append(out, "failed "+string(p.Failure.Class))
		case p.Kind == Cancelled:
			out = append(out, "cancelled")
		case len(p.Bytes) > 200:
			out = append(out, fmt.Sprintf("%s %d bytes", p.Kind, len(p.Bytes)))
		default:
			out = append(out, fmt.Sprintf("%s %q", p.Kind, p.Bytes))
		}
	}
	return strings.Join(out, " | ")
}

func sse(body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + body
}
