package share

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// Store lists links, and what a session has to share.
type Store interface {
	Shares(ctx context.Context, workspace string, now time.Time) ([]share.Share, error)
	ExchangeRows(ctx context.Context, workspace, session string) ([]session.ExchangeRow, error)
}
