package settings

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	settingsview "github.com/mrtr-playground/mrtr-playground/views/settings"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Theme sets the theme.
func (s *Pages) Theme(r *web.Request) error {
	form, err := s.App.FormValues(r)
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
	s.setPreference(r, "theme", theme)
	return web.SeeOther(r, back)
}

// SettingsPage shows the settings of this browser and of its workspace.
func (s *Pages) SettingsPage(r *web.Request) error {
	return s.showSettings(r, http.StatusOK, settingsview.Settings{})
}

// showSettings shows the settings. The model has the result of a form: a token
// that was made, or roots with the reason why they were not saved.
func (s *Pages) showSettings(r *web.Request, status int, m settingsview.Settings) (err error) {
	if m.Agents, err = s.agents(r, m.Agents.Made); err != nil {
		return err
	}
	if m.RootsProblem == nil {
		m.Roots, err = s.Store.Roots(r.Context(), r.Visit.Workspace())
		if err != nil {
			return err
		}
	}
	m.Theme, m.Keys, m.Local = s.App.ThemeOf(r), !s.App.KeysOff(r), s.App.Mode == app.Local
	m.Proxy = s.App.People != nil && s.App.People.Header != ""
	m.Saved, m.RootsSaved = r.QueryParam("saved") == "1", r.QueryParam("saved") == "roots"
	return s.App.Render(r, status, settingsview.Page(s.App.Page(r, "Settings", ""), m))
}

// SetSettings sets them, each in a cookie of its own.
func (s *Pages) SetSettings(r *web.Request) error {
	form, err := s.App.FormValues(r)
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
	s.setPreference(r, "theme", theme)
	s.setPreference(r, "keys", keys)
	return web.SeeOther(r, "/settings?saved=1")
}

// setPreference sets a cookie for a year, or deletes it if value is empty. It is
// not secret and needs no workspace.
func (s *Pages) setPreference(r *web.Request, name, value string) {
	age := web.Year
	if value == "" {
		age = web.Past
	}
	s.App.KeepCookie(r, name, value, age)
}

func refuseTheme() error {
	return app.Refuse(http.StatusBadRequest, "bad_theme", "Unknown theme.", "Choose light or dark.")
}
