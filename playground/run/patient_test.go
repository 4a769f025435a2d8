package run_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// deaf takes requests and never answers.
type deaf struct{ calls int }

func (d *deaf) Send(context.Context, string, wire.Frame, func(wire.Part) error) wire.Timing {
	d.calls++
	return wire.Timing{}
}

func TestAnAnswerIsWaitedForAsLongAsTheCallSays(t *testing.T) {
	usual, patient := &deaf{}, &deaf{}
	var waited time.Duration
	r := run.New(run.Config{
		Log: run.NewMemory(), Caller: usual, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Patient: func(wait time.Duration) run.Caller { waited = wait; return patient },
	})
	for i, wait := range []time.Duration{0, 120 * time.Second} {
		x := playground.Exchange{
			ID: string(rune('a' + i)), Target: playground.Target{URL: "http://h/mcp"},
			Call: playground.Call{Method: playground.ToolsCall,
				Params: json.RawMessage(`{"name":"t"}`), Wait: wait},
		}
		if _, err := r.Decide(t.Context(), x,
			playground.Decision{Action: playground.ActionStart, Round: 1}); err != nil {
			t.Fatal(err)
		}
		r.Wait(t.Context(), x.ID)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if usual.calls != 1 || patient.calls != 1 || waited != 120*time.Second {
		t.Errorf("usual %d, patient %d, waited %s", usual.calls, patient.calls, waited)
	}
}

func TestALockedExchangeIsNotSent(t *testing.T) {
	caller := &deaf{}
	r := run.New(run.Config{Log: run.NewMemory(), Caller: caller, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler)})
	x := playground.Exchange{ID: "x", Target: playground.Target{URL: "http://h/mcp"}, Sealed: []byte{0},
		Call: playground.Call{Method: playground.ToolsCall, Params: json.RawMessage(`{}`)}}
	if _, err := r.Decide(t.Context(), x,
		playground.Decision{Action: playground.ActionStart, Round: 1}); err != playground.ErrLocked {
		t.Errorf("%v", err)
	}
	if err := r.Close(t.Context()); err != nil || caller.calls != 0 {
		t.Errorf("%v, %d calls", err, caller.calls)
	}
}
