package web

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// LinksTo returns the user's links that show something of a session.
func (s *App) LinksTo(c echo.Context, session string) ([]views.ShareLine, error) {
	links, err := s.Links(c)
	return links[session], err
}

// Links returns the user's links by the session that they show something of.
func (s *App) Links(c echo.Context) (map[string][]views.ShareLine, error) {
	list, err := s.Store.Shares(c.Request().Context(), VisitOf(c).Workspace(), s.Now())
	bySession := map[string][]views.ShareLine{}
	for _, h := range list {
		bySession[h.Session] = append(bySession[h.Session], views.NewShareLine(h, s.OwnURL(c)))
	}
	return bySession, err
}
