package app

import (
	"context"
	"errors"
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

// readRetry is when to try again if too many large recordings are being read.
const readRetry = 5 * time.Second

// TakeTurn waits until a visit may work on a large recording, whose logs it reads once
// from then on. At most one per core does at a time. The turn ends with EndTurn, which a
// page calls with the first byte of its response, so that a slow reader holds none. A visit
// has one turn.
func (s *App) TakeTurn(v *Visit, n session.Session) error {
	n.ReadOnce()
	if recorded(n) < heavyRead {
		return nil
	}
	return s.WaitTurn(v)
}

// WaitTurn is TakeTurn for work whose size is not known before it is done.
func (s *App) WaitTurn(v *Visit) error {
	if v.endTurn != nil {
		return nil
	}
	end, err := v.turn.take(v.ctx, s.Reads)
	if err == nil {
		v.endTurn = end
	}
	return err
}

// EndTurn ends the turn of TakeTurn and WaitTurn, if the visit has it.
func (v *Visit) EndTurn() {
	if v.endTurn != nil {
		v.endTurn()
	}
}

// turn is whether a visit has its turn. What it does meanwhile needs no other.
type turn struct {
	who  places.Holder
	held atomic.Bool
}

func (t *turn) take(ctx context.Context, from *places.Pool) (release func(), err error) {
	if t.held.Load() {
		return func() {}, nil
	}
	end, err := from.Acquire(ctx, t.who)
	if errors.Is(err, places.ErrFull) {
		err = TooMany(readRetry, "too_many_reads", "Too many large recordings are being read.",
			"This takes much computing time, so requests for them take turns.")
	}
	if err != nil {
		return nil, err
	}
	t.held.Store(true)
	return sync.OnceFunc(func() {
		t.held.Store(false)
		end()
	}), nil
}

// withTurn returns the context of a visit with a turn. Secrets are masked in it, if there is
// much to search, also what a server sends after the visit has ended.
func (s *App) withTurn(ctx context.Context, t *turn) context.Context {
	return redact.WithTurn(ctx, func(ctx context.Context, size int) (release func(), err error) {
		if size < heavyRead {
			return func() {}, nil
		}
		return t.take(ctx, s.Reads)
	})
}

// InTurn does some work on recorded exchanges that have size bytes. If that is much, it waits
// for a turn, which ends with the work: the request goes on, maybe for long.
func (s *App) InTurn(v *Visit, size int, work func() error) error {
	if size >= heavyRead {
		release, err := v.turn.take(v.ctx, s.Reads)
		if err != nil {
			return err
		}
		defer release()
	}
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
