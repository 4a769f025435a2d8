// Package settings serves what a visitor sets: theme, keys, roots, the tokens of agents, and
// taking over the workspace of local mode.
package settings

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Pages are the handlers of this package.
type Pages struct {
	App   *web.App
	Store Store
}

// Store keeps the settings of workspaces.
type Store interface {
	ClaimWorkspace(ctx context.Context, id string, before, at time.Time) error
	HandOver(ctx context.Context, from, to string, at time.Time) error
	Roots(ctx context.Context, workspace string) ([]question.Root, error)
	AgentTokens(ctx context.Context, workspace string, now time.Time) ([]session.AgentToken, error)
}
