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
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Why a database is not opened.
var (
	ErrNewer   = errors.New("the database was written by a newer version of this program")
	ErrInUse   = errors.New("another program uses the database: end it, or name another file")
	ErrDamaged = errors.New("the database is damaged: restore it from a copy, or move it away to begin with an empty one")
)

//go:embed migrations/*.sql
var migrations embed.FS

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	path  string
	lock  *flock.Flock // held as long as the Store is open
	file  os.FileInfo  // the file that was opened; its path may lead elsewhere by now
	write *sql.DB      // one connection: SQLite has one writer, so waiting happens here
	read  *sql.DB
}

// How long Open waits for a program that is about to end, and for the look at a
// large database.
const (
	waitForOther = 5 * time.Second
	lookAtAll    = 10 * time.Second
)

// Open opens the SQLite database file at path, creating it when missing, and
// brings its schema up to date. One program uses a file at a time: two would
// take each other's requests under way for those of a program that died.
func Open(ctx context.Context, path string) (*Store, error) {
	lock, err := lockFile(ctx, path+"-lock")
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	s, err := open(path)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	s.lock = lock
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.Close())
	}
	return s, nil
}

// lockFile takes the lock that a program has while it uses a database; it goes
// with the program, however that ends.
func lockFile(ctx context.Context, path string) (*flock.Flock, error) {
	ctx, stop := context.WithTimeout(ctx, waitForOther)
	defer stop()
	lock := flock.New(path)
	locked, err := lock.TryLockContext(ctx, 50*time.Millisecond)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if !locked {
		return nil, ErrInUse
	}
	return lock, nil
}

func open(path string) (*Store, error) {
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
	return &Store{path: path, write: write, read: read}, nil
}

// prepare makes sure that the file is whole and of this program's schema.
func (s *Store) prepare(ctx context.Context) error {
	if err := s.whole(ctx); err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	var err error
	s.file, err = os.Stat(s.path)
	return err
}

// whole reads the file from end to end, as far as there is time, for damage
// that would else be met in the middle of somebody's work.
func (s *Store) whole(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, lookAtAll)
	defer stop()
	var found string
	err := s.write.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found)
	var e sqlite3.Error
	switch {
	case ctx.Err() != nil:
		return nil // too large to be looked at as a whole
	case errors.As(err, &e) && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB):
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case err != nil:
		return failed("look at database", err)
	case found != "ok":
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	return nil
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

// Ready reports whether the database can be written, and is still the file at
// its path: what is written to a file that was removed is lost.
func (s *Store) Ready(ctx context.Context) error {
	if now, err := os.Stat(s.path); err != nil || !os.SameFile(now, s.file) {
		return fmt.Errorf("%w: %s is not the file that was opened", playground.ErrStorage, s.path)
	}
	_, err := s.write.ExecContext(ctx, `PRAGMA user_version = 0`) // what it is: a write that changes nothing
	return failed("write", err)
}

// Close closes the database; nothing may use the Store afterwards.
func (s *Store) Close() error {
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return err
}

// change runs f in one write transaction.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return failed("begin", err)
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return failed("commit", err)
	}
	return nil
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }
