package run

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestEnded_EachRoundOnce: every Round that ends is reported once, with the time
// since its decision, and so is one that an earlier process left.
func TestEnded_EachRoundOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kinds []playground.OutcomeKind
		var took []time.Duration
		answers := 0
		r, c := newRunner(t, func(_ context.Context, _ wire.Frame, record func(wire.Part) error) {
			time.Sleep(time.Second) // of the test's own clock
			answers++
			_ = record(result(answers, question))
		})
		r.cfg.Ended = func(e Ended) {
			kinds, took = append(kinds, e.Round.Kind), append(took, e.Took)
			if e.Target.URL != exchange(c.log).Target.URL {
				t.Errorf("of target %+v", e.Target)
			}
		}
		for _, d := range []playground.Decision{start, answer} {
			if _, err := r.Decide(t.Context(), exchange(c.log), d); err != nil {
				t.Fatal(err)
			}
			r.Wait(t.Context(), "x")
		}
		asked := playground.OutcomeInputRequired
		if !slices.Equal(kinds, []playground.OutcomeKind{asked, asked}) ||
			!slices.Equal(took, []time.Duration{time.Second, time.Second}) {
			t.Errorf("got %v after %v", kinds, took)
		}
		_ = r.Close(t.Context())

		kinds = nil
		later := New(Config{
			Log: c.log, Now: time.Now, Client: r.cfg.Client, Logger: slog.New(slog.DiscardHandler),
			Ended: r.cfg.Ended,
		})
		cut := playground.Decision{Action: playground.ActionAnswer, Round: 3, Answers: answer.Answers}
		sent := playground.Event{Conn: 3, Kind: playground.Sent,
			Data: []byte("POST / HTTP/1.1\r\n\r\n{\"id\":3}")}
		if err := c.log.Append(t.Context(), "x", playground.Summary{}, cut.Event(time.Now()),
			sent); err != nil {
			t.Fatal(err)
		}
		if err := later.Resume(t.Context(), exchange(c.log)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(kinds, []playground.OutcomeKind{playground.OutcomeInterrupted}) {
			t.Errorf("resumed: %v", kinds)
		}
		_ = later.Close(t.Context())
	})
}
