package web

import (
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// IsUnlimited reports whether a request is exempt from rates: assets, which are
// served from memory and cached by browsers, and health checks, which must
// never get 429.
func IsUnlimited(c echo.Context) bool {
	switch c.Path() {
	case "/static/*", "/healthz", "/readyz", "/version":
		return true
	}
	return false
}

// Delay is how long a request has to wait; 0 means that it is its delay.
// Clients of the samples have no workspace, and ask as fast as programs do. The
// samples' own visitors inside this program do not come this way.
func (s *App) Delay(c echo.Context) time.Duration {
	v, now := VisitOf(c), s.Now()
	switch {
	case strings.HasPrefix(c.Request().URL.Path, CapturePath):
		return 0 // each capture has rates of its own
	case strings.HasPrefix(c.Request().URL.Path, FollowPath):
		return s.Limiters.Follow.Reserve(v.Address, now) // a hall has one address
	case IsSample(c):
		return s.Limiters.Samples.Reserve(v.Address, now)
	case WantsFragment(c) || strings.HasSuffix(c.Path(), "/events"):
		return s.Limiters.Parts.Reserve(v.Account(), now)
	}
	return s.Limiters.Pages.Reserve(v.Account(), now)
}
