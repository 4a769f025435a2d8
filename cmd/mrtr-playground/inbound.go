package main

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// requestLimits bounds how slowly a client may send a request and read the
// response, and the size of the head. The pages limit the body.
type requestLimits struct {
	headTime, time, idle, stall time.Duration
	head, connections           int
}

func defaultRequestLimits() requestLimits {
	return requestLimits{
		headTime: 5 * time.Second, time: 15 * time.Second, idle: 60 * time.Second, stall: 30 * time.Second,
		head: 32 << 10, connections: 4096,
	}
}

// headSlop is how much more than MaxHeaderBytes net/http reads.
const headSlop = 4 << 10

// newServer returns a server with limits for slow clients. The time for a
// request ends with its body, so that responses may take longer and streams
// stay open.
func newServer(h http.Handler, l requestLimits) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: l.headTime, ReadTimeout: l.time, IdleTimeout: l.idle,
		MaxHeaderBytes: max(1, l.head-headSlop),
	}
}

// crowdedListener is a listener with a limit on open connections, in all and of
// one address. Beyond it connections are closed at once. Proxies, through which
// everyone comes, have no limit of their own.
type crowdedListener struct {
	net.Listener
	most    int
	part    int // of one address
	proxies networks
	refused func(code string) // counts what is closed

	mu   sync.Mutex
	open map[netip.Addr]int
	all  int
}

// newCrowdedListener returns a listener with at most this many connections; if
// shared, one address may have an eighth of them.
func newCrowdedListener(
	l net.Listener, most int, shared bool, proxies networks, refused func(code string),
) *crowdedListener {
	part := most
	if shared {
		part = usage.Share(most)
	}
	return &crowdedListener{
		Listener: l, most: most, part: part, proxies: proxies, refused: refused,
		open: map[netip.Addr]int{},
	}
}

// Accept returns the next connection within the limits.
func (l *crowdedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := peerOf(conn)
		if l.enter(from) {
			return &countedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(from) })}, nil
		}
		l.refused("connections")
		_ = conn.Close()
	}
}

// usage returns how many connections are open.
func (l *crowdedListener) usage() usage.Places {
	l.mu.Lock()
	defer l.mu.Unlock()
	return usage.Places{Pool: "connections", Used: l.all, Limit: l.most}
}

// peerOf returns the address of a client.
func peerOf(conn net.Conn) netip.Addr {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap().WithZone("")
}

func (l *crowdedListener) enter(from netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	proxy := slices.ContainsFunc(l.proxies, func(p netip.Prefix) bool { return p.Contains(from) })
	if l.all >= l.most || !proxy && l.open[from] >= l.part {
		return false
	}
	l.all++
	l.open[from]++
	return true
}

func (l *crowdedListener) leave(from netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.open[from]--; l.open[from] == 0 {
		delete(l.open, from)
	}
}

// countedConn is a connection that counts until it is closed.
type countedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *countedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}

// writeTimeoutListener is a listener whose connections have a timeout for every
// write: a client that stops reading is cut off and does not block a goroutine.
// A stream may be silent between two writes.
type writeTimeoutListener struct {
	net.Listener
	timeout time.Duration // for one write
}

func (l writeTimeoutListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return writeTimeoutConn{conn, l.timeout}, nil
}

type writeTimeoutConn struct {
	net.Conn
	timeout time.Duration
}

// Write writes b within the timeout.
func (c writeTimeoutConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
