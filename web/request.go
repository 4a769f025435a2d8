package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// Request is a request of a page, with its visit and its response. It is all that a room
// sees of HTTP: the router stays with packages web, guard and site.
type Request struct {
	*http.Request
	Visit  *app.Visit // nil until BeginVisit
	Writer Writer

	c echo.Context
}

// Writer writes the response of a request, and can send written bytes at once.
type Writer interface {
	http.ResponseWriter
	http.Flusher
}

// Handler answers a request. An error becomes the page of an error, in package guard.
type Handler func(r *Request) error

// Handle returns a handler of the router.
func Handle(h Handler) echo.HandlerFunc {
	return func(c echo.Context) error { return h(RequestOf(c)) }
}

// Use returns the middleware that the router puts before its handlers.
func Use(m func(next Handler) Handler) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return Handle(m(func(r *Request) error { return next(r.c) }))
	}
}

// RequestOf returns the request of the router, as it is now.
func RequestOf(c echo.Context) *Request {
	v, _ := c.Get(visitKey).(*app.Visit)
	return &Request{Request: c.Request(), Visit: v, Writer: c.Response(), c: c}
}

// SetContext gives the request and the handlers that follow another context.
func (r *Request) SetContext(ctx context.Context) {
	r.Request = r.WithContext(ctx)
	r.c.SetRequest(r.Request)
}

// ClientIP returns the address of the client, behind the proxies that are trusted.
func (r *Request) ClientIP() string { return r.c.RealIP() }

// Param returns a part of the path by its name in the route, or "".
func (r *Request) Param(name string) string { return r.c.Param(name) }

// QueryParam returns the first value of the query with a name, or "".
func (r *Request) QueryParam(name string) string { return r.c.QueryParam(name) }

// QueryParams returns the query.
func (r *Request) QueryParams() url.Values { return r.c.QueryParams() }

// Route returns the pattern of the path, such as /x/:id.
func (r *Request) Route() string { return r.c.Path() }

// SetCookie adds a cookie to the response.
func (r *Request) SetCookie(c *http.Cookie) { r.c.SetCookie(c) }

// NoContent sends a response without a body.
func (r *Request) NoContent(status int) error { return r.c.NoContent(status) }

// Text sends plain text.
func (r *Request) Text(status int, text string) error { return r.c.String(status, text) }

// JSON sends a value as JSON.
func (r *Request) JSON(status int, value any) error { return r.c.JSON(status, value) }

// Bytes sends a body of a type.
func (r *Request) Bytes(status int, contentType string, body []byte) error {
	return r.c.Blob(status, contentType, body)
}

// HTML sends a page.
func (r *Request) HTML(status int, page string) error { return r.c.HTML(status, page) }

// Redirect sends the address of another page.
func (r *Request) Redirect(status int, to string) error { return r.c.Redirect(status, to) }
