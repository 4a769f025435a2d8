package web

import (
	"strings"
	"time"
)

// IsUnlimited reports whether a request is exempt from rates: assets, which are
// served from memory and cached by browsers, and health checks, which must
// never get 429.
func IsUnlimited(r *Request) bool {
	switch r.Route() {
	case "/static/*", "/healthz", "/readyz", "/version":
		return true
	}
	return false
}

// Delay is how long a request has to wait; 0 means that it is its delay.
// Clients of the samples have no workspace, and ask as fast as programs do. The
// samples' own visitors inside this program do not come this way.
func (s *App) Delay(r *Request) time.Duration {
	v, now := r.Visit, s.Now()
	switch {
	case strings.HasPrefix(r.URL.Path, CapturePath):
		return 0 // each capture has rates of its own
	case strings.HasPrefix(r.URL.Path, FollowPath):
		return s.Limiters.Follow.Reserve(v.Address, now) // a hall has one address
	case IsSample(r):
		return s.Limiters.Samples.Reserve(v.Address, now)
	case WantsFragment(r) || strings.HasSuffix(r.Route(), "/events"):
		return s.Limiters.Parts.Reserve(v.Account(), now)
	}
	return s.Limiters.Pages.Reserve(v.Account(), now)
}
