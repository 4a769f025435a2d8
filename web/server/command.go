package server

import (
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Restart starts the process of a server on standard input again, and connects to it.
func (s *Pages) Restart(r *web.Request) error {
	v, id := r.Visit, r.Param("id")
	ctx, workspace := v.Context(), v.Workspace()
	t, _, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return err
	}
	if !t.IsCommand() {
		return app.NotFound()
	}
	if s.App.HasCommand(t) {
		s.App.Commands.Restart(ctx, t.URL)
	}
	if err := s.App.ConnectAgain(v, workspace, id, t); err != nil { // such as for an unknown command
		return err
	}
	return web.SeeOther(r, "/servers/"+id)
}
