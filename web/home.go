package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/views"
)

func (s *app) landing(c echo.Context) error {
	p := picture.Landing()
	page := s.page(c, "", "/")
	page.Landing = true
	return s.render(c, http.StatusOK, views.LandingPage(page, views.Landing{
		Picture: string(p.SVG()), Narrow: string(p.Narrow().SVG()), Text: p.Text(),
		Lessons: lesson.Count, Minutes: lesson.FirstMinutes,
	}))
}

// theme sets the theme.
func (s *app) theme(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	theme, back := first(form["theme"]), first(form["back"])
	if theme != "light" && theme != "dark" {
		return refuseTheme()
	}
	if !isOwnPath(back) {
		return refuse(
			http.StatusBadRequest, "bad_redirect", "The return address is not on this site.",
			"Go back and try again.",
		)
	}
	s.setPreference(c, "theme", theme)
	return seeOther(c, back)
}

// settingsPage shows the settings of this browser.
func (s *app) settingsPage(c echo.Context) error {
	certificates, err := s.certificates(c)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.SettingsPage(s.page(c, "Settings", ""), views.Settings{
		Theme: themeOf(c.Request()), Keys: !keysOff(c.Request()), Saved: c.QueryParam("saved") != "",
		Local: s.Mode != Public, Certificates: certificates,
	}))
}

// setSettings sets them, each in a cookie of its own.
func (s *app) setSettings(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	theme := first(form["theme"])
	if theme != "light" && theme != "dark" && theme != "" {
		return refuseTheme()
	}
	keys := "off"
	if first(form["keys"]) == "on" {
		keys = ""
	}
	s.setPreference(c, "theme", theme)
	s.setPreference(c, "keys", keys)
	return seeOther(c, "/settings?saved=1")
}

// setPreference sets a cookie for a year, or deletes it if value is empty. It is
// not secret and needs no workspace.
func (s *app) setPreference(c echo.Context, name, value string) {
	age := 365 * 24 * 3600
	if value == "" {
		age = -1
	}
	c.SetCookie(&http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: true,
		Secure: s.Mode == Public, SameSite: http.SameSiteLaxMode,
	})
}

// keysOff reports whether shortcuts that are a single key are turned off.
func keysOff(r *http.Request) bool {
	cookie, err := r.Cookie("keys")
	return err == nil && cookie.Value == "off"
}

func refuseTheme() error {
	return refuse(http.StatusBadRequest, "bad_theme", "Unknown theme.", "Choose light or dark.")
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
