package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// fullLog is a Log whose disk is full for answers as long as refuses is
// positive; each refusal counts it down.
type fullLog struct {
	*Memory
	refuses atomic.Int64
}

func (l *fullLog) Append(ctx context.Context, id string, sum playground.Summary,
	events ...playground.Event) error {
	if events[len(events)-1].Kind != playground.Sent && l.refuses.Add(-1) >= 0 {
		return fmt.Errorf("append: %w", playground.ErrFull)
	}
	return l.Memory.Append(ctx, id, sum, events...)
}

func runnerWith(t *testing.T, log Log, stored *Memory,
	answer func(context.Context, wire.Frame, func(wire.Part) error)) *Runner {
	t.Helper()
	c := &caller{t: t, log: stored, answer: answer}
	return New(Config{Log: log, Caller: c, Client: playground.Client{Name: "t", Version: "1"},
		Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
}

func TestAnAnswerWaitsForTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &fullLog{Memory: NewMemory()}
		log.refuses.Store(7)
		r := runnerWith(t, log, log.Memory,
			func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
				_ = record(result(1, `{"resultType":"complete","content":[]}`))
			})
		if _, err := r.Decide(t.Context(), exchange(log.Memory), start); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := playground.Fold(log.Events("x")).Status; got != playground.StatusRunning {
			t.Errorf("while the disk is full: %s", got)
		}
		r.Wait(t.Context(), "x")
		if got := playground.Fold(log.Events("x")).Status; got != playground.StatusComplete {
			t.Errorf("once there was room: %s", got)
		}
		_ = r.Close(t.Context())
	})
}

func TestAProgramEndsThoughTheDiskIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &fullLog{Memory: NewMemory()}
		log.refuses.Store(1 << 40)
		r := runnerWith(t, log, log.Memory,
			func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
				_ = record(result(1, `{"resultType":"complete","content":[]}`))
			})
		if _, err := r.Decide(t.Context(), exchange(log.Memory), start); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if got := playground.Fold(log.Events("x")).Status; got != playground.StatusRunning {
			t.Errorf("left behind as %s, so that the next start does not interrupt it", got)
		}
	})
}

// TestClose_AnswerThatWasLost: a response of which a part was lost at the end of the program
// has not ended without a response, although there is room for saying so.
func TestClose_AnswerThatWasLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &fullLog{Memory: NewMemory()}
		log.refuses.Store(1 << 40)
		r := runnerWith(t, log, log.Memory,
			func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
				head := wire.Part{Kind: wire.Received, At: time.Now(),
					Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")}
				if err := record(head); !errors.Is(err, ErrClosing) {
					t.Errorf("recorded with %v", err)
				}
				log.refuses.Store(0)
			})
		if _, err := r.Decide(t.Context(), exchange(log.Memory), start); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if got := playground.Fold(log.Events("x")).Status; got != playground.StatusRunning {
			t.Errorf("left behind as %s, so that the next start does not interrupt it", got)
		}
	})
}

func TestADecisionIsNotSentWhenItCannotBeStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := runnerWith(t, brokenLog{}, NewMemory(),
			func(context.Context, wire.Frame, func(wire.Part) error) {
				t.Error("a request left that is not on record")
			})
		if _, err := r.Decide(t.Context(), exchange(NewMemory()), start); !errors.Is(err,
			playground.ErrStorage) {
			t.Errorf("got %v", err)
		}
		_ = r.Close(t.Context())
	})
}

type brokenLog struct{}

func (brokenLog) Append(context.Context, string, playground.Summary, ...playground.Event) error {
	return playground.ErrStorage
}
