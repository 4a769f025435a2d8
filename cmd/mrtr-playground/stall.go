package main

import (
	"net"
	"time"
)

// writeTimeoutListener is a listener whose clients must take what is written to them: one
// that stops reading is cut off after a while, and holds up neither a goroutine
// nor the answer it asked for. Between two writes a stream may be silent.
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

// Write gives every write its own time.
func (c writeTimeoutConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
