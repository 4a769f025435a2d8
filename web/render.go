package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

// KeysOff reports whether shortcuts that are a single key are turned off.
func (s *App) KeysOff(r *Request) bool { return s.Cookie(r, "keys") == "off" }

// ThemeOf returns the colours that the visitor chose: light, dark or "".
func (s *App) ThemeOf(r *Request) string {
	if theme := s.Cookie(r, "theme"); theme == "light" || theme == "dark" {
		return theme
	}
	return ""
}

// Page returns the frame of a page.
func (s *App) Page(r *Request, title, nav string) layout.Page {
	return layout.Page{
		Title: title, Theme: s.ThemeOf(r), Nav: nav, Here: r.URL.RequestURI(),
		Assets: s.Assets, NoKeys: s.KeysOff(r), Person: s.personShown(r),
	}
}

// personShown returns how the person who has signed in is called, or "".
func (s *App) personShown(r *Request) string {
	if r.Visit == nil || r.Visit.Kind != app.ByPerson {
		return ""
	}
	return r.Visit.Person.Shown()
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
func (s *App) Render(r *Request, status int, component templ.Component) error {
	buf := s.buffers.get()
	defer s.buffers.Put(buf)
	if err := component.Render(r.Context(), buf); err != nil {
		return fmt.Errorf("render %s: %w", r.Route(), err)
	}
	h := r.Writer.Header()
	h.Set("Content-Length", strconv.Itoa(buf.Len()))
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "HX-Request, HX-Target")
	return r.c.HTMLBlob(status, buf.Bytes())
}

// WantsFragment reports whether htmx asks for a part of the page.
func WantsFragment(r *Request) bool {
	h := r.Header
	return h.Get("HX-Request") == "true" && h.Get("HX-History-Restore-Request") != "true"
}

// WantsDrawer reports whether htmx asks only for the evidence of a Round.
func WantsDrawer(r *Request) bool {
	return WantsFragment(r) && strings.HasSuffix(r.Header.Get("HX-Target"), "#drawer")
}

// SeeOther redirects after a form was processed.
func SeeOther(r *Request, path string) error { return r.Redirect(http.StatusSeeOther, path) }
