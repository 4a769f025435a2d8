package main

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/mrtr-playground/mrtr-playground/web"
)

// networks are given one by one, as "10.0.0.0/8" or as a single address.
type networks []netip.Prefix

func (n *networks) add(text string) error {
	p, err := netip.ParsePrefix(text)
	if addr, single := netip.ParseAddr(text); single == nil {
		p, err = addr.Prefix(addr.BitLen())
	}
	if err != nil {
		return fmt.Errorf("%q is no network like 10.0.0.0/8", text)
	}
	*n = append(*n, p.Masked())
	return nil
}

// deniedNetworks are the networks that no call may lead to. Strangers could reach
// this machine itself under its public address, which no list of special
// addresses has; with one's own machine that may be the very wish.
func (o options) deniedNetworks() (networks, error) {
	if o.mode != web.Public {
		return o.denied, nil
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("list own addresses: %w", err)
	}
	list := append(networks{}, o.denied...)
	for _, a := range own {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			list = append(list, netip.PrefixFrom(p.Addr(), p.Addr().BitLen()))
		}
	}
	return list, nil
}
