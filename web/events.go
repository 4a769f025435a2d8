package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
)

// Heartbeat is how often a quiet stream sends a comment, so that proxies keep
// it open.
const Heartbeat = 15 * time.Second

// OpenStream begins the response of an event stream.
func OpenStream(r *Request) Writer {
	w := r.Writer
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
func (s *App) StreamChange(r *Request, id string) error {
	after, err := strconv.Atoi(r.QueryParam("after"))
	if err != nil {
		after = -1 // the page did not say which events it shows
	}
	look := func() { s.Runner.Look(r.Context(), id) }
	watch := func(ctx context.Context) (<-chan struct{}, bool) { return s.Runner.Watch(ctx, id, after) }
	return s.StreamChangeOf(r, watch, look)
}

// streamRetry is when to try again if too many event streams are open.
const streamRetry = 10 * time.Second

// StreamChangeOf is streamChange for a watch function. It calls look again and
// again while the stream is open.
func (s *App) StreamChangeOf(
	r *Request, watch func(context.Context) (changed <-chan struct{}, running bool), look func(),
) error {
	release, err := s.Streams.Acquire(r.Context(), r.Visit.Account().Holder())
	if errors.Is(err, places.ErrFull) {
		return app.TooMany(streamRetry, "too_many_streams", "Too many pages that follow a call are open.",
			"This page still works; it does not update by itself.")
	}
	if err != nil {
		return err
	}
	defer release()
	w := OpenStream(r)
	changed, running := watch(r.Context())
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
			case <-r.Context().Done():
				return nil
			}
		}
	}
	_, _ = fmt.Fprint(w, "event: changed\ndata: now\n\n")
	w.Flush()
	return nil
}
