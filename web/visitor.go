package web

import (
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// visitor is what limits are counted by: the workspace of a browser, empty if
// it has none yet, and the address of the client.
type visitor struct {
	workspace string
	address   netip.Prefix
}

func (s *app) visitor(c echo.Context) visitor {
	return visitor{s.owners.reading(c), addressOf(c.RealIP())}
}

// addressOf returns an address as limits count it: one IPv4 address, or the /64
// network of an IPv6 address, because a client usually has a whole network.
func addressOf(ip string) netip.Prefix {
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

// clientAddresses returns the extractor of client addresses: the peer of the
// connection or, if that is a trusted proxy, the last address in
// X-Forwarded-For that no trusted proxy has.
func clientAddresses(trusted []netip.Prefix) echo.IPExtractor {
	if len(trusted) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{
		echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false),
	}
	for _, p := range trusted {
		options = append(options, echo.TrustIPRange(
			&net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())},
		))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// named gives the context of a request the address of the visitor, which the
// samples then see as their client's: what they limit has a part for each.
func (s *app) named(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if address := addressOf(c.RealIP()); s.Mode == Public && address.IsValid() {
			r := c.Request()
			c.SetRequest(r.WithContext(wire.WithPeer(r.Context(), address.Addr().String())))
		}
		return next(c)
	}
}
