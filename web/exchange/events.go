package exchange

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ExchangeEvents sends an event when an exchange has changed.
func (s *Pages) ExchangeEvents(c echo.Context) error {
	x, err := s.Load(web.VisitOf(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.StreamChange(c, x.ID)
}
