package main

import (
	"net"
	"net/http"
	"time"
)

// requestLimits bounds how slowly a client may send a request and read the
// response, and the size of the head. The pages limit the body.
type requestLimits struct {
	headTime, time, idle, stall time.Duration
	head                        int
}

func defaultRequestLimits() requestLimits {
	return requestLimits{
		headTime: 5 * time.Second, time: 15 * time.Second, idle: 60 * time.Second, stall: 30 * time.Second,
		head: 32 << 10,
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
