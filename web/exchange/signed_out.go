package exchange

import (
	"errors"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/signin"
)

// What a form asks for while the user is signed out: the sign-in, and after it
// the choice of the form, which may be to cancel the task.
const (
	chooseSignIn question.Choice = "sign-in"
	chooseStop   question.Choice = "stop"
)

// signedOut returns the card of the page of a call while it cannot go on
// because this browser does not have the token or another secret that it needs,
// or nil.
func (s *Pages) signedOut(
	r *web.Request, x playground.Exchange, f playground.Transcript,
) (*exchangeview.SignedOut, error) {
	out := exchangeview.SignedOut{Path: "/x/" + x.ID + "/rounds", Server: x.Target.Name}
	if last := f.Last(); last != nil {
		out.Round = last.N
	}
	_, err := s.App.OpenExchange(r.Visit, x)
	switch out.Locked = err != nil; {
	case x.Imported:
		return nil, nil
	case out.Locked:
		return &out, nil
	}
	if is, err := s.App.IsSignedOut(r.Visit, x, f); !is {
		return nil, err
	}
	ctx, workspace := r.Context(), r.Visit.Workspace()
	_, err = s.Store.Token(ctx, workspace, x.Target.ID)
	out.Elsewhere = err == nil
	_, err = s.App.Find(r.Visit, x.Target.ID)
	out.Removed = errors.Is(err, playground.ErrNotFound)
	return &out, nil
}

// showSignedOut shows the page of a call that cannot go on without a sign-in.
// After it the choice then is made.
func (s *Pages) showSignedOut(
	r *web.Request, x playground.Exchange, f playground.Transcript, then question.Choice,
) error {
	in, err := s.Input(r, x, f)
	if err != nil {
		return err
	}
	if in.SignedOut != nil {
		in.SignedOut.Then = string(then)
	}
	return s.showExchange(r, http.StatusConflict, in)
}

// signInFirst begins a sign-in after which the decision d is sent, unless it is
// empty. If the user has signed in meanwhile, it is sent at once.
func (s *Pages) signInFirst(r *web.Request, sent reply, d playground.Decision) error {
	v := r.Visit
	out, err := s.App.IsSignedOut(v, sent.x, sent.f)
	if err != nil {
		return err
	}
	if !out {
		if d.Action == "" {
			return web.SeeOther(r, "/x/"+sent.x.ID)
		}
		return s.sendReply(r, sent, d)
	}
	k, err := s.App.Find(v, sent.x.Target.ID)
	if err != nil {
		return err
	}
	if err := s.App.RememberRoots(v, sent.draft); err != nil {
		return err
	}
	row, err := s.App.BeginSignIn(v, k, sent.x.ID, app.Waiting{Back: sent.back, Then: d})
	if err != nil {
		return err
	}
	path := signin.Path(row)
	if web.WantsFragment(r) {
		r.Writer.Header().Set("HX-Redirect", path)
		return r.NoContent(http.StatusOK)
	}
	return web.SeeOther(r, path)
}
