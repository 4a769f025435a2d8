package guard

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Charge makes what a form, or the return from a sign-in, stores in public mode
// count for the address that it came from, and for its network. Without room for
// the first row of a day nothing is charged, so that deleting works on a full
// disk.
func (s *Pages) Charge(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		stores := r.Method == http.MethodPost || r.URL.Path == app.CallbackPath
		if !s.Mode.Limited() || !stores || web.IsSample(c) {
			return next(c)
		}
		v := web.VisitOf(c)
		p, err := s.Payer(v)
		if err != nil {
			s.Logger.Warn("charge an address", "err", err)
			return next(c)
		}
		v.Charge(p)
		c.SetRequest(r.WithContext(v.Context()))
		return next(c)
	}
}
