package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
)

// sock serves one connection over a real socket, where the kernel buffers.
func sock(t *testing.T, script func(net.Conn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		script(conn)
	}()
	return "http://" + l.Addr().String() + "/"
}

// pour writes block repeatedly, up to 200 MB, and counts the bytes in sent.
func pour(head string, block []byte, sent *int) func(net.Conn) {
	return func(conn net.Conn) {
		io.WriteString(conn, head)
		for *sent < 200<<20 {
			n, err := conn.Write(block)
			if *sent += n; err != nil {
				return
			}
		}
	}
}

func TestHostileAnswersStaySmall(t *testing.T) { // faults 22 to 24, 26
	block := bytes.Repeat([]byte("0,"), 32<<10)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 20 {
		z.Write(block)
	}
	z.Close()
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, tt := range []struct {
		name, head string
		block      []byte
		want       int // bytes recorded; 0: less than the limit, since they are decompressed
	}{
		{"200 MB of JSON", ok + "Content-Length: 209715200\r\n\r\n", block, 1 << 20},
		{"200 MB without a length", ok + "\r\n", block, 1 << 20},
		{
			"200 MB in chunks", ok + "Transfer-Encoding: chunked\r\n\r\n",
			fmt.Appendf(nil, "%x\r\n%s\r\n", len(block), block), 1 << 20,
		},
		{"endless gzip", ok + "Content-Encoding: gzip\r\n\r\n", bomb.Bytes(), 0},
		{
			"endless stream", ok + "Content-Type: text/event-stream\r\n\r\n",
			[]byte("data: " + strings.Repeat("x", 8000) + "\n\n"), 1 << 20,
		},
		{
			"endless comments", ok + "Content-Type: text/event-stream\r\n\r\n",
			bytes.Repeat([]byte(":\n\n"), 1<<10), 256 << 10,
		},
		{"endless header", ok, bytes.Repeat([]byte("A: b\r\n"), 1<<10), 64 << 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sent := 0
			url := sock(t, pour(tt.head, tt.block, &sent))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			parts, _ := askAt(t.Context(), New(Config{}), url)
			runtime.ReadMemStats(&after)
			if last := parts[len(parts)-1]; last.Kind != Failed || last.Failure.Class != TooLarge {
				t.Fatalf("%s", show(parts))
			}
			recorded := 0
			for _, p := range parts {
				recorded += len(p.Bytes)
			}
			if tt.want > 64<<10 {
				recorded -= len(tt.head)
			}
			if tt.want == 0 && (recorded == 0 || recorded > 16<<10) || tt.want > 0 && recorded != tt.want {
				t.Errorf("recorded %d bytes, want %d", recorded, tt.want)
			}
			// All that was ever allocated, so nothing depends on the collector.
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 10<<20 {
				t.Errorf("%d bytes were allocated", grown)
			}
		})
	}
}

// TestGzipBombStaysPacked: of a body that is too large when it is decompressed,
// the part that decompresses to the limit is kept (fault 23).
func TestGzipBombStaysPacked(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 8<<20))
	z.Close()
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n"
	parts, _ := ask(t.Context(), serve(t, Limits{}, says(head+bomb.String())))
	last := parts[len(parts)-1]
	if len(parts) != 2 || last.Failure == nil || last.Failure.Class != TooLarge {
		t.Fatal(show(parts))
	}
	kept := Split(parts[0].Bytes).Body
	if len(kept) == 0 || !bytes.HasPrefix(bomb.Bytes(), kept) || len(kept) == bomb.Len() {
		t.Errorf("%d of %d bytes are kept", len(kept), bomb.Len())
	}
}

func TestResetInTheBody(t *testing.T) { // fault 28
	const begin = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
	read := make(chan struct{})
	url := sock(t, func(conn net.Conn) {
		conn.Read(make([]byte, 1<<10))
		io.WriteString(conn, begin)
		<-read // a reset discards unread bytes
		conn.(*net.TCPConn).SetLinger(0)
	})
	c := New(Config{})
	dial := c.connect
	c.connect = func(ctx context.Context, scheme, address string) (net.Conn, error) {
		conn, err := dial(ctx, scheme, address)
		return &noticing{conn, len(begin), read}, err
	}
	if parts, _ := askAt(t.Context(), c, url); show(parts) != rec(begin, Reset) {
		t.Error(show(parts))
	}
}

// noticing closes read after left bytes have been read.
type noticing struct {
	net.Conn
	left int
	read chan struct{}
}

func (c *noticing) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.left -= n; c.left == 0 && n > 0 {
		close(c.read)
	}
	return n, err
}
