package app

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// AgentTokenStore keeps the tokens of agents.
type AgentTokenStore interface {
	// AddAgentToken stores a token unless its workspace has that many.
	AddAgentToken(ctx context.Context, workspace string, t session.AgentToken, token string, most int) (
		added bool, err error)
	// UseAgentToken returns the workspace of a token of an agent that is not blocked.
	UseAgentToken(ctx context.Context, token string, now time.Time) (workspace string, err error)
	DeleteAgentToken(ctx context.Context, workspace, id string) error
}

// Limits of the tokens of agents.
const (
	maxAgentTokens     = 10                  // of a workspace
	maxAgentTokenTitle = 60                  // characters
	maxAgentTokenLife  = 90 * 24 * time.Hour // of one
	agentTokenSize     = 512                 // bytes that one takes in the store
)

// MakeAgentToken makes a token for agents of the visit's workspace, and returns it, this
// once. Local mode has none: it has one workspace.
func (s *App) MakeAgentToken(v *Visit, title string, life time.Duration) (token string, err error) {
	if !s.Mode.Shared() || life <= 0 || life > maxAgentTokenLife {
		return "", NotFound()
	}
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	title = text.Chars(strings.TrimSpace(title), maxAgentTokenTitle)
	t := session.AgentToken{
		ID: s.NewID(), Title: cmp.Or(title, "Agent"), Created: s.Now(), Expires: s.Now().Add(life),
	}
	token = AgentTokenPrefix + s.NewID()
	added := false
	err = s.Write(v, agentTokenSize, func() error {
		added, err = s.Store.AddAgentToken(v.Context(), workspace, t, token, maxAgentTokens)
		return err
	})
	switch {
	case err != nil:
		return "", err
	case !added:
		return "", Refuse(Invalid, "too_many_tokens",
			"Your workspace has as many tokens as it can have.", "Revoke one that you no longer use.")
	}
	return token, nil
}

// RevokeAgentToken deletes a token of the visit's workspace. From then on it is refused.
func (s *App) RevokeAgentToken(v *Visit, id string) error {
	return s.Store.DeleteAgentToken(v.Context(), v.Workspace(), id)
}
