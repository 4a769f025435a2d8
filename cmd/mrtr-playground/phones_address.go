package main

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// networkInterface is a network interface of this machine that is up.
type networkInterface struct {
	flags  net.Flags
	addrs  []netip.Addr
	routed netip.Addr // the address that leads out of the network; invalid if none of addrs does
}

// ownInterfaces returns the network interfaces of this machine that are up.
func ownInterfaces() ([]networkInterface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list network interfaces: %w", err)
	}
	routed := routedAddress()
	var list []networkInterface
	for _, i := range all {
		addrs, err := i.Addrs()
		if err != nil || i.Flags&net.FlagUp == 0 {
			continue
		}
		found := networkInterface{flags: i.Flags}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				found.addrs = append(found.addrs, p.Addr())
			}
		}
		if slices.Contains(found.addrs, routed) {
			found.routed = routed
		}
		list = append(list, found)
	}
	return list, nil
}

// routedAddress returns the address from which this machine reaches other networks, or an
// invalid one. A UDP socket finds it without a packet: 203.0.113.1 belongs to no machine (RFC 5737).
func routedAddress() netip.Addr {
	conn, err := net.Dial("udp4", "203.0.113.1:9")
	if err != nil {
		return netip.Addr{}
	}
	defer conn.Close()
	at, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	return at.Addr().Unmap()
}

// isOwn reports whether this machine has an address.
func isOwn(own []networkInterface, addr netip.Addr) bool {
	return addr.IsLoopback() || slices.ContainsFunc(own, func(i networkInterface) bool {
		return slices.Contains(i.addrs, addr)
	})
}

// phonesAddress returns where to listen for phones, HOST:PORT: at, with the best address of
// this machine if at has no host. The error is app.ErrNoNetwork if there is none.
func phonesAddress(at string, own []networkInterface) (string, error) {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return "", fmt.Errorf("read the address for phones: %w", err)
	}
	if host != "" {
		return at, nil
	}
	best, most := netip.Addr{}, 0
	for _, i := range own {
		for _, addr := range i.addrs {
			if n := i.suits(addr); n > most {
				best, most = addr, n
			}
		}
	}
	if most == 0 {
		return "", app.ErrNoNetwork
	}
	return net.JoinHostPort(best.String(), port), nil
}

// suits returns how likely phones of the same room reach an address of the interface; 0 if
// they cannot. A private IPv4 address is that of a home or an office, and the one with a
// route is not that of a virtual machine. A point-to-point interface is a tunnel.
func (i networkInterface) suits(addr netip.Addr) int {
	if !addr.IsGlobalUnicast() || i.flags&net.FlagLoopback != 0 {
		return 0
	}
	score := 1
	for _, better := range []struct {
		holds bool
		by    int
	}{
		{addr.Is4(), 8},
		{i.flags&net.FlagPointToPoint == 0, 4},
		{addr.IsPrivate(), 2},
		{addr == i.routed, 1},
	} {
		if better.holds {
			score += better.by
		}
	}
	return score
}

// checkRoom returns an error for a value of -room that is no address, or that has no meaning
// because phones reach the program itself.
func (o options) checkRoom() error {
	if o.room == noRoom {
		return nil
	}
	host, _, err := net.SplitHostPort(o.room)
	addr, notIP := netip.ParseAddr(cmp.Or(host, "127.0.0.1"))
	if err != nil || notIP != nil || addr.IsUnspecified() {
		return &usageError{fmt.Sprintf("-room %q is neither off nor HOST:PORT with an IP address of this "+
			"machine, such as 192.168.1.20:0 or :2323", o.room)}
	}
	if o.room != defaultRoom && o.mode.Shared() {
		return &usageError{"-room is for a program for one person. With -trusted-network, -public, " +
			"-base-url and -trusted-proxy, phones reach the program itself"}
	}
	return nil
}
