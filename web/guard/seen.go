package guard

import (
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TouchWorkspace stores that the workspace of a browser is in use, because idle ones
// are deleted, and renews its cookie. A cookie that an earlier key signed is renewed
// in every mode, so that the key can be retired, and so is the key of a person's secrets.
// Like a log line, this is no change by the visitor, so a GET may do it, and no page fails
// if it fails. Readers of shares get no cookie.
func (s *Pages) TouchWorkspace(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		if web.IsUnlimited(r) || web.IsSample(r) || web.IsReader(r.URL.Path) {
			return next(r)
		}
		if s.App.Owners.SignedBefore(r) {
			s.App.RenewCookie(r)
		}
		if err := r.Visit.RenewKey(); err != nil {
			s.App.Logger.Warn("renew key of person", "err", err)
		}
		id := r.Visit.Workspace()
		if !s.App.Mode.Shared() || id == "" || s.App.Limiters.Visits.Reserve(id, s.App.Now()) > 0 {
			return next(r)
		}
		if err := s.Store.SetSeen(r.Context(), id, s.App.Now()); err != nil {
			s.App.Logger.Warn("store visit", "err", err)
		}
		if r.Visit.Kind == app.ByPerson {
			if err := s.Store.SeePerson(r.Context(), r.Visit.Person.ID, s.App.Now()); err != nil {
				s.App.Logger.Warn("store use", "err", err)
			}
			return next(r)
		}
		s.App.RenewCookie(r)
		return next(r)
	}
}
