// Package db keeps workspaces, targets, sessions and event logs in SQLite. It
// implements the storage interfaces that its users declare (web.Store,
// run.Log) and is the only package that knows database/sql. It decides
// nothing: summaries come from its callers, together with the events.
package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"runtime"
	"time"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// ErrNewer is for a database written by a newer program.
var ErrNewer = errors.New("the database was written by a newer version of this program")

//go:embed migrations/*.sql
var migrations embed.FS

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	write *sql.DB // one connection: SQLite has one writer, so waiting happens here
	read  *sql.DB
}

// Open opens the SQLite database file at path, creating it when missing, and
// brings its schema up to date.
func Open(ctx context.Context, path string) (*Store, error) {
	write, err := sql.Open("sqlite3", dsn(path, "rwc"))
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	write.SetMaxOpenConns(1)
	read, err := sql.Open("sqlite3", dsn(path, "rw"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database: %w", err), write.Close())
	}
	read.SetMaxOpenConns(max(4, runtime.NumCPU()))
	s := &Store{write: write, read: read}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.Close())
	}
	return s, nil
}

// dsn carries every pragma, because one that is run once reaches one
// connection of the pool only.
func dsn(path, mode string) string {
	q := url.Values{
		"mode": {mode}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"},
		"_foreign_keys": {"on"}, "_busy_timeout": {"5000"}, "_txlock": {"immediate"},
		"_stmt_cache_size": {"64"},
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, s.write, files, goose.WithVerbose(false))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, want, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if have > want {
		return ErrNewer
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// Ready reports whether the database can be written.
func (s *Store) Ready(ctx context.Context) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM log WHERE id = ''`)
		return err
	})
}

// Close closes the database; nothing may use the Store afterwards.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// change runs f in one write transaction.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// isUnique reports whether err is a broken uniqueness rule.
func isUnique(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && (e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

// one maps "no such row" to playground.ErrNotFound.
func one(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return playground.ErrNotFound
	}
	return err
}
