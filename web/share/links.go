package share

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Shares lists the user's links; ?made= shows one that was just created.
func (s *Pages) Shares(c echo.Context) error {
	list, err := s.Store.Shares(c.Request().Context(), web.VisitOf(c).Workspace(), s.Now())
	if err != nil {
		return err
	}
	model := views.Shares{}
	for _, h := range list {
		line := views.NewShareLine(h, s.OwnURL(c))
		if h.Token == c.QueryParam("made") {
			if line.QR, err = views.QR(line.URL); err != nil {
				return err
			}
			line.OwnMachine = web.IsLoopbackOrigin(s.OwnURL(c))
			model.Made = &line
		}
		model.Lines = append(model.Lines, line)
	}
	return s.Render(c, http.StatusOK, views.SharesPage(s.Page(c, "Your links", "/history"), model))
}

// DeleteShare revokes a link at once, and leads back to the page that the form
// was on.
func (s *Pages) DeleteShare(c echo.Context) error {
	v := web.VisitOf(c)
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	if err := s.Store.DeleteShare(v.Context(), v.Workspace(), c.Param("token")); err != nil {
		return err
	}
	id := url.PathEscape(form.Get("id"))
	switch form.Get("from") {
	case "share":
		return web.SeeOther(c, "/sessions/"+id+"/share")
	case "exchange":
		return web.SeeOther(c, "/x/"+id)
	case "history":
		return web.SeeOther(c, "/history")
	}
	return web.SeeOther(c, "/shares")
}
