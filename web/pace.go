package web

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// limiter holds every workspace to a Rate, and every address to a multiple of
// it, because several workspaces may share an address.
type limiter struct {
	workspaces *buckets[string]
	addresses  addressLimiter
}

func newLimiter(each Rate, crowd int) limiter {
	return limiter{newBuckets[string](each), newAddressLimiter(each.times(crowd))}
}

// addressLimiter holds every address to a Rate, and every network (networkOf)
// to networkShare times that.
type addressLimiter struct{ addresses, networks *buckets[netip.Prefix] }

func newAddressLimiter(each Rate) addressLimiter {
	return addressLimiter{newBuckets[netip.Prefix](each), newBuckets[netip.Prefix](each.times(networkShare))}
}

// reserve counts one event of an address and returns 0, or returns how long to
// wait.
func (p addressLimiter) reserve(address netip.Prefix, now time.Time) time.Duration {
	if wait := p.addresses.reserve(address, now); wait > 0 {
		return wait
	}
	if network := networkOf(address); network != address {
		return p.networks.reserve(network, now)
	}
	return 0
}

// reserve counts one event of a visitor and returns 0, or returns how long to
// wait. A workspace over its own limit does not use up the limit of its
// address.
func (p limiter) reserve(who visitor, now time.Time) time.Duration {
	if who.workspace != "" {
		if wait := p.workspaces.reserve(who.workspace, now); wait > 0 {
			return wait
		}
	}
	return p.addresses.reserve(who.address, now)
}

// limiters are the rate limits of public mode.
type limiters struct {
	pages, parts, calls limiter
	shares, imports     limiter
	visits              *buckets[string]
	samples, wrongLinks addressLimiter
}

func newLimiters(l Limits) limiters {
	return limiters{
		pages: newLimiter(l.Pages, l.Crowd), parts: newLimiter(l.Parts, l.Crowd),
		calls: newLimiter(l.Calls, l.Crowd), shares: newLimiter(l.Shares, l.Crowd),
		imports: newLimiter(l.Imports, l.Crowd), visits: newBuckets[string](visitRate),
		samples: newAddressLimiter(l.Samples), wrongLinks: newAddressLimiter(l.WrongLinks),
	}
}

// limitRates enforces the rates of pages in public mode.
func (s *app) limitRates(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Mode != Public || isUnlimited(c) {
			return next(c)
		}
		if wait := s.delay(c); wait > 0 {
			return tooMany(
				wait, "too_many_pages", "Too many pages in a short time.",
				"This site is shared, so each visitor has a limit.",
			)
		}
		return next(c)
	}
}

// isUnlimited reports whether a request is exempt from rates: assets, which are
// served from memory and cached by browsers, and health checks, which must
// never get 429.
func isUnlimited(c echo.Context) bool {
	switch c.Path() {
	case "/static/*", "/healthz", "/readyz", "/version":
		return true
	}
	return false
}

// delay is how long a request has to wait; 0 means that it is its delay.
// Clients of the samples have no workspace, and ask as fast as programs do. The
// samples' own visitors inside this program do not come this way.
func (s *app) delay(c echo.Context) time.Duration {
	who, now := s.visitor(c), s.Now()
	switch {
	case isSample(c):
		return s.limiters.samples.reserve(who.address, now)
	case wantsFragment(c) || strings.HasSuffix(c.Path(), "/events"):
		return s.limiters.parts.reserve(who, now)
	}
	return s.limiters.pages.reserve(who, now)
}

// tooMany returns a refusal with status 429 that says how long to wait, in
// words and in Retry-After.
func tooMany(wait time.Duration, code, what, try string) *refusal {
	r := refuse(http.StatusTooManyRequests, code, what, try+" Try again in "+waitWords(wait)+".")
	r.after = int(math.Ceil(wait.Seconds()))
	return r
}

// waitWords returns a duration in words, rounded up to seconds, minutes or
// hours.
func waitWords(d time.Duration) string {
	n, unit := math.Ceil(d.Seconds()), "second"
	if d > 2*time.Minute {
		n, unit = math.Ceil(d.Minutes()), "minute"
	}
	if d > 2*time.Hour {
		n, unit = math.Ceil(d.Hours()), "hour"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%.0f %ss", n, unit)
}
