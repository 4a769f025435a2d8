package server

import (
	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Restart starts the process of a server on standard input again, and connects to it.
func (s *Pages) Restart(c echo.Context) error {
	ctx, workspace, id := c.Request().Context(), web.VisitOf(c).Workspace(), c.Param("id")
	t, _, err := s.Store.Target(ctx, workspace, id)
	if err != nil {
		return err
	}
	if !t.IsCommand() {
		return app.NotFound()
	}
	if s.HasCommand(t) {
		s.Commands.Restart(ctx, t.URL)
	}
	return s.ConnectAgain(c, workspace, id, t) // which refuses an unknown command
}
