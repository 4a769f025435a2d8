package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// KeysOff reports whether shortcuts that are a single key are turned off.
func (s *App) KeysOff(c echo.Context) bool { return s.Cookie(c, "keys") == "off" }

// ThemeOf returns the colours that the visitor chose: light, dark or "".
func (s *App) ThemeOf(c echo.Context) string {
	if theme := s.Cookie(c, "theme"); theme == "light" || theme == "dark" {
		return theme
	}
	return ""
}

// Page returns the frame of a page.
func (s *App) Page(c echo.Context, title, nav string) views.Page {
	return views.Page{
		Title: title, Theme: s.ThemeOf(c), Nav: nav, Here: c.Request().URL.RequestURI(),
		Assets: s.Assets, NoKeys: s.KeysOff(c),
	}
}

// buffers keeps buffers for reuse.
type buffers struct{ sync.Pool }

// get returns an empty buffer.
func (b *buffers) get() *bytes.Buffer {
	buf, ok := b.Get().(*bytes.Buffer)
	if !ok {
		return new(bytes.Buffer)
	}
	buf.Reset()
	return buf
}

// Render writes a component once it is complete: an error while rendering must
// not leave half a page.
func (s *App) Render(c echo.Context, status int, component templ.Component) error {
	buf := s.buffers.get()
	defer s.buffers.Put(buf)
	if err := component.Render(c.Request().Context(), buf); err != nil {
		return fmt.Errorf("render %s: %w", c.Path(), err)
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentLength, strconv.Itoa(buf.Len()))
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "HX-Request, HX-Target")
	return c.HTMLBlob(status, buf.Bytes())
}

// WantsFragment reports whether htmx asks for a part of the page.
func WantsFragment(c echo.Context) bool {
	h := c.Request().Header
	return h.Get("HX-Request") == "true" && h.Get("HX-History-Restore-Request") != "true"
}

// WantsDrawer reports whether htmx asks only for the evidence of a Round.
func WantsDrawer(c echo.Context) bool {
	return WantsFragment(c) && strings.HasSuffix(c.Request().Header.Get("HX-Target"), "#drawer")
}

// SeeOther redirects after a form was processed.
func SeeOther(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }
