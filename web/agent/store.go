package agent

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Store keeps what agents make.
type Store interface {
	TargetAt(ctx context.Context, workspace, url string) (id string, err error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	DeleteSession(ctx context.Context, workspace, id string) error
	ExchangeRows(ctx context.Context, workspace, session string) ([]session.ExchangeRow, error)
}
