package client_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestCapture_MemoryOfAStream: a stream that stays open takes as much memory when it is long
// as when it is short.
func TestCapture_MemoryOfAStream(t *testing.T) {
	const few, many, size = 60, 480, 2000 // events, and bytes of each
	next := make(chan int)
	f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
		for n := range next {
			for range n {
				_, _ = fmt.Fprintf(conn, "data: %s\n\n", strings.Repeat("x", size-len("data: \n\n")))
			}
		}
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.URL+f.Path, nil)
	sitetest.Check(t, err)
	req.Header.Set("Accept", "text/event-stream")
	res, err := f.Client.Do(req)
	sitetest.Check(t, err)
	defer res.Body.Close()
	live := func(n int) int64 {
		next <- n
		_, err := io.CopyN(io.Discard, res.Body, int64(n*size))
		sitetest.Check(t, err)
		runtime.GC()
		runtime.GC() // also what pools have kept
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	short := live(few)
	long := live(many - few)
	if passed := int64((many - few) * size); long-short > passed/4 {
		t.Errorf("%d bytes more after %d more bytes", long-short, passed)
	}
	close(next)
	if _, log := f.Recorded(); len(log) < many {
		t.Errorf("%d events are recorded", len(log))
	}
}
