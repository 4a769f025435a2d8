package guard

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TouchWorkspace stores that the workspace of a browser is in use, because idle ones
// are deleted, and renews its cookie. A cookie that an earlier key signed is renewed
// in every mode, so that the key can be retired. Like a log line, this is no change by
// the visitor, so a GET may do it, and no page fails if it fails. Readers of shares
// get no cookie.
func (s *Pages) TouchWorkspace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if web.IsUnlimited(c) || web.IsSample(c) || web.IsReader(c.Request().URL.Path) {
			return next(c)
		}
		if s.Owners.SignedBefore(c) {
			s.RenewCookie(c)
		}
		id := web.VisitOf(c).Workspace()
		if !s.Mode.Shared() || id == "" || s.Limiters.Visits.Reserve(id, s.Now()) > 0 {
			return next(c)
		}
		if err := s.Store.SetSeen(c.Request().Context(), id, s.Now()); err != nil {
			s.Logger.Warn("store visit", "err", err)
		}
		s.RenewCookie(c)
		return next(c)
	}
}
