package history

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// Store keeps sessions with their exchanges.
type Store interface {
	ClaimWorkspace(ctx context.Context, id string, before, at time.Time) error
	Targets(ctx context.Context, workspace string) ([]server.Row, error)
	Shares(ctx context.Context, workspace string, now time.Time) ([]share.Share, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	Sessions(ctx context.Context, workspace string, q session.Search) (session.Page, error)
	Stories(ctx context.Context, workspace string) ([]demo.Saved, error)
	Roots(ctx context.Context, workspace string) ([]question.Root, error)
	AgentTokens(ctx context.Context, workspace string, now time.Time) ([]session.AgentToken, error)
}
