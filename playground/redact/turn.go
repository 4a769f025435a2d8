package redact

import "context"

// Turn waits until work on so many bytes may begin, and returns what must be called at its
// end; or it returns the error of ctx, or a refusal. It may outlive the request that it came
// with.
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

// InTurn masks so many bytes in a turn of ctx, if it has any. Nobody waits longer for one
// than ctx allows. Masking itself goes on to its end, and the turn with it, also if ctx ends
// meanwhile: who gives it up has used it.
func InTurn(ctx context.Context, size int, mask func()) error {
	if t := TurnOf(ctx); t != nil {
		release, err := t(ctx, size)
		if err != nil {
			return err
		}
		defer release()
	}
	mask()
	return ctx.Err()
}
