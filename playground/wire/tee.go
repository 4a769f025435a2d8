package wire

import "context"

// Tee is what a response is passed on to while it is read, before it is recorded.
type Tee interface {
	// Head takes the head of the response.
	Head(h Head) error
	// Body takes the next bytes of the content, without HTTP's chunk lines. It must not
	// keep them.
	Body(p []byte) error
}

type teeKey struct{}

// WithTee returns a context in which Send passes the response on to t as it arrives.
// An error of t ends the request as if ctx had ended. What a limit of Send cuts off may
// have been passed on.
func WithTee(ctx context.Context, t Tee) context.Context { return context.WithValue(ctx, teeKey{}, t) }

func teeOf(ctx context.Context) Tee {
	t, _ := ctx.Value(teeKey{}).(Tee)
	return t
}

// teeError is an error of a Tee.
type teeError struct{ error }

func (x *call) teeHead(h Head) error {
	if x.tee == nil {
		return nil
	}
	if err := x.tee.Head(h); err != nil {
		return teeError{err}
	}
	return nil
}

// teeBody is a Tee as a writer of the body.
type teeBody struct{ Tee }

func (t teeBody) Write(p []byte) (int, error) {
	if err := t.Body(p); err != nil {
		return 0, teeError{err}
	}
	return len(p), nil
}
