package main

import (
	"net"
	"time"
)

// unstalled is a listener whose clients must take what is written to them: one
// that stops reading is cut off after a while, and holds up neither a goroutine
// nor the answer it asked for. Between two writes a stream may be silent.
type unstalled struct {
	net.Listener
	most time.Duration // for one write
}

func (l unstalled) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return unstalledConn{conn, l.most}, nil
}

type unstalledConn struct {
	net.Conn
	most time.Duration
}

// Write gives every write its own time.
func (c unstalledConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.most)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
