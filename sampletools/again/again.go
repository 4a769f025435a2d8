// Package again tries something again that may succeed later, such as a query
// while the database restarts. The function is called at least once, and its
// last error is returned: a caller sees the cause and not the end of the
// context. It must be safe to call twice.
package again

import (
	"context"
	"time"
)

// pause is the time between two tries.
const pause = 200 * time.Millisecond

// While calls f, and again after a pause while mayPass reports that its error may
// pass, until ctx ends. It returns the error of the last call.
func While(ctx context.Context, mayPass func(error) bool, f func() error) error {
	for {
		err := f()
		if err == nil || !mayPass(err) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return err
		}
	}
}

// Within calls f, and again after a pause while it fails, for at most the time
// limit, which ends the context of f too. It returns the error of the last call.
func Within(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	return While(ctx, func(error) bool { return true }, func() error { return f(ctx) })
}
