package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// healthz says that the process runs.
func (s *server) healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyz says that it can work: the database takes a write.
func (s *server) readyz(c echo.Context) error {
	if err := s.Store.Ready(c.Request().Context()); err != nil {
		s.Logger.Warn("not ready", "err", err)
		return c.String(http.StatusServiceUnavailable, "the database cannot be written\n")
	}
	return c.String(http.StatusOK, "ready\n")
}

func (s *server) version(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]string{"name": s.Client.Name, "version": s.Client.Version})
}
