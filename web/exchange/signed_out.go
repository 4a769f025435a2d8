package exchange

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/signin"
)

// What a form asks for while the user is signed out: the sign-in, and after it
// the choice of the form, which may be to cancel the task.
const (
	chooseSignIn question.Choice = "sign-in"
	chooseStop   question.Choice = "stop"
)

// signedOut returns what the page of a call says while it cannot go on because
// this browser does not have the token or another secret that it needs, or nil.
func (s *Pages) signedOut(
	c echo.Context, x playground.Exchange, f playground.Transcript,
) *views.SignedOut {
	out := views.SignedOut{Path: "/x/" + x.ID + "/rounds", Server: x.Target.Name}
	if last := f.Last(); last != nil {
		out.Round = last.N
	}
	_, err := s.OpenExchange(web.VisitOf(c), x)
	switch out.Locked = err != nil; {
	case x.Imported || !out.Locked && !s.IsSignedOut(web.VisitOf(c), x, f):
		return nil
	case out.Locked:
		return &out
	}
	ctx, workspace := c.Request().Context(), web.VisitOf(c).Workspace()
	_, err = s.Store.Token(ctx, workspace, x.Target.ID)
	out.Elsewhere = err == nil
	_, err = s.Find(web.VisitOf(c), x.Target.ID)
	out.Removed = errors.Is(err, playground.ErrNotFound)
	return &out
}

// showSignedOut shows the page of a call that cannot go on without a sign-in.
// After it the choice then is made.
func (s *Pages) showSignedOut(
	c echo.Context, x playground.Exchange, f playground.Transcript, then question.Choice,
) error {
	in, err := s.Input(c, x, f)
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
func (s *Pages) signInFirst(c echo.Context, r reply, d playground.Decision) error {
	v := web.VisitOf(c)
	if !s.IsSignedOut(v, r.x, r.f) {
		if d.Action == "" {
			return web.SeeOther(c, "/x/"+r.x.ID)
		}
		return s.sendReply(c, r, d)
	}
	k, err := s.Find(v, r.x.Target.ID)
	if err != nil {
		return err
	}
	if err := s.RememberRoots(v, r.draft); err != nil {
		return err
	}
	row, err := s.BeginSignIn(v, k, r.x.ID, app.Waiting{Back: r.back, Then: d})
	if err != nil {
		return err
	}
	path := signin.Path(row)
	if web.WantsFragment(c) {
		c.Response().Header().Set("HX-Redirect", path)
		return c.NoContent(http.StatusOK)
	}
	return web.SeeOther(c, path)
}
