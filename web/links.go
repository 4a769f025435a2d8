package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/views"
)

// linksTo returns the user's links that show something of a session.
func (s *app) linksTo(c echo.Context, session string) ([]views.ShareLine, error) {
	links, err := s.links(c)
	return links[session], err
}

// links returns the user's links by the session that they show something of.
func (s *app) links(c echo.Context) (map[string][]views.ShareLine, error) {
	list, err := s.Store.Shares(c.Request().Context(), s.owners.reading(c), s.Now())
	bySession := map[string][]views.ShareLine{}
	for _, h := range list {
		bySession[h.Session] = append(bySession[h.Session], views.NewShareLine(h, s.BaseURL))
	}
	return bySession, err
}

// shares lists the user's links; ?made= shows one that was just created.
func (s *app) shares(c echo.Context) error {
	list, err := s.Store.Shares(c.Request().Context(), s.owners.reading(c), s.Now())
	if err != nil {
		return err
	}
	model := views.Shares{}
	for _, h := range list {
		line := views.NewShareLine(h, s.BaseURL)
		if h.Token == c.QueryParam("made") {
			if line.QR, err = views.QR(line.URL); err != nil {
				return err
			}
			line.OwnMachine = isLoopbackOrigin(s.BaseURL)
			model.Made = &line
		}
		model.Lines = append(model.Lines, line)
	}
	return s.render(c, http.StatusOK, views.SharesPage(s.page(c, "Your links", "/history"), model))
}

// deleteShare revokes a link at once, and leads back to the page that the form
// was on.
func (s *app) deleteShare(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	if err := s.Store.DeleteShare(c.Request().Context(), s.owners.reading(c), c.Param("token")); err != nil {
		return err
	}
	id := url.PathEscape(form.Get("id"))
	switch form.Get("from") {
	case "share":
		return seeOther(c, "/sessions/"+id+"/share")
	case "exchange":
		return seeOther(c, "/x/"+id)
	case "history":
		return seeOther(c, "/history")
	}
	return seeOther(c, "/shares")
}
