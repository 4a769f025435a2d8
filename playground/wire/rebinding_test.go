package wire

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"testing"
)

// TestGuard_Rebinding holds fault 16: a name that leads to a public address when
// it is checked and to the loopback address when it is asked for again. It is
// asked for once in each call, and the dialled address is the checked one.
func TestGuard_Rebinding(t *testing.T) {
	port, count := canary(t)
	names := &system{}
	c := New(Config{Reach: PublicOnly(), Ports: []uint16{port}, Resolver: names})
	var dialled []string
	c.connect = func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = append(dialled, address)
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}
	url := "https://" + net.JoinHostPort("rebinding.example", fmt.Sprint(port)) + "/mcp"
	parts, _ := askAt(t.Context(), c, url)
	want := net.JoinHostPort("2606:4700::1111", fmt.Sprint(port))
	if show(parts) != "failed refused" || len(dialled) != 1 || dialled[0] != want ||
		names.lookups.Load() != 1 {
		t.Errorf("the first call: %s, dialled %q, %d lookups", show(parts), dialled, names.lookups.Load())
	}
	parts, _ = askAt(t.Context(), c, url) // the name leads to the loopback address now
	if show(parts) != "failed blocked_address" || len(dialled) != 1 || names.lookups.Load() != 2 {
		t.Errorf("the second call: %s, dialled %q, %d lookups", show(parts), dialled, names.lookups.Load())
	}
	if n := count.Load(); n != 0 {
		t.Errorf("the canary saw %d connections", n)
	}
}
