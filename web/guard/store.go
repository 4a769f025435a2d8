package guard

import (
	"context"
	"time"
)

// Store keeps the last visit of a workspace, and the last use of the program by a person.
type Store interface {
	SetSeen(ctx context.Context, workspace string, at time.Time) error
	SeePerson(ctx context.Context, id string, at time.Time) error
	IsUpstream(ctx context.Context, token string) (bool, error)
}
