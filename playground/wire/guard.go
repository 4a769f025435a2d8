package wire

import (
	"fmt"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// guard decides which addresses may be dialled. It runs after name resolution
// and again on the socket itself, so neither a name that changes its mind
// between two lookups nor a spelling that only the system understands gets by.
type guard struct {
	public      bool
	allow, deny []netip.Prefix
	special     *ssrf.Guardian
}

func newGuard(public bool, allow, deny []netip.Prefix) *guard {
	return &guard{public, slices.Clone(allow), slices.Clone(deny), ssrf.New(ssrf.WithAnyPort())}
}

// blocked does not say which address a name led to: strangers would map our
// network with it.
func blocked() *Failure {
	return &Failure{BlockedAddress, "the host is not on the public internet, or not to be reached from here"}
}

func (g *guard) check(ip netip.Addr) error {
	ip = ip.Unmap()
	within := func(p netip.Prefix) bool { return p.Contains(ip.WithZone("")) }
	switch {
	case slices.ContainsFunc(g.deny, within):
		return blocked()
	case !g.public || slices.ContainsFunc(g.allow, within):
		return nil
	case ip.Zone() != "" || ip == azureHost() || g.special.SafeAddr(ip) != nil:
		return blocked()
	}
	return nil
}

// azureHost is the address at which every machine on Azure finds its host's
// services. It is public by number only.
func azureHost() netip.Addr { return netip.AddrFrom4([4]byte{168, 63, 129, 16}) }

// control is for net.Dialer: it sees the address of the socket.
func (g *guard) control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return blocked()
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("guard address: %w", err)
	}
	return g.check(to.Addr())
}
