package wire

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// guard decides which addresses may be dialled. It runs after name resolution
// and again on the socket itself, which catches a name that resolves
// differently the second time and a spelling that only the system understands.
type guard struct {
	reach  Reach
	ports  []uint16 // of public addresses, if the reach is limited
	deny   []netip.Prefix
	closed func(netip.AddrPort) bool
	ours   func(netip.AddrPort) bool
}

func newGuard(c Config) *guard {
	never := func(netip.AddrPort) bool { return false }
	g := &guard{c.Reach, c.Ports, slices.Clone(c.Deny), c.Closed, c.Ours}
	if g.ports == nil {
		g.ports = publicPorts
	}
	if g.closed == nil {
		g.closed = never
	}
	if g.ours == nil {
		g.ours = never
	}
	return g
}

// blocked returns a Failure that does not name the address, which would let a
// user map our network.
func blocked() *Failure {
	return fail(BlockedAddress, "the host is not on the public internet, or not allowed")
}

// check returns nil if an address and port may be dialled for a URL with a scheme.
func (g *guard) check(scheme string, to netip.AddrPort) *Failure {
	plain := netip.AddrPortFrom(to.Addr().Unmap().WithZone(""), to.Port())
	switch {
	case slices.ContainsFunc(g.deny, func(p netip.Prefix) bool { return p.Contains(plain.Addr()) }):
		return blocked()
	case g.closed(plain):
		return blocked()
	case g.reach.Limited && !g.reach.isSingle(plain.Addr()) && g.ours(plain):
		return blocked()
	}
	return g.reach.check(scheme, to, g.ports)
}

// control returns a net.Dialer.ControlContext function that checks the socket's address for
// a URL with a scheme.
func (g *guard) control(scheme string) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, network, address string, _ syscall.RawConn) error {
		if network != "tcp4" && network != "tcp6" {
			return blocked()
		}
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("guard address: %w", err)
		}
		if failure := g.check(scheme, to); failure != nil {
			return failure
		}
		return nil
	}
}

// connect dials an address for a URL with a scheme.
func (g *guard) connect(ctx context.Context, scheme, address string) (net.Conn, error) {
	d := net.Dialer{ControlContext: g.control(scheme), KeepAlive: -1}
	return d.DialContext(ctx, "tcp", address)
}
