package guard

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/web"
)

// Observe gives every request an id and logs how it was answered.
func (s *Pages) Observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began, res := s.App.Now(), c.Response()
		id := rand.Text()
		res.Header().Set(web.RequestID, id)
		defer func() { // also if the answer is cut off, which is a panic
			s.App.Served(web.Served{
				ID: id, Method: knownMethod(c.Request().Method), Route: s.routeOf(c), Status: res.Status,
				Bytes: res.Size, Took: s.App.Now().Sub(began),
				Stream: strings.HasPrefix(res.Header().Get("Content-Type"), "text/event-stream"),
			})
		}()
		if err := next(c); err != nil {
			s.Problem(err, c)
		}
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
func (s *Pages) routeOf(c echo.Context) string {
	if route := c.Path(); s.App.Routes[route] {
		return route
	}
	return "none"
}

// RoutesOf returns the patterns of all pages.
func RoutesOf(e *echo.Echo) map[string]bool {
	known := map[string]bool{}
	for _, r := range e.Routes() {
		known[r.Path] = true
	}
	return known
}
