// Package db keeps workspaces, targets, sessions and event logs in SQLite or in
// PostgreSQL. It implements the storage interfaces that its users declare
// (web.Store, run.Log, check.Record). Each file is a noun with its SQL, which both engines
// run; the few statements that only PostgreSQL needs are those of a Replica. Package
// engine, below, has everything that knows no noun: connections, transactions, leases,
// migrations, space on the disk. schema.go says what it has to know of the tables.
//
// What was committed survives a crash of the program and of the machine. A
// change that fails leaves nothing behind and says why: playground.ErrNotFound,
// ErrNotOpen, ErrFull or ErrStorage.
//
// Both engines pass the same suite, db/dbtest. SQLite serves one process; a PostgreSQL
// database may be shared by any number of them.
//
// It decides nothing: the status of an exchange comes from its caller, together
// with the events that it follows from.
package db

import (
	"context"
	"database/sql"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	db   *engine.DB
	read *sql.DB // waits for no change
}

// Open opens the SQLite database file at path as engine.Open does.
func Open(ctx context.Context, path string, options ...engine.Option) (*Store, error) {
	return storeOn(engine.Open(ctx, path, schema, options...))
}

// OpenPostgres opens the PostgreSQL database at a URL as engine.OpenPostgres does.
func OpenPostgres(ctx context.Context, url string, options ...engine.Option) (*Store, error) {
	return storeOn(engine.OpenPostgres(ctx, url, schema, options...))
}

func storeOn(d *engine.DB, err error) (*Store, error) {
	if err != nil {
		return nil, err
	}
	return &Store{d, d.Reader()}, nil
}

// Contents is what a file of SQLite holds.
type Contents struct {
	Schema     int   `json:"schema"` // version
	Bytes      int64 `json:"bytes"`
	Workspaces int   `json:"workspaces"`
	Recordings int   `json:"recordings"`
	People     int   `json:"people"` // who have signed in
}

// Inspect reads a whole file of SQLite as engine.Inspect does.
func Inspect(ctx context.Context, path string) (Contents, error) {
	i, err := engine.Inspect(ctx, path, schema, "workspace", "session", "person")
	return Contents{
		Schema: i.Version, Bytes: i.Bytes,
		Workspaces: i.Rows["workspace"], Recordings: i.Rows["session"], People: i.Rows["person"],
	}, err
}

// Ready returns an error unless the database can be written.
func (s *Store) Ready(ctx context.Context) error { return s.db.Ready(ctx) }

// Close closes the database. The Store must not be used afterwards.
func (s *Store) Close() error { return s.db.Close() }

// KeepReserve takes space for deletions and the next start, as that of engine.DB does.
func (s *Store) KeepReserve(ctx context.Context) error { return s.db.KeepReserve(ctx) }

// Connections returns how the connections to the database are used.
func (s *Store) Connections() []engine.Connections { return s.db.Connections() }

// micros returns a time as it is stored.
func micros(t time.Time) int64 { return t.UnixMicro() }

// fromMicros returns a stored time.
func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }
