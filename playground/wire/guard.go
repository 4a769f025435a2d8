package wire

import (
	"fmt"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// guard decides which addresses may be dialled. It runs after name resolution
// and again on the socket itself, which catches a name that resolves
// differently the second time and a spelling that only the system understands.
type guard struct {
	public      bool
	allow, deny []netip.Prefix
	closed      func(netip.AddrPort) bool
	special     *ssrf.Guardian
}

func newGuard(public bool, allow, deny []netip.Prefix, closed func(netip.AddrPort) bool) *guard {
	if closed == nil {
		closed = func(netip.AddrPort) bool { return false }
	}
	return &guard{public, slices.Clone(allow), slices.Clone(deny), closed, ssrf.New(ssrf.WithAnyPort())}
}

// blocked returns a Failure that does not name the address, which would let a
// user map our network.
func blocked() *Failure {
	return fail(BlockedAddress, "the host is not on the public internet, or not allowed")
}

func (g *guard) check(ip netip.Addr) error {
	ip = ip.Unmap()
	within := func(p netip.Prefix) bool { return p.Contains(ip.WithZone("")) }
	switch {
	case slices.ContainsFunc(g.deny, within):
		return blocked()
	case !g.public || slices.ContainsFunc(g.allow, within):
		return nil
	case ip.Zone() != "" || ip == azureHost || g.special.SafeAddr(ip) != nil:
		return blocked()
	}
	return nil
}

// azureHost is the address of the host services of every machine on Azure. It
// lies in a public range.
var azureHost = netip.AddrFrom4([4]byte{168, 63, 129, 16})

// control is a net.Dialer.Control function that checks the socket's address.
func (g *guard) control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return blocked()
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("guard address: %w", err)
	}
	if g.closed(netip.AddrPortFrom(to.Addr().Unmap().WithZone(""), to.Port())) {
		return blocked()
	}
	return g.check(to.Addr())
}
