package server

import (
	"github.com/labstack/echo/v4"
)

// TargetFrame is frame for what a server was asked when the user connected to
// it.
func (s *Pages) TargetFrame(c echo.Context) error {
	t, log, err := s.Store.Target(c.Request().Context(), s.Owners.Reading(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.SendFrame(c, log, t.Name)
}
