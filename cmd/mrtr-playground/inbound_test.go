package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/faults/balance"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// served serves h with limits on a free port.
func served(t *testing.T, h http.Handler, l requestLimits) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(h, l)
	go func() { _ = server.Serve(writeTimeoutListener{listener, l.stall}) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String()
}

// dial connects and sends the beginning of a request, or all of it.
func dial(t *testing.T, addr, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Skipf("this machine has no more connections: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

func statusOf(t *testing.T, conn net.Conn) int {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode
}

// TestServer_CutsOffClientsThatStopReading: the server writes more than the
// buffers hold, and the client does not read.
func TestServer_CutsOffClientsThatStopReading(t *testing.T) {
	l := defaultRequestLimits()
	l.stall = 50 * time.Millisecond
	ended := make(chan error, 1)
	addr := served(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		piece := make([]byte, 1<<20)
		for {
			if _, err := w.Write(piece); err != nil {
				ended <- err
				return
			}
		}
	}), l)
	dial(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the answer ended with %v", err)
	}
}

func TestServer_LimitsHeads(t *testing.T) {
	l := defaultRequestLimits()
	addr := served(t, http.NotFoundHandler(), l)
	head := func(size int) string {
		const start, end = "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ", "\r\n\r\n"
		return start + strings.Repeat("x", size-len(start)-len(end)) + end
	}
	if got := statusOf(t, dial(t, addr, head(l.head))); got != http.StatusNotFound {
		t.Errorf("32 KiB: %d", got)
	}
	if got := statusOf(t, dial(t, addr, head(l.head+1))); got != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a byte beyond: %d", got)
	}
}

// inMemory serves h with limits without a network, whose clock would not be that of a
// bubble.
func inMemory(t *testing.T, h http.Handler, l requestLimits) func(text string) net.Conn {
	t.Helper()
	listener := wire.NewListener("server")
	server := newServer(h, l)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return func(text string) net.Conn {
		conn, err := listener.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		return conn
	}
}

// TestServer_CutsOffSlowRequests: neither a head nor a body may take for ever.
func TestServer_CutsOffSlowRequests(t *testing.T) {
	for what, text := range map[string]string{
		"nothing": "", "half a line": "GET /", "half a head": "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"half a body": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
		"half a chunk": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"f\r\nhalf",
		"a request and no second": "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := defaultRequestLimits()
				connect := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.ReadAll(r.Body); err != nil {
						w.WriteHeader(http.StatusRequestTimeout)
					}
				}), l)
				began := time.Now()
				// It ends when the other side closes.
				if _, err := io.ReadAll(connect(text)); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took < min(l.headTime, l.time, l.idle) ||
					took > max(l.headTime, l.time, l.idle)+time.Second {
					t.Errorf("it was cut off after %v", took)
				}
			})
		})
	}
}

// TestServer_StreamsOutliveTheReadTimeout: a page that waits for news is no
// slow request, with and without a body.
func TestServer_StreamsOutliveTheReadTimeout(t *testing.T) {
	for _, text := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			l := defaultRequestLimits()
			connect := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if drive.Pause(r.Context(), 4*max(l.headTime, l.time)) != nil {
					w.WriteHeader(http.StatusRequestTimeout)
				}
			}), l)
			conn := connect(text)
			defer conn.Close()
			if got := statusOf(t, conn); got != http.StatusOK {
				t.Errorf("%q was cut off: %d", text, got)
			}
		})
	}
}

// TestServer_SurvivesSlowloris: 2000 sockets that send a head byte by byte, or
// nothing, do not block others and leave nothing behind (faults 85 and 87).
func TestServer_SurvivesSlowloris(t *testing.T) {
	p := startProgram(t, t.TempDir(), "-limit", "request-head-time=1h") // the test ends them
	addr := strings.TrimPrefix(p.url, "http://")
	p.get("/")
	end := balance.Begin(t, balance.Growth)
	before := runtime.NumGoroutine()
	const many = 2000
	conns := make([]net.Conn, many)
	for i := range conns {
		conns[i] = dial(t, addr, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
	}
	for runtime.NumGoroutine() < before+many/2 { // until the program has taken them
		lull()
	}
	if page := p.get("/"); !strings.Contains(page, "data-start") {
		t.Error("a visitor is not served")
	}
	for _, conn := range conns {
		_, _ = io.WriteString(conn, "x")
		_ = conn.Close()
	}
	end()
}

// settled waits until no more goroutines are there than before.
func settled(t *testing.T, before int) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	for runtime.NumGoroutine() > before {
		lull()
	}
}

func TestMetrics_CountRefusals(t *testing.T) {
	m := newMetrics()
	m.refused("too_many_pages")
	m.refused("too_many_pages")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	addr, err := serveAdmin(ctx, "127.0.0.1:0", m.handler(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, url: fmt.Sprintf("http://%s", addr)}
	if got := p.get("/metrics"); !strings.Contains(got, `mrtr_refusals_total{code="too_many_pages"} 2`) {
		t.Errorf("%.300s", got)
	}
}

// TestCrowdedListener_Limits: one address has its part, a proxy the whole, and
// a closed connection makes room.
func TestCrowdedListener_Limits(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	proxies := networks{}
	l := newCrowdedListener(inner, 16, true, proxies, func(string) {})
	here, there := from("192.0.2.1"), from("192.0.2.2")
	var leaves []func()
	for i, want := range []bool{true, true, false} {
		leave, ok := l.open.Enter(l.holder(here))
		if ok != want {
			t.Errorf("connection %d of one address: %v", i+1, ok)
		}
		leaves = append(leaves, leave)
	}
	enter := func(conn net.Conn) bool {
		_, ok := l.open.Enter(l.holder(conn))
		return ok
	}
	if !enter(there) {
		t.Error("another address is refused")
	}
	leaves[0]()
	if !enter(here) {
		t.Error("a closed connection did not make room")
	}
	if err := l.proxies.add("192.0.2.0/24"); err != nil {
		t.Fatal(err)
	}
	n, _ := l.open.Count()
	for enter(here) {
		n++
	}
	if n != 16 {
		t.Errorf("through a proxy there are %d connections, want 16", n)
	}
}

// from is a connection from an address.
func from(address string) net.Conn { return fromConn{address: address} }

type fromConn struct {
	net.Conn
	address string
}

// RemoteAddr returns the address, as that of an IPv6 listener has it.
func (c fromConn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr("::ffff:"+c.address), 4711))
}

// A connection beyond the limit is closed, and the next one is served once there
// is room.
func TestCrowdedListener_ClosesWhatIsTooMuch(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var closed atomic.Int32
	l := newCrowdedListener(inner, 1, false, nil, func(string) { closed.Add(1) })
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	first := dial(t, inner.Addr().String(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
	if got := statusOf(t, first); got != http.StatusOK {
		t.Fatalf("the first connection: %d", got)
	}
	second := dial(t, inner.Addr().String(), "")
	if n, err := second.Read(make([]byte, 1)); err == nil {
		t.Errorf("the second connection got %d bytes", n)
	}
	if closed.Load() == 0 {
		t.Error("the closed connection was not counted")
	}
	_ = first.Close()
	for { // until the server has noticed
		third := dial(t, inner.Addr().String(), "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
		if n, _ := third.Read(make([]byte, 1)); n == 1 {
			break
		}
		lull()
	}
}
