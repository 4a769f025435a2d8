package signin

import (
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// afterSignIn returns how an exchange goes on after a sign-in; see app.GoOn.
func (s *Pages) afterSignIn(r *web.Request, exchange string, w app.Waiting) (views.SignInNext, error) {
	if w.Then.Action != "" {
		return views.SignInSends, nil
	}
	x, err := s.Store.Exchange(r.Context(), r.Visit.Workspace(), exchange)
	if errors.Is(err, playground.ErrNotFound) { // it was deleted
		return views.SignInReturns, nil
	}
	if _, refused := app.CallChallenge(x.Fold()); refused || err != nil {
		return views.SignInResends, err
	}
	return views.SignInReturns, nil
}
