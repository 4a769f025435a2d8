package app

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
)

func address(n byte) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, n}), 32)
}

// taker asks for places in the background and counts those it got.
type taker struct {
	t    *testing.T
	pool *Pool
}

// take asks for a place; the result comes once it is decided.
func (k taker) take(ctx context.Context, n byte) <-chan func() {
	done := make(chan func(), 1)
	go func() {
		release, err := k.pool.Acquire(ctx, Account{Address: address(n)})
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
		k := taker{t, NewPool(2, 16, false)}
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
			t.Error("the address that holds a place was served first")
		}
		release := has(modest)
		if release == nil {
			t.Fatal("the address that holds none still waits")
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

func TestPool_OneAddressHasItsPart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := taker{t, NewPool(16, 16, true)} // 2 places and 2 in the queue for each
		var held []func()
		for range 2 {
			held = append(held, has(k.take(t.Context(), 1)))
		}
		waits := []<-chan func(){k.take(t.Context(), 1), k.take(t.Context(), 1)}
		if _, err := k.pool.Acquire(t.Context(), Account{Address: address(1)}); !errors.Is(err, ErrPoolFull) {
			t.Errorf("one more than its part: %v", err)
		}
		other := has(k.take(t.Context(), 2))
		if other == nil {
			t.Fatal("another address has no place")
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
		k := taker{t, NewPool(1, 4, false)}
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
		k := taker{t, NewPool(1, 3, false)}
		held := has(k.take(t.Context(), 0))
		var waits []<-chan func()
		for n := range byte(3) {
			waits = append(waits, k.take(t.Context(), n))
		}
		if _, err := k.pool.Acquire(t.Context(), Account{Address: address(9)}); !errors.Is(err, ErrPoolFull) {
			t.Errorf("a fourth waiter: %v", err)
		}
		held()
		for _, w := range waits {
			synctest.Wait()
			has(w)()
		}
	})
}

func TestPool_NetworkHasFourTimesAnAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(80, 0, true) // 10 for each address
		var held []func()
		for i := range 200 {
			at := AddressOf(fmt.Sprintf("2001:db8:1:%x::1", i))
			release, err := p.Acquire(t.Context(), Account{Address: at})
			if err == nil {
				held = append(held, release)
			}
		}
		if len(held) != 40 {
			t.Errorf("one /48 holds %d places, want 40", len(held))
		}
		for _, release := range held {
			release()
		}
		if len(p.held) != 0 || p.taken != 0 {
			t.Errorf("%d taken, held %v", p.taken, p.held)
		}
	})
}
