package server

import (
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TargetEvents sends an event when connecting to a server has made progress.
func (s *Pages) TargetEvents(r *web.Request) error {
	t, _, err := s.Store.Target(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	return s.App.StreamChange(r, t.ID)
}
