package stage

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// oneTalk is a store that has one talk.
type oneTalk struct{ Store }

func (oneTalk) Talk(context.Context, string, time.Time) (demo.Talk, error) {
	return demo.Talk{Code: "code", Workspace: "w", Session: "s"}, nil
}

func (oneTalk) Stage(context.Context, string, string) (demo.Stage, error) {
	return demo.Stage{}, errors.New("it was read")
}

// TestLook_TakesTurns: a talk is read in a turn that counts for its presenter, and not
// without one.
func TestLook_TakesTurns(t *testing.T) {
	t.Parallel()
	s := &Pages{Store: oneTalk{}, App: &web.App{App: app.New(app.Config{
		Runner: struct{ app.Runner }{}, Now: time.Now, Limits: app.Limits{Reads: 1},
	}, nil)}}
	seen := func() error {
		r, leave := s.rooms.enter("code", func(ctx context.Context, r *room) {
			for s.look(ctx, "code", r) {
			}
		})
		defer leave()
		_, err := r.first(t.Context())
		return err
	}
	other := s.Visit(t.Context(), app.Request{Owner: app.Agent("v"), Kind: app.ByToken})
	if err := s.WaitTurn(other); err != nil {
		t.Fatal(err)
	}
	var refused *app.Refusal
	if err := seen(); !errors.As(err, &refused) || refused.Code != "too_many_reads" {
		t.Errorf("while another has the only turn: %v", err)
	}
	other.EndTurn()
	if err := seen(); err == nil || errors.As(err, &refused) {
		t.Errorf("once the turn is free: %v", err)
	}
}
