package lab

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Store keeps checks: sessions whose exchanges a Checker adds.
type Store interface {
	ExchangeRows(ctx context.Context, workspace, session string) ([]session.ExchangeRow, error)
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	HasSession(ctx context.Context, workspace, id string) error
}
