package linestest

import (
	"io"
	"net"
	"os"
	"testing"
)

// Held returns an address for the tools fork and stubborn. The channel has a value once a
// process holds a connection to it, and is closed when none does any more: the system
// closes the connections of a process that ends in any way.
func Held(t *testing.T) (address string, held <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	events := make(chan struct{})
	go func() {
		defer close(events)
		c, err := l.Accept()
		if err != nil {
			return // no process came
		}
		defer c.Close()
		events <- struct{}{}
		_, _ = io.Copy(io.Discard, c)
	}()
	return l.Addr().String(), events
}

// hold keeps a connection open until its other end closes it, and does not return.
func hold(address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		os.Exit(1)
	}
	_, _ = c.Read(make([]byte, 1))
	os.Exit(0)
}
