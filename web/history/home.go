package history

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Landing shows the first page.
func (s *Pages) Landing(c echo.Context) error {
	p := picture.Landing()
	page := s.Page(c, "", "/")
	page.Landing = true
	return s.Render(c, http.StatusOK, views.LandingPage(page, views.Landing{
		Picture: string(p.SVG()), Narrow: string(p.Narrow().SVG()), Text: p.Text(),
		Lessons: lesson.Count, Minutes: lesson.FirstMinutes,
	}))
}

// Theme sets the theme.
func (s *Pages) Theme(c echo.Context) error {
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	theme, back := web.First(form["theme"]), web.First(form["back"])
	if theme != "light" && theme != "dark" {
		return refuseTheme()
	}
	if !web.IsOwnPath(back) {
		return app.Refuse(
			http.StatusBadRequest, "bad_redirect", "The return address is not on this site.",
			"Go back and try again.",
		)
	}
	s.setPreference(c, "theme", theme)
	return web.SeeOther(c, back)
}

// SettingsPage shows the settings of this browser and of its workspace.
func (s *Pages) SettingsPage(c echo.Context) error { return s.showSettings(c, http.StatusOK, "") }

// showSettings shows the settings, with a token that was just made unless it is empty.
func (s *Pages) showSettings(c echo.Context, status int, token string) error {
	agents, err := s.agents(c, token)
	if err != nil {
		return err
	}
	certificates, err := s.Servers.Certificates(c)
	if err != nil {
		return err
	}
	roots, err := s.Store.Roots(c.Request().Context(), web.VisitOf(c).Workspace())
	if err != nil {
		return err
	}
	return s.Render(c, status, views.SettingsPage(s.Page(c, "Settings", ""), views.Settings{
		Theme: s.ThemeOf(c), Keys: !s.KeysOff(c), Saved: c.QueryParam("saved") == "1",
		Roots: roots, RootsSaved: c.QueryParam("saved") == "roots",
		Local: s.Mode == app.Local, Certificates: certificates, Agents: agents,
	}))
}

// SetSettings sets them, each in a cookie of its own.
func (s *Pages) SetSettings(c echo.Context) error {
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	theme := web.First(form["theme"])
	if theme != "light" && theme != "dark" && theme != "" {
		return refuseTheme()
	}
	keys := "off"
	if web.First(form["keys"]) == "on" {
		keys = ""
	}
	s.setPreference(c, "theme", theme)
	s.setPreference(c, "keys", keys)
	return web.SeeOther(c, "/settings?saved=1")
}

// setPreference sets a cookie for a year, or deletes it if value is empty. It is
// not secret and needs no workspace.
func (s *Pages) setPreference(c echo.Context, name, value string) {
	age := web.Year
	if value == "" {
		age = web.Past
	}
	s.KeepCookie(c, name, value, age)
}

func refuseTheme() error {
	return app.Refuse(http.StatusBadRequest, "bad_theme", "Unknown theme.", "Choose light or dark.")
}
