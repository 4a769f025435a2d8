package guard

import (
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// LimitRates enforces the rates of pages.
func (s *Pages) LimitRates(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		if !s.App.Mode.Shared() || web.IsUnlimited(r) {
			return next(r)
		}
		if wait := s.App.Delay(r.Visit, web.IsPart(r)); wait > 0 {
			return app.TooMany(
				wait, "too_many_pages", "Too many pages in a short time.",
				"This site is shared, so each visitor has a limit.",
			)
		}
		return next(r)
	}
}
