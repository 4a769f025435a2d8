package wire

import "context"

// Tee receives a stream of events while it is read. A response that is no
// stream is not: its Received part has all of it, in Bytes or in Whole.
type Tee interface {
	// Head takes the head of the response.
	Head(h Head) error
	// Body takes the next bytes of the content, without HTTP's chunk lines. It must not
	// keep them.
	Body(p []byte) error
}

type teeKey struct{}

// WithTee returns a context in which Send passes a stream on to t as it arrives: only the
// last byte of an event waits until the event is recorded, so that no client acts on an
// event that is not. An error of t ends the request as if ctx had ended.
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

func (x *call) teeBody(p []byte) error {
	if x.tee == nil || len(p) == 0 {
		return nil
	}
	if err := x.tee.Body(p); err != nil {
		return teeError{err}
	}
	return nil
}
