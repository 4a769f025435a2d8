package main

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/mrtr-playground/mrtr-playground/web"
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

// deniedNetworks returns the networks that must not be called. In public mode
// that includes this machine's own addresses: they may be public, so that the
// guard against special addresses does not block them.
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
