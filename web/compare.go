package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/views"
)

// compare shows two exchanges message by message.
func (s *app) compare(c echo.Context) error {
	a, err := s.load(c, c.QueryParam("a"))
	if err != nil {
		return err
	}
	b, err := s.load(c, c.QueryParam("b"))
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.ComparePage(s.page(c, "Compare", ""), views.NewComparison(a, b)))
}
