package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// Heartbeat is how often a quiet stream sends a comment, so that proxies keep
// it open.
const Heartbeat = 15 * time.Second

// OpenStream begins the response of an event stream.
func OpenStream(c echo.Context) *echo.Response {
	w := c.Response()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	w.Flush()
	return w
}

// StreamChange sends one server-sent event when the log has come further than
// ?after=, the progress that the page shows, then ends the stream. The page reloads
// its content and, if more is to come, opens the next stream.
func (s *App) StreamChange(c echo.Context, id string) error {
	after, err := strconv.Atoi(c.QueryParam("after"))
	if err != nil {
		after = -1 // the page did not say which events it shows
	}
	look := func() { s.Runner.Look(c.Request().Context(), id) }
	watch := func(ctx context.Context) (<-chan struct{}, bool) { return s.Runner.Watch(ctx, id, after) }
	return s.StreamChangeOf(c, watch, look)
}

// streamRetry is when to try again if too many event streams are open.
const streamRetry = 10 * time.Second

// StreamChangeOf is streamChange for a watch function. It calls look again and
// again while the stream is open.
func (s *App) StreamChangeOf(
	c echo.Context, watch func(context.Context) (changed <-chan struct{}, running bool), look func(),
) error {
	release, err := s.Streams.Acquire(c.Request().Context(), VisitOf(c).Account())
	if errors.Is(err, app.ErrPoolFull) {
		return app.TooMany(streamRetry, "too_many_streams", "Too many pages that follow a call are open.",
			"This page still works; it does not update by itself.")
	}
	if err != nil {
		return err
	}
	defer release()
	w := OpenStream(c)
	changed, running := watch(c.Request().Context())
	if running {
		tick := time.NewTicker(Heartbeat)
		defer tick.Stop()
		for waiting := true; waiting; {
			select {
			case <-changed:
				waiting = false
			case <-tick.C:
				look()
				_, _ = fmt.Fprint(w, ": still running\n\n")
				w.Flush()
			case <-c.Request().Context().Done():
				return nil
			}
		}
	}
	_, _ = fmt.Fprint(w, "event: changed\ndata: now\n\n")
	w.Flush()
	return nil
}
