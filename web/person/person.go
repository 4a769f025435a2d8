// Package person serves the pages on which people sign in and out.
package person

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc"
	personview "github.com/mrtr-playground/mrtr-playground/views/person"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct{ App *web.App }

// SignInPage asks to sign in, or says who has.
func (s *Pages) SignInPage(r *web.Request) error {
	if s.App.People == nil {
		return app.NotFound()
	}
	return s.show(r, http.StatusOK, nil)
}

// show shows the page, with why a sign-in failed if it did.
func (s *Pages) show(r *web.Request, status int, why *app.Refusal) error {
	page := s.App.Page(r, "Sign in", "")
	page.Here, page.Bare = web.SignInPath, page.Person == "" // no other page opens without a sign-in
	m := personview.SignIn{Person: page.Person, Proxy: s.App.People.Header != "", Start: web.SignInStartPath}
	if m.Proxy && m.Person == "" {
		return r.Visit.Unknown
	}
	if next := s.next(r); next != "/" {
		m.Start = playground.SetQuery(m.Start, "next", next)
	}
	if !m.Proxy {
		m.Issuer = app.HostOf(s.App.People.Issuer)
	}
	if why != nil {
		s.App.CountRefusal(r, why)
		m.Problem = web.SentenceOf(why)
	}
	return s.App.Render(r, status, personview.Page(page, m))
}

// next returns the page to open after a sign-in: one of this site.
func (s *Pages) next(r *web.Request) string {
	next := cmp.Or(r.QueryParam("next"), "/")
	if u, err := url.Parse(next); err != nil || u.Host != "" || !web.IsOwnPath(next) {
		return "/"
	}
	return next
}

// Start sends the browser to the identity provider.
func (s *Pages) Start(r *web.Request) error {
	if s.App.People == nil || s.App.People.Provider == nil {
		return app.NotFound()
	}
	to, ticket, err := s.App.People.Provider.Begin(r.Context(), s.next(r))
	if err != nil {
		return s.failed(r, err)
	}
	if err := s.App.KeepTicket(r, ticket); err != nil {
		return err
	}
	return r.Redirect(http.StatusSeeOther, to)
}

// Callback is where the identity provider sends the browser back to.
func (s *Pages) Callback(r *web.Request) error {
	if s.App.People == nil || s.App.People.Provider == nil {
		return app.NotFound()
	}
	ticket := s.App.TakeTicket(r)
	p, err := s.App.FinishSignIn(r.Context(), ticket, r.QueryParams())
	if err != nil {
		return s.failed(r, err)
	}
	if err := s.App.Owners.SignIn(r, p.ID, s.App.Now().Add(s.App.People.Session)); err != nil {
		return err
	}
	s.App.Logger.Info("signed in", "person", p.ID)
	return web.SeeOther(r, ticket.Next)
}

// SignOut ends the sign-in of this browser.
func (s *Pages) SignOut(r *web.Request) error {
	if s.App.People == nil || s.App.People.Provider == nil {
		return app.NotFound()
	}
	if err := s.App.Owners.SignOut(r); err != nil {
		return err
	}
	return web.SeeOther(r, web.SignInPath)
}

// failed shows why a sign-in failed.
func (s *Pages) failed(r *web.Request, err error) error {
	var denied *oidc.Denied
	var refused *app.Refusal
	switch {
	case errors.As(err, &refused):
	case errors.As(err, &denied) && denied.Code == "access_denied":
		refused = app.Refuse(app.Forbidden, "sign_in_denied", "The sign-in was refused or cancelled.",
			"Sign in again, or ask the operator of this site.")
	case errors.As(err, &denied):
		refused = app.RefuseBecause(err, app.Unauthorized, "sign_in_failed", "The identity provider reports an error.",
			"Try again. If it stays, tell the operator of this site.")
	case errors.Is(err, oidc.ErrForeign):
		refused = app.Refuse(app.Malformed, "sign_in_foreign",
			"This sign-in was begun in another browser, was used before, or took too long.", "Sign in again.")
	case errors.Is(err, oidc.ErrBarred):
		refused = app.RefuseBecause(err, app.Forbidden, "sign_in_barred", "Your account may not use this site.",
			"Sign in with another account, or ask the operator of this site.")
	case errors.Is(err, oidc.ErrAway):
		refused = app.RefuseBecause(err, app.Unavailable, "sign_in_away", "The identity provider does not answer.",
			"Try again in a moment.")
	case errors.Is(err, oidc.ErrInvalid):
		refused = app.RefuseBecause(err, app.Unauthorized, "sign_in_invalid",
			"The answer of the identity provider is not valid.", "Sign in again. If it stays, tell the operator of this site.")
	default:
		return err
	}
	if cause := errors.Unwrap(refused); cause != nil {
		s.App.Logger.Warn("sign-in failed", "code", refused.Code, "err", cause)
	}
	return s.show(r, int(refused.Kind), refused)
}
