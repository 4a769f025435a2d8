package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// oneFlow is a store that has one flow.
type oneFlow struct {
	Store
	flow flow.Saved
}

func (o *oneFlow) Flow(context.Context, string, string) (flow.Saved, error) { return o.flow, nil }

func (o *oneFlow) DraftFlow(_ context.Context, _, _, draft string, _ time.Time) error {
	o.flow.Draft = draft
	return nil
}

// TestFlows_TakeTurns: whatever reads the text of a large flow has its turn, and is refused
// in words if it gets none. A small one never waits.
func TestFlows_TakeTurns(t *testing.T) {
	t.Parallel()
	const small = "flow: 1"
	large := "flow: 1\n" + strings.Repeat("#", heavyFlow)
	for name, c := range map[string]struct {
		stored string
		act    func(*App, *Visit, flow.Saved) error
	}{
		"open": {large, func(*App, *Visit, flow.Saved) error { return nil }},
		"draft": {small, func(s *App, v *Visit, f flow.Saved) error {
			_, err := s.DraftFlow(v, f, large)
			return err
		}},
		"act": {large, func(s *App, v *Visit, f flow.Saved) error {
			_, _, err := s.ActOnFlow(v, f, "add form steps")
			return err
		}},
		"make": {small, func(s *App, v *Visit, _ flow.Saved) error {
			_, err := s.MakeFlow(v, large)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			store := &oneFlow{flow: flow.Saved{ID: "f", Workspace: "w", Text: c.stored}}
			s := &App{Reads: newPool(1, 0, false), Store: store}
			s.Now, s.NewID = time.Now, func() string { return "id" }
			first := s.Visit(t.Context(), Request{Owner: Agent("w")})
			if err := s.WaitTurn(first); err != nil {
				t.Fatal(err)
			}
			v := s.Visit(t.Context(), Request{Owner: Agent("w")})
			f, err := s.OpenFlow(v, "f")
			if c.stored == small && err != nil {
				t.Fatalf("a small flow waits: %v", err)
			}
			if err == nil {
				err = c.act(s, v, f)
			}
			var r *Refusal
			if !errors.As(err, &r) || r.Code != "too_many_reads" {
				t.Errorf("without a turn: %v", err)
			}
		})
	}
}
