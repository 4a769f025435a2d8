// Package db keeps workspaces, targets, sessions and event logs in SQLite or in
// PostgreSQL. It implements the storage interfaces that its users declare
// (web.Store, run.Log, check.Record) and is the only package that imports
// database/sql. schema_sqlite.sql and schema_postgres.sql show every table.
//
// What was committed survives a crash of the program and of the machine. A
// change that fails leaves nothing behind and says why: playground.ErrNotFound,
// ErrNotOpen, ErrFull or ErrStorage.
//
// Both engines run the same queries and pass the same suite, db/dbtest. What has to
// differ is in the dialect of each. SQLite serves one process; a PostgreSQL database
// may be shared by any number of them.
//
// It decides nothing: the status of an exchange comes from its caller, together
// with the events that it follows from.
package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	dialect     *dialect
	*sqliteFile                 // on SQLite
	write       *sql.DB         // on SQLite one connection, because it has one writer
	read        *sql.DB         // on PostgreSQL the same as write
	config      *pgx.ConnConfig // of PostgreSQL
	changes     chan struct{}   // of PostgreSQL: has an entry for each change that runs

	wrap   func(driver.Connector) driver.Connector // of the connector of each pool; nil for nothing
	commit func() error                            // called at the end of every change; nil for nothing
	tried  func(took time.Duration, err error)     // called after every change
	logger *slog.Logger
}

// dialect is an engine, with what it does and says in its own way.
type dialect struct {
	total string // expression: how many bytes are stored in all
	free  string // expression: how many bytes of the file are not in use

	transact func(*Store, context.Context, change) error // runs a change in a transaction
	ready    func(*Store, context.Context) error
	close    func(*Store) error
}

// Option changes how a database is opened.
type Option func(*Store)

// WithLogger makes the Store write what takes long, or fails beside a request,
// to a log.
func WithLogger(l *slog.Logger) Option { return func(s *Store) { s.logger = l } }

// WithCommit makes the Store call f at the end of every change, before it is
// committed. An error of f rolls the change back, as a full disk does; it is for
// tests.
func WithCommit(f func() error) Option { return func(s *Store) { s.commit = f } }

// WithConnector makes the Store open its connections with what wrap returns for its
// own connector; it is for tests, which count what is sent or end the process at it.
func WithConnector(wrap func(driver.Connector) driver.Connector) Option {
	return func(s *Store) { s.wrap = wrap }
}

// WithObserver makes the Store call f after every change with the time that it
// took, its attempts and the wait for other writers included, and with its error.
func WithObserver(f func(took time.Duration, err error)) Option {
	return func(s *Store) { s.tried = f }
}

// openPool returns a pool of connections that c makes.
func (s *Store) openPool(c driver.Connector) *sql.DB {
	if s.wrap != nil {
		c = s.wrap(c)
	}
	return sql.OpenDB(c)
}

// Ready returns an error unless the database can be written.
func (s *Store) Ready(ctx context.Context) error { return s.dialect.ready(s, ctx) }

// Close closes the database. The Store must not be used afterwards.
func (s *Store) Close() error { return s.dialect.close(s) }

// wait waits for a time and reports whether ctx goes on.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// micros returns a time as it is stored.
func micros(t time.Time) int64 { return t.UnixMicro() }

// fromMicros returns a stored time.
func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

// queryTexts returns the texts that a query of one column selects.
func queryTexts(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, query string, args ...any,
) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, failed("read ids", err)
	}
	defer rows.Close()
	var texts []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, failed("read ids", err)
		}
		texts = append(texts, text)
	}
	return texts, failed("read ids", rows.Err())
}
