package main

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/places"
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
	open    *places.Pool
	proxies networks
	refused func(code string) // counts closed connections
}

// newCrowdedListener returns a listener with at most this many connections; if
// shared, one address may have an eighth of them.
func newCrowdedListener(
	l net.Listener, most int, shared bool, proxies networks, refused func(code string),
) *crowdedListener {
	limits := places.Limits{InAll: most}
	if shared {
		limits.Each = usage.Share(most)
	}
	return &crowdedListener{l, places.New(limits), proxies, refused}
}

// Accept returns the next connection within the limits.
func (l *crowdedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if leave, ok := l.open.Enter(l.holder(conn)); ok {
			return &countedConn{Conn: conn, leave: leave}, nil
		}
		l.refused("connections")
		_ = conn.Close()
	}
}

// holder returns the address of a client, or "" for a proxy.
func (l *crowdedListener) holder(conn net.Conn) string {
	at, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	from := at.Addr().Unmap().WithZone("")
	if slices.ContainsFunc(l.proxies, func(p netip.Prefix) bool { return p.Contains(from) }) {
		return ""
	}
	return from.String()
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
