package signin

import (
	"errors"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// IsSignedOut reports whether a call was sent with the token of a sign-in that
// this browser does not have any more.
func (s *Pages) IsSignedOut(c echo.Context, x playground.Exchange, f playground.Transcript) bool {
	return x.UsesSignIn(f) && s.TokenOf(web.VisitOf(c), x.Target) == nil
}

// afterSignIn returns how an exchange goes on after a sign-in; see goOn.
func (s *Pages) afterSignIn(c echo.Context, exchange string, w Waiting) (views.SignInNext, error) {
	if w.Then.Action != "" {
		return views.SignInSends, nil
	}
	x, err := s.Store.Exchange(c.Request().Context(), web.VisitOf(c).Workspace(), exchange)
	if errors.Is(err, playground.ErrNotFound) { // it was deleted
		return views.SignInReturns, nil
	}
	if _, refused := callChallenge(x.Fold()); refused || err != nil {
		return views.SignInResends, err
	}
	return views.SignInReturns, nil
}

// challengedBefore returns how a server asked for a sign-in before: in a call,
// when it was connected to, or at the newest sign-in. What it said of the token
// of that time is left out.
func (s *Pages) challengedBefore(
	c echo.Context, k app.KnownServer, f playground.Transcript,
) (challenge auth.Challenge, found bool) {
	for i := len(f.Rounds) - 1; i >= 0 && !found; i-- {
		challenge, found = auth.ChallengeOf(f.Rounds[i])
	}
	if !found {
		challenge, found = app.ConnectChallenge(k.Connection)
	}
	if !found {
		row, err := s.Store.LastSignIn(c.Request().Context(), web.VisitOf(c).Workspace(), k.Target.ID)
		if err != nil {
			return auth.Challenge{}, false
		}
		in, err := app.ReadSignIn(row)
		if err != nil {
			return auth.Challenge{}, false
		}
		challenge = in.Challenge
	}
	if !challenge.StepUp() {
		challenge.Error, challenge.Description = "", ""
	}
	return challenge, true
}
