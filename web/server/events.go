package server

import (
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TargetEvents sends an event when connecting to a server has made progress.
func (s *Pages) TargetEvents(c echo.Context) error {
	t, _, err := s.Store.Target(c.Request().Context(), web.VisitOf(c).Workspace(), c.Param("id"))
	if err != nil {
		return err
	}
	return s.StreamChange(c, t.ID)
}
