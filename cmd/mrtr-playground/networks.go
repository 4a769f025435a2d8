package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
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

// allowed is the value of -allow-network: networks whose servers may be called, over http
// too if they are named so.
type allowed []wire.Network

// add reads "10.0.0.0/8" or a single address, after "http:" if http is allowed.
func (a *allowed) add(text string) error {
	rest, plain := strings.CutPrefix(text, "http:")
	var n networks
	if err := n.add(strings.TrimPrefix(rest, "//")); err != nil {
		return fmt.Errorf("%q is not a network such as 10.0.0.0/8 or http:10.0.0.0/8", text)
	}
	*a = append(*a, wire.Network{Prefix: n[0], Plain: plain})
	return nil
}

// reach returns which servers visitors may call.
func (o options) reach() wire.Reach {
	if !o.mode.Shared() {
		return wire.Reach{}
	}
	r := wire.Reach{Limited: true, Networks: o.allowed}
	if o.mode == app.Trusted {
		r.Networks = slices.Concat(r.Networks, wire.PrivateRanges())
	}
	return r
}

// reachOf returns which servers a command calls that may have -public.
func reachOf(public bool) wire.Reach { return wire.Reach{Limited: public} }

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

// own tells which sockets are this program's, with those of its machine and its database.
type own struct {
	reach     wire.Reach
	ports     []uint16 // where the program listens, and where visitors open it
	admin     uint16   // 0 for none
	database  []string // its hosts, each with a port
	addresses func() (networks, error)
	resolve   func(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// newOwn returns the sockets of a program that listens at -addr.
func newOwn(o options) own {
	w := own{
		reach: o.reach(), addresses: ownAddresses, resolve: net.DefaultResolver.LookupNetIP,
		admin: portOf(o.admin), database: engine.PostgresHosts(o.db),
	}
	for _, at := range []string{o.addr, hostOfURL(o.baseURL)} {
		if port := portOf(at); port != 0 {
			w.ports = append(w.ports, port)
		}
	}
	return w
}

// portOf returns the port of HOST:PORT, or 0.
func portOf(at string) uint16 {
	_, text, _ := net.SplitHostPort(at)
	port, _ := strconv.ParseUint(text, 10, 16)
	return uint16(port)
}

// hostOfURL returns HOST:PORT of a URL, or "".
func hostOfURL(raw string) string {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.Port() != "":
	case u.Scheme == "https":
		return net.JoinHostPort(u.Hostname(), "443")
	default:
		return net.JoinHostPort(u.Hostname(), "80")
	}
	if err != nil {
		return ""
	}
	return u.Host
}

// closed reports whether a socket is the admin address, which no visitor may call.
func (w own) closed(to netip.AddrPort) bool {
	return w.reach.Limited && w.admin != 0 && to.Port() == w.admin && w.isHere(to.Addr())
}

// ours reports whether a socket is one where this program listens, one of its database, or
// another one of this machine that no network of the reach has: its address may be public.
func (w own) ours(to netip.AddrPort) bool {
	if w.isHere(to.Addr()) && (slices.Contains(w.ports, to.Port()) || !w.reach.Names(to.Addr())) {
		return true
	}
	return slices.ContainsFunc(w.database, func(at string) bool { return w.leadsTo(at, to) })
}

// isHere reports whether an address is one of this machine. One that cannot be told is.
func (w own) isHere(ip netip.Addr) bool {
	list, err := w.addresses()
	return err != nil || ip.IsLoopback() || ip.IsUnspecified() ||
		slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// nameTime is how long the name of the database may take to resolve.
const nameTime = 2 * time.Second

// leadsTo reports whether a host with a port is a socket. A name that does not resolve now
// may be.
func (w own) leadsTo(at string, to netip.AddrPort) bool {
	host, _, err := net.SplitHostPort(at)
	if err != nil || portOf(at) != to.Port() {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), nameTime)
	defer cancel()
	list, err := w.resolve(ctx, "ip", host)
	return err != nil || slices.ContainsFunc(list, func(ip netip.Addr) bool {
		ip = ip.Unmap()
		return ip == to.Addr() || ip.IsLoopback() && w.isHere(to.Addr())
	})
}
