package app

import (
	"net/netip"
)

// Visitor is what limits are counted by: the workspace of a browser, empty if
// it has none yet, and the address of the client.
type Visitor struct {
	workspace string
	Address   netip.Prefix
}

// AddressOf returns an address as limits count it: one IPv4 address, or the /64
// network of an IPv6 address, because a client usually has a whole network.
func AddressOf(ip string) netip.Prefix {
	addr, err := netip.ParseAddr(ip)
	if err != nil {
		return netip.Prefix{}
	}
	addr = addr.Unmap().WithZone("")
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.Prefix(bits)
	return p
}

// networkShare is how much more of a limit a /48 network has than an address:
// it is what a provider gives to one customer, who has thousands of addresses.
const networkShare = 4

// networkOf returns the /48 network of an IPv6 address, and of any other the
// address itself.
func networkOf(address netip.Prefix) netip.Prefix {
	if !address.Addr().Is6() {
		return address
	}
	p, _ := address.Addr().Prefix(48)
	return p
}
