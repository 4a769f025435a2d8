package server

import (
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TargetFrame is frame for the requests to a server when the user connected to
// it.
func (s *Pages) TargetFrame(r *web.Request) error {
	t, log, err := s.Store.Target(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	return s.App.SendFrame(r, log, t.Name)
}
