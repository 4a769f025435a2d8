package admin

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/people"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Store keeps what the operator sees and does, and whether the database accepts writes.
type Store interface {
	StorageReport(ctx context.Context, day int64, n int) (usage.Report, error)
	Owners(ctx context.Context, sessions []string) (map[string]string, error)
	Held(ctx context.Context, workspace string) (ids []string, err error)
	PurgeWorkspace(ctx context.Context, id string) error
	BlockWorkspace(ctx context.Context, id string, at time.Time) error
	BlockAddress(ctx context.Context, hash string, day int64, at time.Time) error
	Unblock(ctx context.Context, kind, id string) error
	Blocks(ctx context.Context) ([]usage.Block, error)
	People(ctx context.Context, n int) ([]people.Person, error)
	Person(ctx context.Context, id string) (people.Person, error)
	RemovePerson(ctx context.Context, id string, at time.Time) error
	AdmitPerson(ctx context.Context, id string) error
	HandOver(ctx context.Context, from, to string, at time.Time) error
	Ready(ctx context.Context) error
}
