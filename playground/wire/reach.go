package wire

import (
	"net/netip"
	"net/url"
	"slices"

	"code.dny.dev/ssrf"
)

// Reach says which servers may be called. The zero value is for one person on a machine of
// their own, and has no limits. A limited one has public addresses, over https on the ports
// 443 and 8443, and what its networks have.
type Reach struct {
	Limited  bool
	Networks []Network // further addresses of a limited reach
}

// Network is a network whose servers may be called, on every port: over https or, if it is
// Plain, over http too.
type Network struct {
	netip.Prefix
	Plain bool
}

// PublicOnly is the reach of strangers.
func PublicOnly() Reach { return Reach{Limited: true} }

// PrivateRanges returns the networks that are private by themselves (RFC 1918, RFC 4193),
// whose servers may be called over http too.
func PrivateRanges() []Network {
	var list []Network
	for _, text := range []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"} {
		list = append(list, Network{netip.MustParsePrefix(text), true})
	}
	return list
}

// Plain reports whether some server may be called over http.
func (r Reach) Plain() bool {
	return !r.Limited || slices.ContainsFunc(r.Networks, func(n Network) bool { return n.Plain })
}

// Names reports whether a network of the reach has an address, so that it may be called
// although it is not public. An address that no network has by itself must be named alone,
// as a network of one address: see isAlone.
func (r Reach) Names(ip netip.Addr) bool { return len(r.naming(ip)) > 0 }

// naming returns the networks of Names.
func (r Reach) naming(ip netip.Addr) []Network {
	ip = ip.Unmap()
	var list []Network
	for _, n := range r.Networks {
		if n.Contains(ip) && (n.IsSingleIP() || !isAlone(ip)) {
			list = append(list, n)
		}
	}
	return list
}

// isSingle reports whether the reach names an address alone.
func (r Reach) isSingle(ip netip.Addr) bool {
	return slices.ContainsFunc(r.Networks, func(n Network) bool {
		return n.IsSingleIP() && n.Contains(ip.Unmap())
	})
}

// isAlone reports whether an address belongs to one machine or one link, or to the services
// of a cloud, so that a network around it does not mean it.
func isAlone(ip netip.Addr) bool {
	return ip.IsLoopback() || ip.IsUnspecified() || ip.IsMulticast() || ip.IsLinkLocalUnicast() ||
		slices.Contains(services, ip)
}

// services are the addresses of the host and metadata services of clouds that are not
// link-local.
var services = []netip.Addr{
	netip.MustParseAddr("168.63.129.16"), netip.MustParseAddr("100.100.100.200"),
	netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254"),
}

// special knows the addresses that are not on the public internet.
var special = ssrf.New(ssrf.WithAnyPort())

// check returns nil if a port of an address may be called over http or https. Ports are
// those that public addresses have.
func (r Reach) check(scheme string, to netip.AddrPort, ports []uint16) *Failure {
	ip := to.Addr().Unmap()
	if !r.Limited {
		return nil
	}
	if naming := r.naming(ip); len(naming) > 0 {
		if scheme == "http" && !slices.ContainsFunc(naming, func(n Network) bool { return n.Plain }) {
			return badURL("this site connects to servers of this network over https only")
		}
		return nil
	}
	switch {
	case ip.Zone() != "", slices.Contains(services, ip), special.SafeAddr(ip) != nil:
		return blocked()
	case scheme != "https":
		return httpsOnly()
	case !slices.Contains(ports, to.Port()):
		return wrongPort()
	}
	return nil
}

// checkURL returns nil if the server at a URL may be called, as far as its spelling says. The
// addresses of a name are checked when it is dialled.
func (r Reach) checkURL(u *url.URL, ports []uint16) *Failure {
	port, failure := portNumber(u)
	if !r.Limited || failure != nil {
		return failure
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && r.Names(ip) {
		return r.check(u.Scheme, netip.AddrPortFrom(ip, port), ports)
	}
	switch {
	case u.Scheme != "https" && !r.Plain():
		return httpsOnly()
	case len(r.Networks) == 0 && !slices.Contains(ports, port):
		return wrongPort()
	}
	return nil
}
