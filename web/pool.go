package web

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// pool counts who holds how many places of something. The zero value is ready.
type pool struct {
	mu   sync.Mutex
	held map[netip.Prefix]int
}

// enter takes a place for an address and returns a function that gives it back.
func (p *pool) enter(who netip.Prefix) (leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == nil {
		p.held = map[netip.Prefix]int{}
	}
	p.held[who]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.held[who]--; p.held[who] == 0 {
			delete(p.held, who)
		}
	}
}

// holders returns who holds places, with name as the name of an address.
func (p *pool) holders(name func(netip.Prefix) string) []usage.Holder {
	p.mu.Lock()
	defer p.mu.Unlock()
	held := map[string]int{}
	for who, n := range p.held {
		held[name(who)] = n
	}
	return sortHolders(held)
}

// mostHolders is how many holders of a pool are listed.
const mostHolders = 10

// sortHolders returns the holders, largest first.
func sortHolders(held map[string]int) []usage.Holder {
	var list []usage.Holder
	for _, name := range slices.Sorted(maps.Keys(held)) {
		list = append(list, usage.Holder{Name: name, Held: held[name]})
	}
	slices.SortStableFunc(list, func(a, b usage.Holder) int { return cmp.Compare(b.Held, a.Held) })
	return list
}

// newPool returns a pool of which these are all the holders, as it is shown.
func newPool(name string, limit int, holders []usage.Holder) usage.Pool {
	p := usage.Pool{Name: name, Limit: limit, Holders: holders[:min(len(holders), mostHolders)]}
	for _, h := range holders {
		p.Held += h.Held
	}
	return p
}
