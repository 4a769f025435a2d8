package lines

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// slowDeadline is a writer whose deadline takes time to set, and after whose line the
// request is cancelled.
type slowDeadline struct {
	cancel context.CancelFunc
	sets   int
}

func (w *slowDeadline) Write(line []byte) (int, error) {
	w.cancel()
	return len(line), nil
}

func (w *slowDeadline) SetWriteDeadline(time.Time) error {
	if w.sets > 0 {
		time.Sleep(time.Second) // of the bubble
	}
	w.sets++
	return nil
}

// TestWriteUntil_LeavesTheDeadlineAlone: the deadline of a cancelled request is not set
// any more when the next one has its turn.
func TestWriteUntil_LeavesTheDeadlineAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := &slowDeadline{cancel: cancel}
		if _, err := writeUntil(ctx, w, []byte("{}\n"), time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if w.sets != 2 {
			t.Errorf("the deadline was set %d times before the next writer, and will be again", w.sets)
		}
	})
}
