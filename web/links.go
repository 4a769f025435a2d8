package web

import (
	"github.com/mrtr-playground/mrtr-playground/views"
)

// LinksTo returns the user's links that show something of a session.
func (s *App) LinksTo(r *Request, session string) ([]views.ShareLine, error) {
	links, err := s.Links(r)
	return links[session], err
}

// Links returns the user's links by the session that they show something of.
func (s *App) Links(r *Request) (map[string][]views.ShareLine, error) {
	list, err := s.Store.Shares(r.Context(), r.Visit.Workspace(), s.Now())
	bySession := map[string][]views.ShareLine{}
	for _, h := range list {
		bySession[h.Session] = append(bySession[h.Session], views.NewShareLine(h, s.OwnURL(r)))
	}
	return bySession, err
}
