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

// sizedStore notes how many turns are taken while the size of a record is read.
type sizedStore struct {
	Store
	own   func() int
	taken *int
}

func (s sizedStore) SessionSize(context.Context, string) (int, error) {
	*s.taken = s.own()
	return 0, errRead
}

// TestPassOn_ReadsTheSizeInATurn: of the requests of one address, the sizes of the records are
// read one after the other.
func TestPassOn_ReadsTheSizeInATurn(t *testing.T) {
	t.Parallel()
	taken := 0
	var s *App
	s = New(Config{Mode: Public, Runner: struct{ Runner }{}, Now: time.Now}, sizedStore{
		own: func() int { n, _ := s.Own.Count(); return n }, taken: &taken,
	})
	v := s.Visit(t.Context(), Request{Owner: Agent("w"), Address: AddressOf("192.0.2.1"), Kind: ByCapture})
	if _, err := s.PassOn(v, capture.Capture{ID: "k"}, Foreign{}); !errors.Is(err, errRead) || taken != 1 {
		t.Errorf("%v; %d turns", err, taken)
	}
	if n, _ := s.Own.Count(); n != 0 {
		t.Errorf("%d turns after it", n)
	}
}
