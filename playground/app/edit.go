package app

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Edited is a request that a user edited by hand.
type Edited struct {
	Exchange playground.Exchange // unlocked
	From     playground.Round    // whose result the request answers; zero for the first request
	// Edit returns what is sent in place of the right request.
	Edit   func(right lab.Edit) (lab.Edit, error)
	Header []wire.Field // those with a secret that was entered
	State  bool         // the requestState was edited
	Fresh  bool         // the call is made again first
}

// RightRequest returns the request that would follow a Round of an unlocked exchange. The
// error is lab.ErrNothingToChange or playground.ErrCapped if there is none.
func (s *App) RightRequest(v *Visit, open playground.Exchange, from playground.Round) (wire.Request, error) {
	t, err := s.repeater(v, open).Plan(BranchOf(open, from.N),
		lab.ByHand(false, func(right lab.Edit) (lab.Edit, error) { return right, nil }), lab.Material{})
	return t.Right, err
}

// SendEdited sends an edited request on a branch. With Fresh, or if the recorded
// state has expired and was not edited, the call is first made again.
func (s *App) SendEdited(v *Visit, e Edited) (playground.Exchange, error) {
	ctx, stop := context.WithTimeout(v.Context(), s.Times.Experiment)
	defer stop()
	d, x, ofTask := s.repeater(v, e.Exchange), e.Exchange, e.From.Task != nil
	experiment := lab.ByHand(ofTask, e.Edit)
	n := e.From.N
	if ofTask {
		n = 0
	} else if n > 0 && !e.State {
		var err error
		anew := e.Fresh || s.OnceOnly(x.Target)
		if x, err = d.Fresh(ctx, x, n, experiment, anew, nil); err != nil {
			return x, experimentRefusal(err, experiment, x)
		}
	}
	return s.tryBranch(ctx, v, d, x, n, experiment, lab.Material{Header: e.Header})
}
