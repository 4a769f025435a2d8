package signin

import (
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	signinview "github.com/mrtr-playground/mrtr-playground/views/signin"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// afterSignIn returns how an exchange goes on after a sign-in; see app.GoOn.
func (s *Pages) afterSignIn(r *web.Request, exchange string, w app.Waiting) (signinview.Next, error) {
	if w.Then.Action != "" {
		return signinview.Sends, nil
	}
	x, err := s.Store.Exchange(r.Context(), r.Visit.Workspace(), exchange)
	if errors.Is(err, playground.ErrNotFound) { // it was deleted
		return signinview.Returns, nil
	}
	if _, refused := app.CallChallenge(x.Fold()); refused || err != nil {
		return signinview.Resends, err
	}
	return signinview.Returns, nil
}
