package web

import (
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// visitor is whom limits count: the workspace of a browser, empty when it has
// none yet, and where the request comes from.
type visitor struct {
	workspace string
	address   netip.Prefix
}

func (s *app) visitor(c echo.Context) visitor {
	return visitor{s.owners.reading(c), addressOf(c.RealIP())}
}

// addressOf is an address as it is counted: one IPv4 address, or the network of
// an IPv6 one, of which everybody has very many.
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

// clientAddresses tells who sent a request: the other end of the connection. Only when
// that is a trusted proxy is X-Forwarded-For believed, as far back as trusted
// proxies wrote it.
func clientAddresses(trusted []netip.Prefix) echo.IPExtractor {
	if len(trusted) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range trusted {
		options = append(options, echo.TrustIPRange(&net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}
