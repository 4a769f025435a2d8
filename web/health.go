package web

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"
)

// readiness reports whether something can be stored.
type readiness interface {
	Ready(ctx context.Context) error
}

// healthz says that the process runs.
func (s *app) healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyz says that it can work, and will for a while: it is not about to end,
// and the database takes a write. Whoever asks meanwhile gets the same answer, so
// that asking often writes no more.
func (s *app) readyz(c echo.Context) error {
	if s.Draining() {
		return c.String(http.StatusServiceUnavailable, "this program is about to end\n")
	}
	_, err, _ := s.asked.Do("ready", func() (any, error) { return nil, s.Store.Ready(context.WithoutCancel(c.Request().Context())) })
	if err != nil {
		s.Logger.Warn("not ready", "err", err)
		return c.String(http.StatusServiceUnavailable, "the database cannot be written\n")
	}
	return c.String(http.StatusOK, "ready\n")
}

func (s *app) version(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]string{"name": s.Client.Name, "version": s.Client.Version})
}
