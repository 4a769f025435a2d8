package wire_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// teed is a Tee that keeps its input.
type teed struct {
	head wire.Head
	body strings.Builder
}

func (t *teed) Head(h wire.Head) error { t.head = h; return nil }
func (t *teed) Body(p []byte) error    { t.body.Write(p); return nil }

// TestTee_HasEveryByteOnce: however the bytes of a stream are cut into pieces, and however
// its lines end.
func TestTee_HasEveryByteOnce(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
	for _, body := range []string{
		"data: a\n\ndata: b\n\n", "data: a\r\rdata: b\r\r", "data: a\r\n\r\ndata: b\r\n\r\n",
		": c\n\ndata: a\r\r",
		"data: a\n\r\ndata", "\uFEFFdata: a\n\n\n\ndata: b", "data: {\"id\":1,\"result\":{}}\n\nrest",
	} {
		for size := 1; size <= len(body); size++ {
			out := &teed{}
			var recorded strings.Builder
			client := wire.New(wire.Config{InMemory: func(context.Context, string) (net.Conn, bool) {
				here, there := net.Pipe()
				go func() {
					defer there.Close()
					go func() { _, _ = io.Copy(io.Discard, there) }()
					_, _ = io.WriteString(there, head)
					for rest := body; rest != ""; {
						n := min(size, len(rest))
						_, _ = io.WriteString(there, rest[:n])
						rest = rest[n:]
					}
				}()
				return here, true
			}})
			client.Send(wire.WithTee(t.Context(), out), "http://h/mcp",
				wire.Frame{Head: []byte("GET / HTTP/1.1\r\n\r\n")},
				func(p wire.Part) error {
					if p.Kind == wire.Message {
						recorded.Write(p.Bytes)
					}
					return nil
				})
			if out.head.Status != 200 || out.body.String() != body || recorded.String() != body {
				t.Errorf("in pieces of %d: passed on %q, recorded %q, want %q", size, out.body.String(),
					recorded.String(), body)
			}
		}
	}
}
