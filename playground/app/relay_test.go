package app

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
)

var errRead = errors.New("the record was read")

// readStore is a store whose records say that they were read.
type readStore struct{ Store }

func (readStore) CaptureLog(context.Context, string, int) (string, error) { return "", errRead }

// TestRelay_TakesTurns: a request to a capture with a large record reads it in a turn, and is
// refused in words if it gets none. A small record is read without one.
func TestRelay_TakesTurns(t *testing.T) {
	t.Parallel()
	s := New(Config{Runner: struct{ Runner }{}, Now: time.Now, Limits: Limits{Reads: 1}}, readStore{})
	ask := func(size int) error {
		v := s.Visit(t.Context(), Request{Owner: Agent("w"), Kind: ByToken})
		defer v.EndTurn()
		_, err := s.relay(v.Context(), v, capture.Capture{ID: "k"}, size, run.Relay{})
		return err
	}
	other := s.Visit(t.Context(), Request{Owner: Agent("v"), Kind: ByToken})
	if err := s.WaitTurn(other); err != nil {
		t.Fatal(err)
	}
	var refused *Refusal
	if err := ask(1 << 20); !errors.As(err, &refused) || refused.Code != "too_many_reads" {
		t.Errorf("while another has the only turn: %v", err)
	}
	if err := ask(1 << 10); !errors.Is(err, errRead) {
		t.Errorf("a small record: %v", err)
	}
	other.EndTurn()
	if err := ask(1 << 20); !errors.Is(err, errRead) {
		t.Errorf("once the turn is free: %v", err)
	}
}
