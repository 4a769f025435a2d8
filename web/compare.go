package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/share"
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
	model := views.NewComparison(a, b)
	if a.ID != b.ID {
		model.Share = "/sessions/" + url.PathEscape(a.Session) + "/share?" +
			url.Values{"kind": {string(share.KindCompare)}, "x": {a.ID, b.ID}}.Encode()
	}
	return s.render(c, http.StatusOK, views.ComparePage(s.page(c, "Compare", ""), model))
}
