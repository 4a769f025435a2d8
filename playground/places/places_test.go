package places

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
)

func holder(n byte) Holder { return Holder{Name: fmt.Sprint("192.0.2.", n)} }

// taker asks for places in the background and counts those it got.
type taker struct {
	t    *testing.T
	pool *Pool
}

// take asks for a place; the result comes once it is decided.
func (k taker) take(ctx context.Context, n byte) <-chan func() {
	done := make(chan func(), 1)
	go func() {
		release, err := k.pool.Acquire(ctx, holder(n))
		if err == nil {
			done <- release
		}
		close(done)
	}()
	synctest.Wait()
	return done
}

// has returns the release of a place, or nil if there is none yet.
func has(c <-chan func()) func() {
	select {
	case release := <-c:
		return release
	default:
		return nil
	}
}

func TestPool_GivesAPlaceToWhoHoldsTheFewest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := taker{t, New(Limits{InAll: 2, Queue: 16})}
		first, second := has(k.take(t.Context(), 1)), has(k.take(t.Context(), 1))
		if first == nil || second == nil {
			t.Fatal("two places are free")
		}
		greedy, modest := k.take(t.Context(), 1), k.take(t.Context(), 2)
		if has(greedy) != nil || has(modest) != nil {
			t.Fatal("there are more places than two")
		}
		first()
		first() // a second release of the same place changes nothing
		synctest.Wait()
		if has(greedy) != nil {
			t.Error("the holder of a place was served first")
		}
		release := has(modest)
		if release == nil {
			t.Fatal("who holds none still waits")
		}
		second()
		synctest.Wait()
		third := has(greedy)
		if third == nil {
			t.Fatal("the place was lost")
		}
		release()
		third()
		if k.pool.taken != 0 || len(k.pool.held) != 0 || len(k.pool.waiting) != 0 {
			t.Errorf("%d taken, held %v, %d wait", k.pool.taken, k.pool.held, len(k.pool.waiting))
		}
	})
}

func TestPool_OneHolderHasItsPart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := taker{t, New(Limits{InAll: 16, Each: 2, Queue: 16, QueueEach: 2})}
		var held []func()
		for range 2 {
			held = append(held, has(k.take(t.Context(), 1)))
		}
		waits := []<-chan func(){k.take(t.Context(), 1), k.take(t.Context(), 1)}
		if _, err := k.pool.Acquire(t.Context(), holder(1)); !errors.Is(err, ErrFull) {
			t.Errorf("one more than its part: %v", err)
		}
		other := has(k.take(t.Context(), 2))
		if other == nil {
			t.Fatal("another holder has no place")
		}
		held[0]()
		synctest.Wait()
		again := has(waits[0])
		if again == nil || has(waits[1]) != nil {
			t.Error("the released place did not go to the first that waits")
		}
		held[1]()
		synctest.Wait()
		has(waits[1])()
		again()
		other()
	})
}

func TestPool_WhoGivesUpLosesNoPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := taker{t, New(Limits{InAll: 1, Queue: 4})}
		held := has(k.take(t.Context(), 1))
		ctx, stop := context.WithCancel(t.Context())
		gone, stays := k.take(ctx, 2), k.take(t.Context(), 3)
		stop()
		synctest.Wait()
		if has(gone) != nil {
			t.Error("a place for a request that ended")
		}
		held()
		synctest.Wait()
		release := has(stays)
		if release == nil {
			t.Fatal("the place was lost")
		}
		release()
		if k.pool.taken != 0 {
			t.Errorf("%d places are taken", k.pool.taken)
		}
	})
}

func TestPool_QueueIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := taker{t, New(Limits{InAll: 1, Queue: 3})}
		held := has(k.take(t.Context(), 0))
		var waits []<-chan func()
		for n := range byte(3) {
			waits = append(waits, k.take(t.Context(), n))
		}
		if _, err := k.pool.Acquire(t.Context(), holder(9)); !errors.Is(err, ErrFull) {
			t.Errorf("a fourth waiter: %v", err)
		}
		held()
		for _, w := range waits {
			synctest.Wait()
			has(w)()
		}
	})
}

func TestPool_GroupHasFourTimesAHolder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New(Limits{InAll: 80, Each: 10})
		var held []func()
		for i := range 200 {
			release, err := p.Acquire(t.Context(), Holder{Name: fmt.Sprint(i), Group: "2001:db8:1::/48"})
			if err == nil {
				held = append(held, release)
			}
		}
		if len(held) != 40 {
			t.Errorf("one group holds %d places, want 40", len(held))
		}
		for _, release := range held {
			release()
		}
		if len(p.held) != 0 || len(p.grouped) != 0 || p.taken != 0 {
			t.Errorf("%d taken, held %v", p.taken, p.held)
		}
	})
}

// TestPool_Enter: who is not known has no part of its own, and takes the rest.
func TestPool_Enter(t *testing.T) {
	t.Parallel()
	p := New(Limits{InAll: 16, Each: 2})
	first, ok := p.Enter("a")
	_, ok2 := p.Enter("a")
	if _, third := p.Enter("a"); !ok || !ok2 || third {
		t.Error("one holder may have two of sixteen")
	}
	first()
	first() // a second time changes nothing
	if _, ok := p.Enter("a"); !ok {
		t.Error("what was left is not free")
	}
	if _, ok := p.Enter("b"); !ok {
		t.Error("another holder has no part")
	}
	n, _ := p.Count()
	for {
		if _, ok := p.Enter(""); !ok {
			break
		}
		n++
	}
	if n != 16 {
		t.Errorf("%d are taken, want 16", n)
	}
}

// TestPool_WithoutLimits: any number of any holder.
func TestPool_WithoutLimits(t *testing.T) {
	t.Parallel()
	p := New(Limits{})
	for range 100 {
		if _, ok := p.Enter("a"); !ok {
			t.Fatal("no place")
		}
	}
	if p.IsFull(Holder{Name: "a", Group: "g"}) {
		t.Error("full")
	}
}
