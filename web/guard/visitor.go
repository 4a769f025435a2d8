package guard

import (
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
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

// Named gives the context of a request the turns of the visitor's address, and this
// address, which the samples then see as their client's: what they limit has a part for each.
func (s *Pages) Named(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		address := web.AddressOf(c.RealIP())
		ctx := s.WithTurns(c.Request().Context(), address)
		if s.Mode.Limited() && address.IsValid() {
			ctx = wire.WithPeer(ctx, address.Addr().String())
		}
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}
