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

// limiter is a Rate for every workspace, and for every address, behind which
// several may sit.
type limiter struct {
	workspaces *buckets[string]
	addresses  *buckets[netip.Prefix]
}

func newLimiter(each Rate, crowd int) limiter {
	return limiter{newBuckets[string](each), newBuckets[netip.Prefix](each.times(crowd))}
}

// reserve lets a visitor do it once more and returns 0, or returns how long to
// wait. Whoever is too fast alone does not use up what others behind the same
// address have.
func (p limiter) reserve(who visitor, now time.Time) time.Duration {
	if who.workspace != "" {
		if wait := p.workspaces.reserve(who.workspace, now); wait > 0 {
			return wait
		}
	}
	return p.addresses.reserve(who.address, now)
}

// limiters are what strangers are held to.
type limiters struct {
	pages, parts, calls limiter
	shares, visits      *buckets[string]
	samples, wrongLinks *buckets[netip.Prefix]
}

func newLimiters(l Limits) limiters {
	return limiters{
		pages: newLimiter(l.Pages, l.Crowd), parts: newLimiter(l.Parts, l.Crowd), calls: newLimiter(l.Calls, l.Crowd),
		shares: newBuckets[string](l.Shares), visits: newBuckets[string](visit()),
		samples: newBuckets[netip.Prefix](l.Samples), wrongLinks: newBuckets[netip.Prefix](l.WrongLinks),
	}
}

// limitRates holds strangers to the rates of pages.
func (s *app) limitRates(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Mode != Public || isUnlimited(c) {
			return next(c)
		}
		if wait := s.delay(c); wait > 0 {
			return tooMany(wait, "too_many_pages", "That was a lot at once.", "This site is shared, so each visitor has a pace.")
		}
		return next(c)
	}
}

// isUnlimited reports whether a request costs nothing: files that browsers keep for
// ever and that are served from memory, and what the machines ask that watch
// this one, which must never be told that it has no time for them.
func isUnlimited(c echo.Context) bool {
	switch c.Path() {
	case "/static/*", "/healthz", "/readyz", "/version":
		return true
	}
	return false
}

// delay is how long a request has to wait; 0 means that it is its delay. Clients
// of the samples have no workspace, and ask as fast as programs do. The
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

// tooMany refuses for a while; programs read in Retry-After for how long.
func tooMany(wait time.Duration, code, what, try string) *refusal {
	r := refuse(http.StatusTooManyRequests, code, what, try+" Try again in "+waitWords(wait)+".")
	r.after = int(math.Ceil(wait.Seconds()))
	return r
}

// waitWords say how long, rounded up to what people count in.
func waitWords(d time.Duration) string {
	n, unit := math.Ceil(d.Seconds()), "second"
	if d > 2*time.Minute {
		n, unit = math.Ceil(d.Minutes()), "minute"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%.0f %ss", n, unit)
}
