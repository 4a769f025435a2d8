package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// visitKey is where a request keeps its visit.
const visitKey = "visit"

// VisitOf returns the visit of a request, which BeginVisit began.
func VisitOf(c echo.Context) *app.Visit {
	v, _ := c.Get(visitKey).(*app.Visit)
	return v
}

// BeginVisit begins the visit of a request, which VisitOf returns from then on, and gives
// the request its context. The caller ends its turn with the request, if the first byte of
// the response has not ended it.
func (s *App) BeginVisit(c echo.Context) *app.Visit {
	v := s.Visit(c.Request().Context(), app.Request{
		Owner: browser{c, s.Owners}, Address: app.AddressOf(c.RealIP()), Origin: s.OwnURL(c),
		Looks: IsRead(c.Request()),
	})
	c.Response().Before(v.EndTurn)
	c.SetRequest(c.Request().WithContext(v.Context()))
	c.Set(visitKey, v)
	return v
}

// IsRead reports whether a request only reads.
func IsRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// browser is the owner of a request of a browser, by its cookie.
type browser struct {
	c      echo.Context
	owners Owners
}

// Workspace returns the workspace of the cookie, or "".
func (b browser) Workspace() string { return b.owners.reading(b.c) }

// NewWorkspace returns the workspace, and sets a cookie with a new one if there is none.
func (b browser) NewWorkspace() (string, error) { return b.owners.writing(b.c) }

// Key returns the key of the cookie, or nil.
func (b browser) Key() []byte { return b.owners.Key(b.c) }

// NewKey returns the key, and sets the cookie, which extends its life, with a new one if
// there is none.
func (b browser) NewKey() ([]byte, error) { return b.owners.newKey(b.c) }

// OwnURL returns the URL of this program, wherever it is shown: the one that it was
// started with, or else the one that the browser uses.
func (s *App) OwnURL(c echo.Context) string {
	if s.Mode == app.Public || s.Named {
		return s.BaseURL
	}
	scheme, _, _ := strings.Cut(s.BaseURL, "://")
	return scheme + "://" + c.Request().Host
}
