package agent

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// broken makes links in a turn, and panics.
type broken struct{ *app.App }

func (b broken) ShareAlone(v *app.Visit, _, _ string) (share.Share, error) {
	if err := b.WaitTurn(v); err != nil {
		return share.Share{}, err
	}
	panic("broken")
}

// TestKeep_EndsItsTurn: however the work on a link ends, the next visit gets a turn.
func TestKeep_EndsItsTurn(t *testing.T) {
	a := &app.App{Reads: places.New(places.Limits{InAll: 1})}
	s := &Pages{App: &web.App{App: a}, Shares: broken{a}}
	open := func() *app.Visit { return a.Visit(t.Context(), app.Request{Owner: app.Agent("guest-1")}) }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = s.keep(visit{Visit: open(), guest: true}, session.Session{ID: "S1"}, "/x/1")
	}()
	if err := a.WaitTurn(open()); err != nil {
		t.Errorf("the next visit: %v", err)
	}
}
