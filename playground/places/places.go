// Package places counts things that are open at once: calls, streams, checks,
// connections, turns. There is one counter for all of them, so that each keeps
// the same promises:
//
//   - No more than all places are taken, however many ask at the same moment.
//   - A holder has at most its part, and the holders of one group have at most groupShare
//     parts together, so that neither one nor one network keeps all others out.
//   - A place goes back once, even if it is released twice. It must be released, else it is
//     lost for the life of the process.
//   - Who waits gets a free place before who comes later with as many, and the one with the
//     fewest before all others.
//
// The package knows nothing of visitors: who a holder is, its user decides. The samples get a
// Pool as an interface of their own, because they import nothing of the playground.
package places

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull is returned when neither a place nor a place in the queue is free.
var ErrFull = errors.New("no place is free")

// Holder is by whom places are counted.
type Holder struct {
	Name  string // "" for one who is not known, who has no part of its own
	Group string // "" if it has none
}

// groupShare is how much more of a limit a group has than a holder.
const groupShare = 4

// Limits are how many places there are.
type Limits struct {
	InAll int // 0 for any number
	Each  int // of one holder; 0 for any number
	// Queue is how many may wait for a place, in all and of one holder; 0 for none and for
	// any number.
	Queue, QueueEach int
}

// Pool has places that holders share. A holder may wait for one in a queue; the place goes to
// the one that has the fewest, and among those to the one that waits longest.
type Pool struct {
	limits Limits

	mu      sync.Mutex
	held    map[string]int // by holder
	grouped map[string]int // by group
	taken   int
	waiting []*waiter // in the order in which they came
}

type waiter struct {
	who   Holder
	ready chan struct{} // closed when the place is the waiter's
}

// New returns a pool.
func New(l Limits) *Pool {
	return &Pool{limits: l, held: map[string]int{}, grouped: map[string]int{}}
}

// Acquire returns when a holder has a place, or with ErrFull if there is no place in the queue
// either, or with the error of ctx. The place must be released.
func (p *Pool) Acquire(ctx context.Context, who Holder) (release func(), err error) {
	w := &waiter{who, make(chan struct{})}
	p.mu.Lock()
	if !p.mayWait(who) && !p.hasPlace(who) {
		p.mu.Unlock()
		return nil, ErrFull
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

// Enter takes a place for a holder without a group, until leave, or reports false if none is
// free. It does not wait.
func (p *Pool) Enter(name string) (leave func(), ok bool) {
	who := Holder{Name: name}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hasPlace(who) {
		return nil, false
	}
	p.count(who, 1)
	return sync.OnceFunc(func() { p.release(who) }), true
}

// IsFull reports whether a holder could not take a place now.
func (p *Pool) IsFull(who Holder) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.hasPlace(who)
}

// mayWait reports whether the queue has a place. p.mu must be held.
func (p *Pool) mayWait(who Holder) bool {
	if len(p.waiting) >= p.limits.Queue {
		return false
	}
	each, own, near := p.limits.QueueEach, 0, 0
	for _, w := range p.waiting {
		if w.who.Name == who.Name {
			own++
		}
		if w.who.Group == who.Group {
			near++
		}
	}
	return each == 0 || (who.Name == "" || own < each) && (who.Group == "" || near < groupShare*each)
}

// hasPlace reports whether a holder may take a place now. p.mu must be held.
func (p *Pool) hasPlace(who Holder) bool {
	all, each := p.limits.InAll, p.limits.Each
	return (all == 0 || p.taken < all) &&
		(each == 0 || who.Name == "" || p.held[who.Name] < each) &&
		(each == 0 || who.Group == "" || p.grouped[who.Group] < groupShare*each)
}

// count adds n places to those of a holder and its group. p.mu must be held.
func (p *Pool) count(who Holder, n int) {
	p.taken += n
	add(p.held, who.Name, n)
	add(p.grouped, who.Group, n)
}

func add(to map[string]int, key string, n int) {
	if key == "" {
		return
	}
	if to[key] += n; to[key] == 0 {
		delete(to, key)
	}
}

// hand gives free places to those who wait. p.mu must be held.
func (p *Pool) hand() {
	for {
		next := -1
		for i, w := range p.waiting {
			if p.hasPlace(w.who) &&
				(next < 0 || p.held[w.who.Name] < p.held[p.waiting[next].who.Name]) {
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

func (p *Pool) release(who Holder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(who, -1)
	p.hand()
}

// Count returns how many places are taken, and how many there are.
func (p *Pool) Count() (used, limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken, p.limits.InAll
}

// Waiting returns how many wait for a place, and how many may.
func (p *Pool) Waiting() (waiting, limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting), p.limits.Queue
}

// Held returns how many places each known holder has, by its name.
func (p *Pool) Held() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	held := make(map[string]int, len(p.held))
	for name, n := range p.held {
		held[name] = n
	}
	return held
}
