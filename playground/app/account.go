package app

import (
	"cmp"
	"net/netip"

	"github.com/mrtr-playground/mrtr-playground/playground/places"
)

// Account is by whom limits count a visit: the workspace, empty if there is none yet, and the
// address of the client, whose limits hold for all workspaces behind it, because a browser
// gets a workspace for nothing. An owner who cannot be had for nothing, such as an agent with
// a token, counts alone: its Address is invalid.
type Account struct {
	workspace string
	Address   netip.Prefix
}

// AccountOf returns the account of a workspace that counts alone.
func AccountOf(workspace string) Account { return Account{workspace: workspace} }

// Holder returns by whom the places of an account are counted: by its address and that
// one's network, or by the workspace if it counts alone.
func (a Account) Holder() places.Holder {
	if !a.Address.IsValid() {
		return places.Holder{Name: cmp.Or(a.workspace, "unknown")}
	}
	h := places.Holder{Name: a.Address.String()}
	if network := networkOf(a.Address); network != a.Address {
		h.Group = network.String()
	}
	return h
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
