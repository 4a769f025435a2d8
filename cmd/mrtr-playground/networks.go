package main

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// networks is the value of a repeatable flag, such as "10.0.0.0/8" or a single
// address.
type networks []netip.Prefix

func (n *networks) add(text string) error {
	p, err := netip.ParsePrefix(text)
	if addr, single := netip.ParseAddr(text); single == nil {
		p, err = addr.Prefix(addr.BitLen())
	}
	if err != nil {
		return fmt.Errorf("%q is not a network such as 10.0.0.0/8", text)
	}
	*n = append(*n, p.Masked())
	return nil
}

// services are private addresses at which a network has no servers: link-local ones, among
// them the metadata services of most clouds, and the metadata services of other clouds.
var services = networks{
	netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("fe80::/10"),
	netip.MustParsePrefix("100.100.100.200/32"), netip.MustParsePrefix("168.63.129.16/32"),
	netip.MustParsePrefix("fd00:ec2::254/128"),
}

// deniedNetworks returns the networks that must not be called. In public mode
// that includes this machine's own addresses: they may be public, so that the
// guard against special addresses does not block them.
func (o options) deniedNetworks() (networks, error) {
	list := append(networks{}, o.denied...)
	switch o.mode {
	case app.Trusted:
		return append(list, services...), nil
	case app.Public:
		own, err := ownAddresses()
		return append(list, own...), err
	}
	return list, nil
}

// ownAddresses returns this machine's addresses.
func ownAddresses() (networks, error) {
	own, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("list own addresses: %w", err)
	}
	var list networks
	for _, a := range own {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			list = append(list, netip.PrefixFrom(p.Addr(), p.Addr().BitLen()))
		}
	}
	return list, nil
}

// closed reports whether a socket is the operator's, which no visitor may call: the admin
// address.
func (o options) closed(to netip.AddrPort) bool {
	_, port, _ := net.SplitHostPort(o.admin)
	if !o.mode.Shared() || port != strconv.Itoa(int(to.Port())) {
		return false
	}
	own, err := ownAddresses()
	return err != nil || to.Addr().IsLoopback() || to.Addr().IsUnspecified() ||
		slices.ContainsFunc(own, func(p netip.Prefix) bool { return p.Contains(to.Addr()) })
}
