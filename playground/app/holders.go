package app

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// newPool returns a pool. If shared, one account may hold an eighth of it and of its queue, at
// least one place.
func newPool(inAll, queue int, shared bool) *places.Pool {
	l := places.Limits{InAll: inAll, Queue: queue}
	if shared {
		l.Each, l.QueueEach = usage.Share(inAll), usage.Share(queue)
	}
	return places.New(l)
}

// PlacesOf returns how full a pool is, under a name.
func PlacesOf(name string, p *places.Pool) usage.Places {
	used, limit := p.Count()
	waiting, queue := p.Waiting()
	return usage.Places{Pool: name, Used: used, Limit: limit, Waiting: waiting, Queue: queue}
}

// HoldersOf returns which accounts hold places of a pool, with name as the name of an address.
// One that counts alone has the name of its workspace.
func HoldersOf(p *places.Pool, name func(netip.Prefix) string) []usage.Holder {
	held := map[string]int{}
	for holder, n := range p.Held() {
		if at, err := netip.ParsePrefix(holder); err == nil {
			holder = name(at)
		}
		held[holder] += n
	}
	return SortHolders(held)
}

// mostHolders is how many holders of a pool are listed.
const mostHolders = 10

// SortHolders returns the holders, largest first.
func SortHolders(held map[string]int) []usage.Holder {
	var list []usage.Holder
	for _, name := range slices.Sorted(maps.Keys(held)) {
		list = append(list, usage.Holder{Name: name, Held: held[name]})
	}
	slices.SortStableFunc(list, func(a, b usage.Holder) int { return cmp.Compare(b.Held, a.Held) })
	return list
}

// PoolShown returns a pool of which these are all the holders, as the operator
// sees it.
func PoolShown(name string, limit int, holders []usage.Holder) usage.Pool {
	p := usage.Pool{Name: name, Limit: limit, Holders: holders[:min(len(holders), mostHolders)]}
	for _, h := range holders {
		p.Held += h.Held
	}
	return p
}
