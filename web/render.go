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

// page returns the frame of a page.
func (s *app) page(c echo.Context, title, nav string) views.Page {
	return views.Page{
		Title: title, Theme: themeOf(c.Request()), Nav: nav, Here: c.Request().URL.RequestURI(),
		Assets: s.Assets, Public: s.Mode == Public, NoKeys: keysOff(c.Request()),
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

// render writes a component once it is complete: an error while rendering must
// not leave half a page.
func (s *app) render(c echo.Context, status int, component templ.Component) error {
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

// wantsFragment reports whether htmx asks for a part of the page.
func wantsFragment(c echo.Context) bool {
	h := c.Request().Header
	return h.Get("HX-Request") == "true" && h.Get("HX-History-Restore-Request") != "true"
}

// wantsDrawer reports whether htmx asks only for the evidence of a Round.
func wantsDrawer(c echo.Context) bool {
	return wantsFragment(c) && strings.HasSuffix(c.Request().Header.Get("HX-Target"), "#drawer")
}

// seeOther redirects after a form was processed.
func seeOther(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }
