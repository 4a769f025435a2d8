package guard

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	personview "github.com/mrtr-playground/mrtr-playground/views/person"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// SignedIn asks for a sign-in where people sign in, except on open routes. A page leads to it. A
// form is kept, so that nothing that was typed is lost: its page says so, and sends it again.
func (s *Pages) SignedIn(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		if s.App.IsOpen(r) || r.Visit.Kind == app.ByPerson {
			return next(r)
		}
		why := web.RefusalOf(r.Visit.Unknown)
		switch {
		case why.Kind != app.Unauthorized || s.App.People.Header != "":
			return why
		case r.Method == http.MethodPost:
			return s.keepForm(r, why)
		case web.IsPart(r):
			r.Writer.Header().Set("HX-Reswap", "none") // what is typed on the page stays
			return why
		}
		return r.Redirect(http.StatusSeeOther, web.SignInAt(r.Request))
	}
}

// keepForm answers a form of someone whose sign-in has ended with a page that has the form.
func (s *Pages) keepForm(r *web.Request, why *app.Refusal) error {
	kept := personview.Kept{Action: r.URL.RequestURI(), Why: *web.SentenceOf(why)}
	s.App.CountRefusal(r, why)
	if values, err := s.App.FormValues(r); err == nil && len(values) > 0 {
		kept.Values = values
	}
	if web.WantsFragment(r) {
		r.Writer.Header().Set("HX-Retarget", "main")
		return s.App.Render(r, http.StatusConflict, personview.KeptMain(kept))
	}
	page := s.App.Page(r, "Sign in again", "")
	page.Here, page.Bare = "/", true
	return s.App.Render(r, http.StatusConflict, personview.KeptPage(page, kept))
}
