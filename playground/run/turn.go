package run

import (
	"context"
	"errors"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// Every recording is masked first, and much of it takes turns with other work
// that costs as much (redact.Turn). The actor waits for its turn in its own
// goroutine, because events are stored in their order. Meanwhile it takes
// commands, which run afterwards. The wait ends early if the next thing must
// not depend on the work of others: the end of the program, or a command that
// ends the work on the log. Then the masking is done out of turn, one at a time
// in this process. Nothing is recorded unmasked, and nothing is dropped.

// errNoTurn is joined to the error of a masking that has to wait for its turn.
var errNoTurn = errors.New("masking waits for its turn")

// errOutOfTurn ends the wait for a turn.
var errOutOfTurn = errors.New("masking must not wait")

// endsLog reports whether a command ends the work on a log.
func endsLog(c command) bool {
	switch c := c.(type) {
	case cancel, connect, yield:
		return true
	case decide:
		return c.d.Action == playground.ActionStop || c.d.Action == playground.ActionRefuse
	}
	return false
}

// mustHurry reports whether the actor must not wait for a turn.
func (a *actor) mustHurry() bool {
	return a.hurry || isClosed(a.r.closing) ||
		slices.ContainsFunc(a.arrived, func(c envelope) bool { return endsLog(c.command) })
}

// inTurn masks in a turn of ctx, and no longer than it lasts. What a server sends is masked
// in a turn of who asked it: if there is none, it waits as if the storage took nothing.
func (a *actor) inTurn(ctx context.Context, size int, mask func(*redact.Secrets)) error {
	masking, turn := ctx, redact.TurnOf(ctx)
	asked := a.secrets != nil && turn == nil && a.turn != nil
	if asked {
		turn = a.turn
	}
	if turn != nil {
		masking = redact.WithTurn(ctx, a.promptly(turn))
	}
	secrets := a.secrets.Within(masking)
	err := redact.InTurn(masking, size, func() { mask(secrets) })
	if err == nil {
		err = secrets.Err()
	}
	if err != nil && asked && ctx.Err() == nil {
		err = errors.Join(playground.ErrStorage, errNoTurn, err)
	}
	return err
}

// promptly returns a Turn that does not wait for another if the actor must not.
func (a *actor) promptly(turn redact.Turn) redact.Turn {
	alone := false
	return func(ctx context.Context, size int) (release func(), err error) {
		if alone {
			return func() {}, nil
		}
		release, err = a.awaitTurn(ctx, turn, size)
		if !errors.Is(err, errOutOfTurn) {
			return release, err
		}
		a.r.alone.Lock()
		alone = true
		return func() {
			alone = false
			a.r.alone.Unlock()
		}, nil
	}
}

// awaitTurn waits for a turn, and takes the commands that come meanwhile. It returns
// errOutOfTurn if the actor must not wait.
func (a *actor) awaitTurn(ctx context.Context, turn redact.Turn, size int) (release func(), err error) {
	if a.mustHurry() {
		return nil, errOutOfTurn
	}
	type place struct {
		release func()
		err     error
	}
	got := make(chan place, 1)
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		release, err := turn(waiting, size)
		got <- place{release, err}
	}()
	for !a.mustHurry() {
		select {
		case p := <-got:
			return p.release, p.err
		case c := <-a.commands:
			a.arrived = append(a.arrived, c)
		case <-a.r.closing:
		}
	}
	stop()
	p := <-got
	if p.err != nil && ctx.Err() == nil {
		p.err = errOutOfTurn
	}
	return p.release, p.err
}
