package again_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/again"
)

var (
	errAway  = errors.New("away")
	errWrong = errors.New("wrong")
)

// failing returns a function that fails with each error in turn and then succeeds.
func failing(calls *int, errs ...error) func() error {
	return func() error {
		*calls++
		if *calls > len(errs) {
			return nil
		}
		return errs[*calls-1]
	}
}

func TestWhile(t *testing.T) {
	isAway := func(err error) bool { return errors.Is(err, errAway) }
	for name, tt := range map[string]struct {
		errs  []error
		calls int
		want  error
	}{
		"succeeds at once":     {nil, 1, nil},
		"passes":               {[]error{errAway, errAway}, 3, nil},
		"does not pass":        {[]error{errWrong}, 1, errWrong},
		"passes, then it does": {[]error{errAway, errWrong}, 2, errWrong},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				err := again.While(t.Context(), isAway, failing(&calls, tt.errs...))
				if !errors.Is(err, tt.want) || calls != tt.calls {
					t.Errorf("%d calls, %v", calls, err)
				}
			})
		})
	}
}

// TestWithin: f is called until the limit, with a context that ends then.
func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		err := again.Within(t.Context(), 900*time.Millisecond, func(ctx context.Context) error {
			if calls++; ctx.Err() != nil {
				t.Error("called after the limit")
			}
			return errAway
		})
		if !errors.Is(err, errAway) || calls < 2 {
			t.Errorf("%d calls, %v", calls, err)
		}
	})
}
