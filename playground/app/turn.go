package app

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// heavyRead is the size of a recording from which reading it takes turns, in
// bytes: folding, judging, drawing and searching it for secrets costs tens of
// milliseconds.
const heavyRead = 128 << 10

// lightRead is the size from which reading takes turns among the work of one owner only, in
// bytes. It costs some milliseconds, which delay no other owner if it is asked for once, and
// all of them if one owner asks a hundred times at the same moment.
const lightRead = 8 << 10

// ownQueue is how many requests of one owner may wait for a turn among its own, and ownQueues
// how many of all.
const (
	ownQueue  = 128
	ownQueues = 4096
)

// readRetry is when to try again if too many large recordings are being read.
const readRetry = 5 * time.Second

// newOwn returns the turns that owners have among their own work: each has one at a time.
func newOwn() *places.Pool {
	return places.New(places.Limits{Each: 1, Queue: ownQueues, QueueEach: ownQueue})
}

// TakeTurn waits until a visit may work on a large recording, whose logs it reads once
// from then on. At most one per core does at a time. For one of medium size, the visit waits
// only for the work of its own owner. The turn ends with EndTurn, which a page calls with the
// first byte of its response, so that a slow reader holds none. A visit has one turn.
func (s *App) TakeTurn(v *Visit, n session.Session) error {
	n.ReadOnce()
	return s.takeTurn(v, recorded(n))
}

// WaitTurn is TakeTurn for work whose size is not known before it is done.
func (s *App) WaitTurn(v *Visit) error { return s.takeTurn(v, heavyRead) }

// WaitOwnTurn is TakeTurn for work that costs some milliseconds, whatever it is about.
func (s *App) WaitOwnTurn(v *Visit) error { return s.takeTurn(v, lightRead) }

func (s *App) takeTurn(v *Visit, size int) error {
	if size < lightRead || v.taken >= heavyRead || size < heavyRead && v.taken > 0 {
		return nil
	}
	end, err := v.turn.take(v.ctx, s, size)
	if err != nil {
		return err
	}
	v.taken = size
	v.endTurn = append(v.endTurn, end)
	return nil
}

// EndTurn ends the turn of TakeTurn, WaitTurn and WaitOwnTurn, if the visit has it.
func (v *Visit) EndTurn() {
	for _, end := range slices.Backward(v.endTurn) {
		end()
	}
}

// turn is whether a visit has its turn, and one among the work of its owner. What it does
// meanwhile needs no other of the same kind.
type turn struct {
	who       places.Holder
	near      places.Holder // by whom the work of an owner is counted: the address, if it is known
	held, own atomic.Bool
}

// take waits for the turn that work on so many bytes needs, if any. Work of medium size needs
// none in the turn of a large one.
func (t *turn) take(ctx context.Context, s *App, size int) (release func(), err error) {
	from, who, held := s.Reads, t.who, &t.held
	if size < heavyRead {
		from, who, held = s.Own, t.near, &t.own
	}
	if size < lightRead || from == nil || t.held.Load() || held.Load() {
		return func() {}, nil
	}
	end, err := from.Acquire(ctx, who)
	if errors.Is(err, places.ErrFull) {
		err = TooMany(readRetry, "too_many_reads", "Too many large recordings are being read.",
			"This takes much computing time, so requests for them take turns.")
	}
	if err != nil {
		return nil, err
	}
	held.Store(true)
	return sync.OnceFunc(func() {
		held.Store(false)
		end()
	}), nil
}

// withTurn returns the context of a visit with a turn. Secrets are masked in it, if there is
// much to search, also what a server sends after the visit has ended.
func (s *App) withTurn(ctx context.Context, t *turn) context.Context {
	return redact.WithTurn(ctx, func(ctx context.Context, size int) (release func(), err error) {
		return t.take(ctx, s, size)
	})
}

// InTurn does some work on recorded exchanges that have size bytes. If that is much, it waits
// for a turn, which ends with the work: the request goes on, maybe for long.
func (s *App) InTurn(v *Visit, size int, work func() error) error {
	release, err := v.turn.take(v.ctx, s, size)
	if err != nil {
		return err
	}
	defer release()
	return work()
}

// recorded returns the size of the logs of a session in bytes.
func recorded(n session.Session) int {
	size := 0
	for _, x := range n.Exchanges {
		for _, e := range x.Log {
			size += len(e.Data)
		}
	}
	return size
}
