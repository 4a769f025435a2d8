package lines_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
)

// patchy is a Log that refuses the next lines that come back.
type patchy struct {
	*run.Memory
	refuse  chan struct{} // an entry for each refusal that is left
	refused chan struct{} // gets an entry for each
}

func newPatchy(refusals int) *patchy {
	l := &patchy{run.NewMemory(), make(chan struct{}, refusals), make(chan struct{}, refusals)}
	for range refusals {
		l.refuse <- struct{}{}
	}
	return l
}

func (l *patchy) Append(ctx context.Context, id string, sum playground.Summary,
	events ...playground.Event) error {
	if events[len(events)-1].Kind == playground.Received {
		select {
		case <-l.refuse:
			l.refused <- struct{}{}
			return fmt.Errorf("append: %w", playground.ErrStorage)
		default:
		}
	}
	return l.Memory.Append(ctx, id, sum, events...)
}

// TestRunner_NothingHangsAfterAnOutage: the storage is away when a line comes back from a
// process. Whatever the user does meanwhile or afterwards, the call comes to its end.
func TestRunner_NothingHangsAfterAnOutage(t *testing.T) {
	t.Parallel()
	decide := func(r *run.Runner, x playground.Exchange, d playground.Decision) error {
		_, err := r.Decide(context.Background(), x, d)
		return err
	}
	acts := map[string]func(r *run.Runner, x playground.Exchange) error{
		"nothing": func(*run.Runner, playground.Exchange) error { return nil },
		"cancel":  func(r *run.Runner, x playground.Exchange) error { r.Cancel(x.ID); return nil },
		"stop": func(r *run.Runner, x playground.Exchange) error {
			return decide(r, x, playground.Decision{Action: playground.ActionStop})
		},
		"answer": func(r *run.Runner, x playground.Exchange) error {
			return decide(r, x, playground.Decision{Action: playground.ActionAnswer, Round: 2})
		},
		"note": func(r *run.Runner, x playground.Exchange) error {
			_, err := r.Note(context.Background(), x, playground.Note{Check: "It was stopped."})
			return err
		},
	}
	for _, era := range []playground.Era{playground.Modern, playground.Legacy} {
		for name, act := range acts {
			t.Run(string(era)+"/"+name, func(t *testing.T) {
				t.Parallel()
				s, urls := newServers(t, lines.Config{}, linestest.Words(string(era)))
				const refusals = 3
				log := newPatchy(refusals)
				r := run.New(run.Config{
					Log: log, Caller: s.Caller(nil, forever), Sessions: s.Sessions(forever, forever),
					Now: time.Now, Client: playground.Client{Name: "t", Version: "1"},
					Logger: slog.New(slog.DiscardHandler),
				})
				defer func() { _ = r.Close(context.Background()) }()
				x := playground.Exchange{
					ID: "x", Target: playground.Target{URL: urls[0], Era: era,
						Capabilities: []byte(`{"elicitation":{"form":{}}}`)},
					Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"ask"}`)},
				}
				start := playground.Decision{Action: playground.ActionStart, Round: 1}
				if err := decide(r, x, start); err != nil {
					t.Fatal(err)
				}
				for range refusals { // the next try is yet to come
					<-log.refused
				}
				x.Log = log.Events("x")
				err := act(r, x)
				known := errors.Is(err, playground.ErrNotOpen) || errors.Is(err, playground.ErrAnswers)
				if err != nil && !known {
					t.Error(err)
				}
				for {
					r.Wait(context.Background(), "x")
					f := playground.Fold(log.Events("x"))
					if f.Status != playground.StatusWaiting {
						if f.Status != playground.StatusComplete && f.Status != playground.StatusCancelled {
							t.Errorf("%s %s", f.Status, f.Last().Detail)
						}
						return
					}
					last := *f.Last()
					d, err := question.Reply(last, func(f question.Form) (playground.Answer, error) {
						return f.Placeholder()
					})
					if err == nil {
						x.Log = log.Events("x")
						err = decide(r, x, d)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}
