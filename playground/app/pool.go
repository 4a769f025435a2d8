package app

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// ErrPoolFull is returned when neither a place nor a place in the queue is free.
var ErrPoolFull = errors.New("pool full")

// Pool has places that requests share. A request may wait for one in a queue;
// the place goes to the account that holds the fewest, and among those to the
// one that waits longest, so that one cannot keep all others waiting. Accounts with
// an address are one by it.
type Pool struct {
	Places, queue int // in all
	part          int // places of one account; 0 for any number
	queuePart     int // its part of the queue

	mu      sync.Mutex
	held    map[Account]int // by holder, and by network where that is larger
	taken   int
	waiting []*waiter // in the order in which they came
}

type waiter struct {
	who   Account       // a holder
	ready chan struct{} // closed when the place is the waiter's
}

// NewPool returns a pool. If shared, one account may hold an eighth of it, at
// least one place, and one network (networkOf) networkShare times that.
func NewPool(places, queue int, shared bool) *Pool {
	p := &Pool{Places: places, queue: queue, held: map[Account]int{}}
	if shared {
		p.part, p.queuePart = usage.Share(places), usage.Share(queue)
	}
	return p
}

// newPoolOf returns a pool without a queue of which one account may hold a part.
func newPoolOf(places, part int) *Pool {
	p := NewPool(places, 0, false)
	p.part = part
	return p
}

// Acquire returns when the account has a place, or with ErrPoolFull if there is
// no place in the queue either, or with the error of ctx. The place must be
// released once.
func (p *Pool) Acquire(ctx context.Context, who Account) (release func(), err error) {
	who = who.holder()
	w := &waiter{who, make(chan struct{})}
	p.mu.Lock()
	if !p.mayWait(who) && !p.hasPlace(who) {
		p.mu.Unlock()
		return nil, ErrPoolFull
	}
	p.waiting = append(p.waiting, w)
	p.hand()
	p.mu.Unlock()
	select {
	case <-w.ready:
	case <-ctx.Done():
		if !p.leave(w) {
			p.release(who) // it got the place at the same moment
		}
		return nil, ctx.Err()
	}
	return sync.OnceFunc(func() { p.release(who) }), nil
}

// IsFull reports whether an account could not take a place now.
func (p *Pool) IsFull(who Account) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.hasPlace(who.holder())
}

// mayWait reports whether the queue has a place. p.mu must be held.
func (p *Pool) mayWait(who Account) bool {
	own, near := 0, 0
	for _, w := range p.waiting {
		own += count(w.who == who)
		near += count(w.who.network() == who.network())
	}
	return len(p.waiting) < p.queue &&
		(p.queuePart == 0 || own < p.queuePart && near < networkShare*p.queuePart)
}

// hasPlace reports whether a holder may take a place now. p.mu must be held.
func (p *Pool) hasPlace(who Account) bool {
	if p.taken >= p.Places {
		return false
	}
	network := who.network()
	return p.part == 0 || p.held[who] < p.part &&
		(network == who || p.held[network] < networkShare*p.part)
}

// count adds n places to those of a holder and its network. p.mu must be held.
func (p *Pool) count(who Account, n int) {
	p.taken += n
	p.add(who, n)
	if network := who.network(); network != who {
		p.add(network, n)
	}
}

func (p *Pool) add(key Account, n int) {
	if p.held[key] += n; p.held[key] == 0 {
		delete(p.held, key)
	}
}

// hand gives free places to those who wait. p.mu must be held.
func (p *Pool) hand() {
	for {
		next := -1
		for i, w := range p.waiting {
			if p.hasPlace(w.who) &&
				(next < 0 || p.held[w.who] < p.held[p.waiting[next].who]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := p.waiting[next]
		p.waiting = slices.Delete(p.waiting, next, next+1)
		p.count(w.who, 1)
		close(w.ready)
	}
}

// leave takes a waiter from the queue, or returns false if it has a place.
func (p *Pool) leave(w *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.waiting, w)
	if i < 0 {
		return false
	}
	p.waiting = slices.Delete(p.waiting, i, i+1)
	return true
}

func (p *Pool) release(who Account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(who, -1)
	p.hand()
}

// Usage returns how full the pool is.
func (p *Pool) Usage(name string) usage.Places {
	p.mu.Lock()
	defer p.mu.Unlock()
	return usage.Places{
		Pool: name, Used: p.taken, Limit: p.Places, Waiting: len(p.waiting), Queue: p.queue,
	}
}

// Holders returns who holds places, with name as the name of an address. One that counts
// alone has the name of its workspace.
func (p *Pool) Holders(name func(netip.Prefix) string) []usage.Holder {
	p.mu.Lock()
	defer p.mu.Unlock()
	held := map[string]int{}
	for who, n := range p.held {
		switch at := who.Address; {
		case !at.IsValid() && who.workspace != "":
			held[who.workspace] = n
		case at.Bits() != 48 || !at.Addr().Is6(): // no network
			held[name(at)] = n
		}
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
