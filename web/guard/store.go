package guard

import (
	"context"
	"time"
)

// Store keeps the last visit of a workspace.
type Store interface {
	SetSeen(ctx context.Context, workspace string, at time.Time) error
}
