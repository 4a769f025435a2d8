package wire

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/faults/balance"
)

// synctest checks this for connections in memory. This test checks the ways to
// fail that only real sockets have.
func TestNothingIsLeftRunning(t *testing.T) { // fault 87
	port, _ := canary(t)
	l, err := net.Listen("tcp", "127.0.0.1:0") // accepts in the kernel and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	mute := "://" + l.Addr().String() + "/"
	l2, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l2.Close()
	short := Limits{FirstByte: time.Millisecond, TLS: time.Millisecond}
	end := balance.Begin(t, balance.Growth)
	for range 5 {
		askAt(t.Context(), New(Config{Reach: PublicOnly(), Ports: []uint16{port}}), "https://127.0.0.1/")
		askAt(t.Context(), New(Config{Limits: short}), "http"+mute)
		askAt(t.Context(), New(Config{Limits: short}), "https"+mute)
		askAt(t.Context(), New(Config{}), "http://"+l2.Addr().String()+"/")
		for _, scheme := range []string{"http", "https"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			askAt(ctx, New(Config{}), scheme+mute)
			cancel()
		}
	}
	end()
}
