package client

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/web"
)

var errRead = errors.New("the record was read")

// readStore is a store whose records say that they were read.
type readStore struct{ Store }

func (readStore) CaptureLog(context.Context, string, int) (string, []playground.Event, error) {
	return "", nil, errRead
}

// TestRelay_TakesTurns: a request to a capture with a large record reads it in a turn, and is
// refused in words if it gets none. A small record is read without one.
func TestRelay_TakesTurns(t *testing.T) {
	t.Parallel()
	s := New(&web.App{App: app.New(app.Config{
		Runner: struct{ app.Runner }{}, Now: time.Now, Limits: app.Limits{Reads: 1},
	}, nil)}, readStore{})
	ask := func(size int) error {
		c := echo.New().NewContext(httptest.NewRequest(http.MethodPost, "/c/x", nil), httptest.NewRecorder())
		defer s.BeginVisit(c).EndTurn()
		_, err := s.relay(web.RequestOf(c), capture.Capture{ID: "k"}, size, run.Relay{})
		return err
	}
	other := s.Visit(t.Context(), app.Request{Owner: app.Agent("v"), Alone: true})
	if err := s.WaitTurn(other); err != nil {
		t.Fatal(err)
	}
	var refused *app.Refusal
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
