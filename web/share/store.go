package share

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// Store keeps shares. A share that has expired is not found.
type Store interface {
	Stage(ctx context.Context, workspace, session string) (demo.Stage, error)
	AddShare(ctx context.Context, workspace string, h share.Share) error
	Share(ctx context.Context, token string, now time.Time) (share.Share, error)
	Shares(ctx context.Context, workspace string, now time.Time) ([]share.Share, error)
	CountView(ctx context.Context, token string) error
	DeleteShare(ctx context.Context, workspace, token string) error
	Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error)
	ExchangeRows(ctx context.Context, workspace, session string) ([]session.ExchangeRow, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	AddSession(ctx context.Context, workspace string, n session.Session) error
	DeleteSession(ctx context.Context, workspace, id string) error
}
