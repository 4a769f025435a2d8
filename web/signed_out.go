package web

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// What a form asks for while the user is signed out: the sign-in, and after it
// the choice of the form, which may be to cancel the task.
const (
	chooseSignIn question.Choice = "sign-in"
	chooseStop   question.Choice = "stop"
)

// signedOut returns what the page of a call says while it cannot go on because
// this browser does not have the token or another secret that it needs, or nil.
func (s *app) signedOut(
	c echo.Context, x playground.Exchange, f playground.Transcript,
) *views.SignedOut {
	out := views.SignedOut{Path: "/x/" + x.ID + "/rounds", Server: x.Target.Name}
	if last := f.Last(); last != nil {
		out.Round = last.N
	}
	_, err := s.openExchange(c, x)
	switch out.Locked = err != nil; {
	case x.Imported || !out.Locked && !s.isSignedOut(c, x, f):
		return nil
	case out.Locked:
		return &out
	}
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	_, err = s.Store.Token(ctx, workspace, x.Target.ID)
	out.Elsewhere = err == nil
	_, err = s.find(c, x.Target.ID)
	out.Removed = errors.Is(err, playground.ErrNotFound)
	return &out
}

// isSignedOut reports whether a call was sent with the token of a sign-in that
// this browser does not have any more.
func (s *app) isSignedOut(c echo.Context, x playground.Exchange, f playground.Transcript) bool {
	return x.UsesSignIn(f) && s.tokenOf(c, x.Target) == nil
}

// signedOutRefusal is for a request that would be sent without the token of the
// sign-in.
func signedOutRefusal(x playground.Exchange) *refusal {
	return refuse(http.StatusConflict, "signed_out", "You are not signed in to "+x.Target.Name+".",
		"Nothing was sent. Sign in again to go on with the call.")
}

// showSignedOut shows the page of a call that cannot go on without a sign-in.
// After it the choice then is made.
func (s *app) showSignedOut(
	c echo.Context, x playground.Exchange, f playground.Transcript, then question.Choice,
) error {
	in, err := s.input(c, x, f)
	if err != nil {
		return err
	}
	if in.SignedOut != nil {
		in.SignedOut.Then = string(then)
	}
	return s.showExchange(c, http.StatusConflict, in)
}

// signInFirst begins a sign-in after which the decision d is sent, unless it is
// empty. If the user has signed in meanwhile, it is sent at once.
func (s *app) signInFirst(c echo.Context, r reply, d playground.Decision) error {
	if !s.isSignedOut(c, r.x, r.f) {
		if d.Action == "" {
			return seeOther(c, "/x/"+r.x.ID)
		}
		return s.sendReply(c, r, d)
	}
	k, err := s.find(c, r.x.Target.ID)
	if err != nil {
		return err
	}
	if err := s.rememberRoots(c, r.draft); err != nil {
		return err
	}
	path, err := s.beginSignIn(c, k, r.x.ID, waiting{back: r.back, then: d})
	if err != nil {
		return err
	}
	if wantsFragment(c) {
		c.Response().Header().Set("HX-Redirect", path)
		return c.NoContent(http.StatusOK)
	}
	return seeOther(c, path)
}

// afterSignIn returns how an exchange goes on after a sign-in; see goOn.
func (s *app) afterSignIn(c echo.Context, exchange string, w waiting) (views.SignInNext, error) {
	if w.then.Action != "" {
		return views.SignInSends, nil
	}
	x, err := s.Store.Exchange(c.Request().Context(), s.owners.reading(c), exchange)
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
func (s *app) challengedBefore(
	c echo.Context, k knownServer, f playground.Transcript,
) (challenge auth.Challenge, found bool) {
	for i := len(f.Rounds) - 1; i >= 0 && !found; i-- {
		challenge, found = auth.ChallengeOf(f.Rounds[i])
	}
	if !found {
		challenge, found = connectChallenge(k.connection)
	}
	if !found {
		row, err := s.Store.LastSignIn(c.Request().Context(), s.owners.reading(c), k.target.ID)
		if err != nil {
			return auth.Challenge{}, false
		}
		in, err := readSignIn(row)
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
