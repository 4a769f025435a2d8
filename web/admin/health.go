package admin

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Healthz reports that the process runs.
func (s *Pages) Healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// Readyz reports whether the program accepts work: it is not draining, and the
// database accepts a write. Concurrent requests share one write.
func (s *Pages) Readyz(c echo.Context) error {
	if s.Draining() {
		return c.String(http.StatusServiceUnavailable, "draining\n")
	}
	_, err, _ := s.Asked.Do("ready", func() (any, error) {
		return nil, s.Store.Ready(
			context.WithoutCancel(c.Request().Context()),
		)
	})
	if err != nil {
		s.Logger.Warn("not ready", "err", err)
	}
	switch {
	case errors.Is(err, playground.ErrDamaged):
		return c.String(http.StatusServiceUnavailable, "database damaged: restore it from a copy\n")
	case errors.Is(err, playground.ErrFull):
		return c.String(http.StatusServiceUnavailable, "disk full\n")
	case err != nil:
		return c.String(http.StatusServiceUnavailable, "database not writable\n")
	}
	return c.String(http.StatusOK, "ready\n")
}

// Version answers with what was built, as JSON.
func (s *Pages) Version(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]string{
		"name": s.Client.Name, "version": s.Client.Version, "revision": s.Build.Revision, "go": s.Build.Go,
	})
}
