// Package db keeps workspaces, targets, sessions and event logs in SQLite or in
// PostgreSQL. It implements the storage interfaces that its users declare
// (web.Store, run.Log, check.Record) and is the only package that imports
// database/sql. schema_sqlite.sql and schema_postgres.sql show every table.
//
// What was committed survives a crash of the program and of the machine. A
// change that fails leaves nothing behind and says why: playground.ErrNotFound,
// ErrNotOpen, ErrFull or ErrStorage.
//
// Both engines run the same queries and pass the same suite, db/dbtest. Where a
// query has to differ, the difference stands beside it. SQLite serves one
// process; a PostgreSQL database may be shared by any number of them.
//
// It decides nothing: the status of an exchange comes from its caller, together
// with the events that it follows from.
package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	dialect
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

// dialect is the engine, where something depends on it.
type dialect int

const (
	sqlite dialect = iota
	postgres
)

// query returns the query of the engine, of two that mean the same.
func (d dialect) query(onSQLite, onPostgres string) string {
	if d == postgres {
		return onPostgres
	}
	return onSQLite
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
func (s *Store) Ready(ctx context.Context) error {
	if s.dialect == postgres {
		return s.postgresReady(ctx)
	}
	return s.sqliteReady(ctx)
}

// Close closes the database. The Store must not be used afterwards.
func (s *Store) Close() error {
	if s.dialect == postgres {
		return s.write.Close()
	}
	return s.closeSQLite()
}

// owner says which workspace a change belongs to. On PostgreSQL its row is the
// first that the change locks, so that the changes of a workspace happen one after
// the other, in all processes. The order of locks is: the workspace, what belongs
// to it, the payer, the network of the payer. A change takes one workspace only,
// so that no two wait for each other. SQLite has one writer anyway.
//
// A change without an owner writes one row, or rows that no owner has: days with
// their payers, and blocks.
type owner struct{ condition, id string }

func ofWorkspace(id string) owner { return owner{`id = ?`, id} }

func ofSession(id string) owner {
	return owner{`id = (SELECT workspace FROM session WHERE id = ?)`, id}
}

func ofLog(id string) owner { return owner{`id = (SELECT workspace FROM log WHERE id = ?)`, id} }

// txn is the transaction of a change.
type txn struct {
	*sql.Tx
	dialect
	conn  *sql.Conn // of PostgreSQL, if the change has an owner
	owned bool      // the row of the owner is there and locked
}

// later runs a statement whose result the change does not read. On PostgreSQL it may
// run later, together with the next statement or the commit, which then returns its
// error. The function fail, which may be nil, makes the error of the change from that
// of the statement.
func (tx *txn) later(ctx context.Context, operation string, fail func(error) error,
	query string, args ...any,
) error {
	explained := func(err error) error {
		if fail != nil && err != nil {
			err = fail(err)
		}
		return failed(operation, err)
	}
	if tx.conn == nil {
		_, err := tx.ExecContext(ctx, query, args...)
		return explained(err)
	}
	return explained(tx.conn.Raw(func(c any) error {
		return c.(*conn).later(statement{query, args, explained})
	}))
}

// attempts is how often a change is tried.
const attempts = 8

// errAgain is the error of a change that has to be tried again because another
// one made or deleted the workspace meanwhile.
var errAgain = errors.New("another change made or deleted the workspace")

// change runs f in one write transaction, of which nothing is left if f fails. If
// the transaction meets another one that it cannot wait for, or fails together with
// the changes of others, f runs again in a new one. The context of f ends when the
// change must; among the changes of others it does not end.
func (s *Store) change(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	return s.changeWithin(ctx, changeTimeout, o, f)
}

// changeWithin is change for one that may take a time. On SQLite the time is not
// limited, only that of waiting for another writer.
func (s *Store) changeWithin(
	ctx context.Context, limit time.Duration, o owner, f func(context.Context, *txn) error,
) error {
	if s.dialect == postgres {
		limited, stop := context.WithTimeout(ctx, limit)
		defer stop()
		ctx = limited
	}
	began := time.Now()
	for n := 1; ; n++ {
		err := s.changeOnce(ctx, o, f)
		if n == attempts || !isConflict(err) || !wait(ctx, rand.N(time.Duration(n)*10*time.Millisecond)) {
			err = late(ctx, err)
			if s.tried != nil {
				s.tried(time.Since(began), err)
			}
			return err
		}
	}
}

// late returns the error of a change as that of the storage if the change ended
// because it took too long.
func late(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, playground.ErrStorage) ||
		!errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %w", playground.ErrStorage, err)
}

func (s *Store) changeOnce(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	if s.dialect == sqlite {
		return s.changeInGroup(ctx, f)
	}
	select {
	case s.changes <- struct{}{}:
		defer func() { <-s.changes }()
	case <-ctx.Done():
		return failed("begin", ctx.Err())
	}
	return s.changeAlone(ctx, o, f)
}

// changeAlone runs f in a transaction of its own.
func (s *Store) changeAlone(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	if err := s.refuseDamaged(); err != nil {
		return err
	}
	tx, err := s.begin(ctx, o)
	if err != nil {
		return err
	}
	defer tx.close()
	if err := f(ctx, tx); err != nil {
		return tx.rollBack(err)
	}
	if s.commit != nil {
		if err := s.commit(); err != nil {
			return tx.rollBack(failed("commit", err))
		}
	}
	return failed("commit", tx.Commit())
}

// begin begins the transaction of a change. It must be closed.
func (s *Store) begin(ctx context.Context, o owner) (*txn, error) {
	if s.dialect == postgres && o.id != "" {
		return s.beginOwned(ctx, o)
	}
	begun, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, failed("begin", err)
	}
	return &txn{Tx: begun, dialect: s.dialect}, nil
}

// close ends the transaction if f ended in a panic, and gives its connection back.
func (tx *txn) close() {
	_ = tx.Rollback() // does nothing at any other end
	if tx.conn != nil {
		_ = tx.conn.Close()
	}
}

// rollBack returns err after the transaction was rolled back because of it. A
// connection that was lost needs no rollback.
func (tx *txn) rollBack(err error) error {
	back := tx.Rollback()
	if back == nil || errors.Is(back, sql.ErrTxDone) || errors.Is(err, playground.ErrStorage) {
		return err
	}
	return errors.Join(err, back)
}

// wait waits for a time and reports whether ctx goes on.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// remove is change for an f that deletes. On SQLite, the space is given back
// afterwards, and Close removes what is left of the rows.
func (s *Store) remove(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	if s.dialect == postgres {
		return s.changeWithin(ctx, removeTimeout, o, f)
	}
	return s.removeFromFile(ctx, f)
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
