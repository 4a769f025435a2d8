package web

import (
	"net/url"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// LoadForm reads the exchange of the address and the form that was sent.
func (s *App) LoadForm(c echo.Context) (playground.Exchange, url.Values, error) {
	x, err := s.Load(VisitOf(c), c.Param("id"))
	if err != nil {
		return x, nil, err
	}
	form, err := s.FormValues(c)
	return x, form, err
}

// Begin opens a new exchange and leads to its page.
func (s *App) Begin(c echo.Context, t playground.Target, call playground.Call) error {
	id, err := s.Open(VisitOf(c), t, call, "")
	if err != nil {
		return err
	}
	return SeeOther(c, "/x/"+id)
}
