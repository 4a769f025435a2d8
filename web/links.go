package web

import (
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
)

// LinksTo returns the user's links that show something of a session.
func (s *App) LinksTo(r *Request, session string) ([]layout.ShareLine, error) {
	links, err := s.Links(r)
	return links[session], err
}

// Links returns the user's links by the session that they show something of.
func (s *App) Links(r *Request) (map[string][]layout.ShareLine, error) {
	list, err := s.Store.Shares(r.Context(), r.Visit.Workspace(), s.Now())
	bySession := map[string][]layout.ShareLine{}
	for _, h := range list {
		bySession[h.Session] = append(bySession[h.Session], shareview.NewLine(h, s.OwnURL(r)))
	}
	return bySession, err
}
