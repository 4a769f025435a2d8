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
func (s *Pages) SettingsPage(c echo.Context) error {
	return s.showSettings(c, http.StatusOK, views.Settings{})
}

// showSettings shows the settings. The model has what came of a form: a token that was made,
// or roots with the reason why they were not saved.
func (s *Pages) showSettings(c echo.Context, status int, m views.Settings) (err error) {
	if m.Agents, err = s.agents(c, m.Agents.Made); err != nil {
		return err
	}
	if m.Certificates, err = s.Servers.Certificates(c); err != nil {
		return err
	}
	if m.RootsProblem == nil {
		m.Roots, err = s.Store.Roots(c.Request().Context(), web.VisitOf(c).Workspace())
		if err != nil {
			return err
		}
	}
	m.Theme, m.Keys, m.Local = s.ThemeOf(c), !s.KeysOff(c), s.Mode == app.Local
	m.Saved, m.RootsSaved = c.QueryParam("saved") == "1", c.QueryParam("saved") == "roots"
	return s.Render(c, status, views.SettingsPage(s.Page(c, "Settings", ""), m))
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
