package web

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Rates returns the limits of how often, and how many visitors they know.
func (l *Limiters) Rates(limits Limits, now time.Time) []usage.Rate {
	var list []usage.Rate
	add := func(name, by string, each Rate, known, waiting int) {
		words, _ := each.MarshalText() // never fails
		list = append(list, usage.Rate{
			Name: name, Each: string(words), By: by, Known: known, Waiting: waiting,
		})
	}
	for _, one := range []struct {
		name string
		each Rate
		Limiter
	}{
		{"pages", limits.Pages, l.pages}, {"parts of pages", limits.Parts, l.parts},
		{"calls", limits.Calls, l.calls}, {"links", limits.Shares, l.Shares},
		{"imports and forks", limits.Imports, l.Imports},
	} {
		known, waiting := one.workspaces.count(now)
		add(one.name, usage.Workspace, one.each, known, waiting)
		known, waiting = one.addresses.addresses.count(now)
		add(one.name, usage.Address, one.each.times(limits.Crowd), known, waiting)
	}
	known, waiting := l.samples.addresses.count(now)
	add("samples", usage.Address, limits.Samples, known, waiting)
	known, waiting = l.follow.addresses.count(now)
	add("pages of talks", usage.Address, limits.FollowPages, known, waiting)
	known, waiting = l.WrongLinks.addresses.count(now)
	add("invalid links", usage.Address, limits.WrongLinks, known, waiting)
	return list
}

// Limiter holds every workspace to a Rate, and every address to a multiple of
// it, because several workspaces may share an address.
type Limiter struct {
	workspaces *Buckets[string]
	addresses  AddressLimiter
}

func newLimiter(each Rate, crowd int) Limiter {
	return Limiter{newBuckets[string](each), newAddressLimiter(each.times(crowd))}
}

// AddressLimiter holds every address to a Rate, and every network (networkOf)
// to networkShare times that.
type AddressLimiter struct{ addresses, networks *Buckets[netip.Prefix] }

func newAddressLimiter(each Rate) AddressLimiter {
	return AddressLimiter{newBuckets[netip.Prefix](each), newBuckets[netip.Prefix](each.times(networkShare))}
}

// Reserve counts one event of an address and returns 0, or returns how long to
// wait.
func (p AddressLimiter) Reserve(address netip.Prefix, now time.Time) time.Duration {
	if wait := p.addresses.Reserve(address, now); wait > 0 {
		return wait
	}
	if network := networkOf(address); network != address {
		return p.networks.Reserve(network, now)
	}
	return 0
}

// Return takes back an event that was counted.
func (p AddressLimiter) Return(address netip.Prefix, now time.Time) {
	p.addresses.Return(address, now)
	if network := networkOf(address); network != address {
		p.networks.Return(network, now)
	}
}

// Reserve counts one event of a visitor and returns 0, or returns how long to
// wait. A workspace over its own limit does not use up the limit of its
// address.
func (p Limiter) Reserve(who Visitor, now time.Time) time.Duration {
	if who.workspace != "" {
		if wait := p.workspaces.Reserve(who.workspace, now); wait > 0 {
			return wait
		}
	}
	return p.addresses.Reserve(who.Address, now)
}

// Limiters are the rate limits of public mode.
type Limiters struct {
	pages, parts, calls Limiter
	Shares, Imports     Limiter
	Visits              *Buckets[string]
	samples, WrongLinks AddressLimiter
	follow              AddressLimiter
	Captures            AddressLimiter
}

func newLimiters(l Limits) Limiters {
	return Limiters{
		pages: newLimiter(l.Pages, l.Crowd), parts: newLimiter(l.Parts, l.Crowd),
		calls: newLimiter(l.Calls, l.Crowd), Shares: newLimiter(l.Shares, l.Crowd),
		Imports: newLimiter(l.Imports, l.Crowd), Visits: newBuckets[string](visitRate),
		samples: newAddressLimiter(l.Samples), WrongLinks: newAddressLimiter(l.WrongLinks),
		follow:   newAddressLimiter(l.FollowPages),
		Captures: newAddressLimiter(l.CapturesAddress),
	}
}

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
	who, now := s.Visitor(c), s.Now()
	switch {
	case strings.HasPrefix(c.Request().URL.Path, CapturePath):
		return 0 // each capture has rates of its own
	case strings.HasPrefix(c.Request().URL.Path, FollowPath):
		return s.Limiters.follow.Reserve(who.Address, now) // a hall has one address
	case IsSample(c):
		return s.Limiters.samples.Reserve(who.Address, now)
	case WantsFragment(c) || strings.HasSuffix(c.Path(), "/events"):
		return s.Limiters.parts.Reserve(who, now)
	}
	return s.Limiters.pages.Reserve(who, now)
}

// TooMany returns a refusal with status 429 that says how long to wait, in
// words and in Retry-After.
func TooMany(wait time.Duration, code, what, try string) *Refusal {
	r := Refuse(http.StatusTooManyRequests, code, what, try+" Try again in "+waitWords(wait)+".")
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
