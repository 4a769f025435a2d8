package settings

import (
	"net/http"
	"time"

	settingsview "github.com/mrtr-playground/mrtr-playground/views/settings"
	"github.com/mrtr-playground/mrtr-playground/web"
)

const day = 24 * time.Hour

// tokenLives are how long a token may live, by the value of the form.
var tokenLives = map[string]time.Duration{"7d": 7 * day, "30d": 30 * day, "90d": 90 * day}

// MakeToken makes a token for agents and shows it, this once.
func (s *Pages) MakeToken(r *web.Request) error {
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	token, err := s.App.MakeAgentToken(r.Visit, web.First(form["title"]), tokenLives[web.First(form["expires"])])
	if err != nil {
		return err
	}
	made := settingsview.Settings{Agents: settingsview.Agents{Made: token}}
	return s.showSettings(r, http.StatusCreated, made)
}

// RevokeToken deletes a token.
func (s *Pages) RevokeToken(r *web.Request) error {
	if err := s.App.RevokeAgentToken(r.Visit, r.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(r, "/settings#agents")
}

// agents returns the part of the settings that is about agents.
func (s *Pages) agents(r *web.Request, made string) (settingsview.Agents, error) {
	v := r.Visit
	a := settingsview.Agents{URL: v.Origin + web.AgentPath, Tokened: s.App.Mode.Shared(), Made: made}
	if workspace := v.Workspace(); a.Tokened && workspace != "" {
		tokens, err := s.Store.AgentTokens(v.Context(), workspace, s.App.Now())
		if err != nil {
			return a, err
		}
		a.Tokens = settingsview.NewTokenLines(tokens, s.App.Now())
	}
	return a, nil
}
