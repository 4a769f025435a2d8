package history

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	settingsview "github.com/mrtr-playground/mrtr-playground/views/settings"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Limits of tokens.
const (
	maxTokens     = 10 // of a workspace
	maxTokenTitle = 60 // characters
	tokenRow      = 512
	day           = 24 * time.Hour
)

// tokenLives are how long a token may live, by the value of the form.
var tokenLives = map[string]time.Duration{"7d": 7 * day, "30d": 30 * day, "90d": 90 * day}

// MakeToken makes a token for agents and shows it, this once. Local mode has none: it
// has one workspace.
func (s *Pages) MakeToken(r *web.Request) error {
	v := r.Visit
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	life, ok := tokenLives[web.First(form["expires"])]
	if !s.Mode.Shared() || !ok {
		return app.NotFound()
	}
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	title := text.Chars(strings.TrimSpace(web.First(form["title"])), maxTokenTitle)
	t := session.AgentToken{ID: s.NewID(), Title: cmp.Or(title, "Agent"), Created: s.Now(),
		Expires: s.Now().Add(life)}
	token, added := app.AgentTokenPrefix+s.NewID(), false
	err = s.Write(v, tokenRow, func() error {
		var err error
		added, err = s.Store.AddAgentToken(v.Context(), workspace, t, token, maxTokens)
		return err
	})
	switch {
	case err != nil:
		return err
	case !added:
		return app.Refuse(http.StatusUnprocessableEntity, "too_many_tokens",
			"Your workspace has as many tokens as it can have.", "Revoke one that you no longer use.")
	}
	made := settingsview.Settings{Agents: settingsview.Agents{Made: token}}
	return s.showSettings(r, http.StatusCreated, made)
}

// RevokeToken deletes a token. From then on it is refused.
func (s *Pages) RevokeToken(r *web.Request) error {
	err := s.Store.DeleteAgentToken(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/settings#agents")
}

// agents returns the part of the settings that is about agents.
func (s *Pages) agents(r *web.Request, made string) (settingsview.Agents, error) {
	v := r.Visit
	a := settingsview.Agents{URL: v.Origin + web.AgentPath, Tokened: s.Mode.Shared(), Made: made}
	if workspace := v.Workspace(); a.Tokened && workspace != "" {
		tokens, err := s.Store.AgentTokens(v.Context(), workspace, s.Now())
		if err != nil {
			return a, err
		}
		a.Tokens = settingsview.NewTokenLines(tokens, s.Now())
	}
	return a, nil
}
