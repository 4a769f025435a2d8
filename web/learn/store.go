package learn

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Store keeps sessions, and the requestState workbenches of visitors,
// encrypted.
type Store interface {
	Mine(ctx context.Context, workspace, target string) (bool, error)
	SetMine(ctx context.Context, workspace, target string) error
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	Sessions(ctx context.Context, workspace string, q session.Search) (session.Page, error)
	KeepWorkbench(
		ctx context.Context, workspace, id string, sealed []byte, now, expires time.Time, most int,
	) error
	Workbench(ctx context.Context, workspace, id string, now time.Time) ([]byte, error)
}
