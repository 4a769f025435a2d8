package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/views"
)

func (s *app) landing(c echo.Context) error {
	p := picture.Landing()
	page := s.page(c, "", "/")
	page.Landing = true
	return s.render(c, http.StatusOK, views.LandingPage(page, views.Landing{
		Picture: string(p.SVG()), Narrow: string(p.Narrow().SVG()), Text: p.Text(),
		Lessons: len(s.Lessons.Lessons),
	}))
}

// theme sets the theme in a cookie of its own, so that it needs no workspace.
func (s *app) theme(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	theme, back := first(form["theme"]), first(form["back"])
	if theme != "light" && theme != "dark" {
		return refuse(http.StatusBadRequest, "bad_theme", "Unknown theme.", "Choose light or dark.")
	}
	if !isOwnPath(back) {
		return refuse(
			http.StatusBadRequest, "bad_redirect", "The return address is not on this site.",
			"Go back and try again.",
		)
	}
	c.SetCookie(&http.Cookie{
		Name: "theme", Value: theme, Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true,
		Secure: s.Mode == Public, SameSite: http.SameSiteLaxMode,
	})
	return seeOther(c, back)
}

// isOwnPath reports whether a redirect stays on this site: browsers read "//"
// and "/\" as another host.
func isOwnPath(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") &&
		!strings.ContainsAny(path, "\\\t\r\n")
}

// zoneOf returns the time zone that the browser's script put into a cookie, or
// nil.
func zoneOf(r *http.Request) *time.Location {
	cookie, err := r.Cookie("zone")
	if err != nil || len(cookie.Value) > maxZone {
		return nil
	}
	name, err := url.QueryUnescape(cookie.Value)
	if err != nil || name == "" || name == "Local" { // which is the zone of this machine
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// maxZone is the longest name of a time zone, as it is escaped.
const maxZone = 64

func themeOf(r *http.Request) string {
	cookie, err := r.Cookie("theme")
	if err != nil || cookie.Value != "light" && cookie.Value != "dark" {
		return ""
	}
	return cookie.Value
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
