package redact

import (
	"context"
	"sync/atomic"
)

// Turn waits until work on so many bytes may begin, and returns the function to
// call at its end; or it returns the error of ctx, or a refusal. It may outlive
// the request that it came with. While one turn is held, work in it must get
// others of the same at once.
type Turn func(ctx context.Context, size int) (release func(), err error)

type turnKey struct{}

// WithTurn returns a context whose masking takes a Turn.
func WithTurn(ctx context.Context, t Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

// TurnOf returns the Turn of a context, or nil if there is none.
func TurnOf(ctx context.Context) Turn {
	t, _ := ctx.Value(turnKey{}).(Turn)
	return t
}

// InTurn does work on so many bytes in a turn of ctx, if it has any. The wait for a turn
// ends with ctx.
func InTurn(ctx context.Context, size int, work func()) error {
	if t := TurnOf(ctx); t != nil {
		release, err := t(ctx, size)
		if err != nil {
			return err
		}
		defer release()
	}
	work()
	return ctx.Err()
}

// bound is the context of a masking, and why it was given up. A nil *bound has neither.
type bound struct {
	ctx context.Context
	err atomic.Pointer[error]
}

// Within returns the secrets as they are masked for ctx: in turns of it, and no longer than
// it lasts. What could not be masked becomes stars altogether, and Err says why.
func (s *Secrets) Within(ctx context.Context) *Secrets {
	if s == nil {
		return nil
	}
	bounded := *s
	bounded.bound = &bound{ctx: ctx}
	return &bounded
}

// Err returns why secrets of Within masked too much, or nil.
func (s *Secrets) Err() error {
	if s == nil || s.bound == nil {
		return nil
	}
	if err := s.bound.err.Load(); err != nil {
		return *err
	}
	return nil
}

// take begins a masking.
func (b *bound) take(size int) (release func(), err error) {
	switch {
	case b.ended():
		return nil, b.ctx.Err()
	case b == nil || TurnOf(b.ctx) == nil:
		return func() {}, nil
	}
	if release, err = TurnOf(b.ctx)(b.ctx, size); err != nil {
		b.err.Store(&err)
	}
	return release, err
}

// ended reports whether the masking is to be given up.
func (b *bound) ended() bool {
	if b == nil || b.ctx.Err() == nil {
		return false
	}
	err := b.ctx.Err()
	b.err.Store(&err)
	return true
}
