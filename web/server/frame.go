package server

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TargetFrame is frame for what a server was asked when the user connected to
// it.
func (s *Pages) TargetFrame(c echo.Context) error {
	t, log, err := s.Store.Target(c.Request().Context(), web.VisitOf(c).Workspace(), c.Param("id"))
	if err != nil {
		return err
	}
	return s.SendFrame(c, log, t.Name)
}
