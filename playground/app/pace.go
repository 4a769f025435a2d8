package app

import (
	"net/netip"
	"time"

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
		{"pages", limits.Pages, l.Pages}, {"parts of pages", limits.Parts, l.Parts},
		{"calls", limits.Calls, l.calls}, {"links", limits.Shares, l.Shares},
		{"imports and forks", limits.Imports, l.Imports},
	} {
		known, waiting := one.workspaces.count(now)
		add(one.name, usage.Workspace, one.each, known, waiting)
		known, waiting = one.addresses.addresses.count(now)
		add(one.name, usage.Address, one.each.times(limits.Crowd), known, waiting)
	}
	known, waiting := l.Samples.addresses.count(now)
	add("samples", usage.Address, limits.Samples, known, waiting)
	known, waiting = l.agents.count(now)
	add("agents", usage.Workspace, limits.Samples, known, waiting)
	known, waiting = l.Follow.addresses.count(now)
	add("pages of talks", usage.Address, limits.FollowPages, known, waiting)
	known, waiting = l.signIns.addresses.count(now)
	add("pages without a sign-in", usage.Address, limits.SignInPages, known, waiting)
	known, waiting = l.WrongLinks.addresses.count(now)
	add("invalid links", usage.Address, limits.WrongLinks, known, waiting)
	return list
}

// Limiter holds every workspace to a Rate, and every address to a multiple of
// it, because several workspaces may share an address. An account that counts alone is
// held to the Rate only.
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

// Reserve counts one event of an account and returns 0, or returns how long to
// wait. A workspace over its own limit does not use up the limit of its
// address.
func (p Limiter) Reserve(who Account, now time.Time) time.Duration {
	if who.workspace != "" {
		if wait := p.workspaces.Reserve(who.workspace, now); wait > 0 {
			return wait
		}
		if !who.Address.IsValid() {
			return 0
		}
	}
	return p.addresses.Reserve(who.Address, now)
}

// visitRate is how often the last use of a workspace is stored.
var visitRate = Rate{N: 1, Per: 24 * time.Hour, Burst: 1}

// Limiters are the rate limits of public mode.
type Limiters struct {
	Pages, Parts, calls Limiter
	Shares, Imports     Limiter
	Visits, agents      *Buckets[string]
	Samples, WrongLinks AddressLimiter
	Follow              AddressLimiter
	Captures            AddressLimiter
	signIns             AddressLimiter
}

// LimitImports enforces the rate of imports and forks.
func (s *App) LimitImports(v *Visit) error {
	if !s.Mode.Shared() {
		return nil
	}
	if wait := s.Limiters.Imports.Reserve(v.Account(), s.Now()); wait > 0 {
		return TooMany(wait, "too_many_imports", "Too many imports and forks in a short time.",
			"Nothing was saved.")
	}
	return nil
}

func newLimiters(l Limits) Limiters {
	return Limiters{
		Pages: newLimiter(l.Pages, l.Crowd), Parts: newLimiter(l.Parts, l.Crowd),
		calls: newLimiter(l.Calls, l.Crowd), Shares: newLimiter(l.Shares, l.Crowd),
		Imports: newLimiter(l.Imports, l.Crowd), Visits: newBuckets[string](visitRate),
		agents:  newBuckets[string](l.Samples),
		Samples: newAddressLimiter(l.Samples), WrongLinks: newAddressLimiter(l.WrongLinks),
		Follow:   newAddressLimiter(l.FollowPages),
		Captures: newAddressLimiter(l.CapturesAddress),
		signIns:  newAddressLimiter(l.SignInPages),
	}
}
