package admin

import (
	"context"
	"errors"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Healthz reports that the process runs.
func (s *Pages) Healthz(r *web.Request) error { return r.Text(http.StatusOK, "ok\n") }

// Readyz reports whether the program accepts work: it is not draining, and the
// database accepts a write. Concurrent requests share one write.
func (s *Pages) Readyz(r *web.Request) error {
	if s.App.Draining() {
		return r.Text(http.StatusServiceUnavailable, "draining\n")
	}
	_, err, _ := s.App.Asked.Do("ready", func() (any, error) {
		return nil, s.Store.Ready(
			context.WithoutCancel(r.Context()),
		)
	})
	if err != nil {
		s.App.Logger.Warn("not ready", "err", err)
	}
	switch {
	case errors.Is(err, playground.ErrDamaged):
		return r.Text(http.StatusServiceUnavailable, "database damaged: restore it from a copy\n")
	case errors.Is(err, playground.ErrFull):
		return r.Text(http.StatusServiceUnavailable, "disk full\n")
	case err != nil:
		return r.Text(http.StatusServiceUnavailable, "database not writable\n")
	}
	return r.Text(http.StatusOK, "ready\n")
}

// Version answers with the version of the build, as JSON.
func (s *Pages) Version(r *web.Request) error {
	return r.JSON(http.StatusOK, map[string]string{
		"name": s.App.Client.Name, "version": s.App.Client.Version, "revision": s.App.Build.Revision, "go": s.App.Build.Go,
	})
}
