package guard

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// LimitRates enforces the rates of pages.
func (s *Pages) LimitRates(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.Mode.Limited() || web.IsUnlimited(c) {
			return next(c)
		}
		if wait := s.Delay(c); wait > 0 {
			return app.TooMany(
				wait, "too_many_pages", "Too many pages in a short time.",
				"This site is shared, so each visitor has a limit.",
			)
		}
		return next(c)
	}
}
