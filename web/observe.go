package web

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Served is a request of a visitor that was answered. It has nothing that the
// visitor chose.
type Served struct {
	ID     string // of the request, also in the header X-Request-Id of the response
	Method string // or "other"
	Route  string // pattern, such as /x/:id; "none" where no page is
	Status int
	Bytes  int64 // of the body of the response
	Took   time.Duration
	Stream bool // the response stayed open, so that Took says nothing of its speed
}

// requestID is the header with the id of a request.
const requestID = "X-Request-Id"

// observe gives every request an id and tells how it was answered.
func (s *app) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began, res := s.Now(), c.Response()
		id := rand.Text()
		res.Header().Set(requestID, id)
		if err := next(c); err != nil {
			s.problem(err, c)
		}
		s.Served(Served{
			ID: id, Method: knownMethod(c.Request().Method), Route: s.routeOf(c), Status: res.Status,
			Bytes: res.Size, Took: s.Now().Sub(began),
			Stream: strings.HasPrefix(res.Header().Get("Content-Type"), "text/event-stream"),
		})
		return nil
	}
}

// methods are those that the pages and the samples know.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodOptions,
}

func knownMethod(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "other"
}

// routeOf returns the pattern of the page that a request asked for.
func (s *app) routeOf(c echo.Context) string {
	if route := c.Path(); s.routes[route] {
		return route
	}
	return "none"
}

// routesOf returns the patterns of all pages.
func routesOf(e *echo.Echo) map[string]bool {
	known := map[string]bool{}
	for _, r := range e.Routes() {
		known[r.Path] = true
	}
	return known
}

// Places returns how full the pools are that visitors share.
func (s *Site) Places() []usage.Places {
	running, checks := s.app.Checker.Running()
	calls := s.app.outbound.count()
	return []usage.Places{
		{Pool: "calls", Used: calls, Limit: s.app.Limits.CallsInAll},
		{Pool: "checks", Used: len(running), Limit: checks},
		s.app.streams.usage("event_streams"), s.app.reads.usage("reads"),
	}
}

// count returns how many calls take a place of those that all visitors share.
// It is 0 but in public mode.
func (o *outbound) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = slices.DeleteFunc(o.calls, o.ended)
	n := 0
	for _, call := range o.calls {
		n += count(o.open(call))
	}
	return n
}

// usage returns how full the pool is.
func (p *pool) usage(name string) usage.Places {
	p.mu.Lock()
	defer p.mu.Unlock()
	return usage.Places{
		Pool: name, Used: p.taken, Limit: p.places, Waiting: len(p.waiting), Queue: p.queue,
	}
}
