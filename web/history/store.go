package history

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// Store keeps sessions with their exchanges, saved calls and links.
type Store interface {
	Shares(ctx context.Context, workspace string, now time.Time) ([]share.Share, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	History(ctx context.Context, workspace string, q session.Search, now time.Time) (session.Page, error)
}
