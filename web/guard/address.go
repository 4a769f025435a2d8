package guard

import (
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// ClientAddresses returns the extractor of client addresses: the peer of the
// connection or, if that is a trusted proxy, the last address in
// X-Forwarded-For that no trusted proxy has.
func ClientAddresses(trusted []netip.Prefix) echo.IPExtractor {
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

// Visit begins the visit of a request, for all handlers that follow.
func (s *Pages) Visit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		defer s.App.BeginVisit(c).EndTurn()
		return next(c)
	}
}
