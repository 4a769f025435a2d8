// Package db keeps workspaces, targets, sessions and event logs in SQLite. It
// implements the storage interfaces that its users declare (web.Store, run.Log,
// check.Record) and is the only package that imports database/sql. schema.sql
// shows every table.
//
// What was committed survives a crash of the program and of the machine. A
// change that fails leaves nothing behind and says why: playground.ErrNotFound,
// ErrNotOpen, ErrFull or ErrStorage.
//
// It decides nothing: the status of an exchange comes from its caller, together
// with the events that it follows from.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"github.com/mattn/go-sqlite3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Why a database is not opened.
var (
	ErrInUse   = errors.New("another program uses the database: end it, or name another file")
	ErrDamaged = errors.New(
		"the database is damaged: restore it from a copy, or move it away to begin with an empty one")
)

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	path  string
	lock  *flock.Flock // held while the Store is open
	file  os.FileInfo  // of the file that was opened, to notice when path names another one
	write *sql.DB      // one connection, because SQLite has one writer
	read  *sql.DB

	residue atomic.Bool  // copies of deleted rows may be left in the file
	commit  func() error // called before every commit; nil for nothing
	logger  *slog.Logger
	freed   chan struct{} // has an entry when pages may be free
	stop    context.CancelFunc
	wg      sync.WaitGroup // of the goroutine that gives space back
}

// Option changes how a database is opened.
type Option func(*Store)

// WithLogger makes the Store write what takes long, or fails beside a request,
// to a log.
func WithLogger(l *slog.Logger) Option { return func(s *Store) { s.logger = l } }

const (
	lockTimeout      = 5 * time.Second  // how long Open waits for another program to end
	integrityTimeout = 10 * time.Second // how long Open looks for damage
)

// WithCommit makes the Store call f before it commits a change. An error of f
// rolls the change back, as a full disk does; it is for tests.
func WithCommit(f func() error) Option { return func(s *Store) { s.commit = f } }

// Open opens the SQLite database file at path, creates it if it is missing, and
// brings its schema up to date. A file is open in one program at a time,
// because at its start a program marks the running requests in it as
// interrupted. Its files are readable by their user only; a file that others
// could read is no longer afterwards.
func Open(ctx context.Context, path string, options ...Option) (*Store, error) {
	lock, err := lockFile(ctx, path+"-lock")
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	s, err := open(path)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	s.lock = lock
	for _, o := range options {
		o(s)
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.Close())
	}
	s.giveBackSpace()
	return s, nil
}

// lockFile locks the file at path, or returns ErrInUse. The operating system
// releases the lock when the program ends, however it ends.
func lockFile(ctx context.Context, path string) (*flock.Flock, error) {
	ctx, stop := context.WithTimeout(ctx, lockTimeout)
	defer stop()
	lock := flock.New(path, flock.SetPermissions(private))
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
	if err := makePrivate(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
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
	return &Store{
		path: path, write: write, read: read, logger: slog.New(slog.DiscardHandler),
		freed: make(chan struct{}, 1), stop: func() {},
	}, nil
}

// prepare checks the file and brings its schema up to date.
func (s *Store) prepare(ctx context.Context) error {
	if err := s.checkIntegrity(ctx); err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	err := s.prepareSpace(ctx)
	if err != nil {
		return err
	}
	s.file, err = os.Stat(s.path)
	return err
}

// checkIntegrity reads the whole file and returns ErrDamaged if a page of it is
// broken. A file too large to be read in integrityTimeout counts as undamaged.
func (s *Store) checkIntegrity(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, integrityTimeout)
	defer stop()
	var found string
	err := s.write.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found)
	var e sqlite3.Error
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &e) && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB):
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case err != nil:
		return failed("check integrity", err)
	case found != "ok":
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	return nil
}

// dsn returns the data source name of a database file. It carries every pragma,
// because a pragma that is run as a statement reaches one connection of a pool.
func dsn(path, mode string) string {
	q := url.Values{
		"mode": {mode}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"},
		"_foreign_keys": {"on"}, "_busy_timeout": {"5000"}, "_txlock": {"immediate"},
		"_auto_vacuum": {"incremental"}, "_secure_delete": {"on"},
		"_stmt_cache_size": {"64"},
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// Ready returns an error unless the database can be written and is still the
// file at its path. What is written to a file that was removed is lost.
func (s *Store) Ready(ctx context.Context) error {
	if now, err := os.Stat(s.path); err != nil || !os.SameFile(now, s.file) {
		return fmt.Errorf("%w: %s is not the file that was opened", playground.ErrStorage, s.path)
	}
	_, err := s.write.ExecContext(ctx, `PRAGMA user_version = 0`) // a write that sets what is already set
	return failed("write", err)
}

// Close closes the database. The Store must not be used afterwards.
func (s *Store) Close() error {
	s.stop()
	s.wg.Wait()
	s.removeResidue()
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return err
}

// change runs f in one write transaction, which is rolled back if f fails.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return failed("begin", err)
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if s.commit != nil {
		if err := s.commit(); err != nil {
			return errors.Join(failed("commit", err), tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return failed("commit", err)
	}
	return nil
}

// remove is change for an f that deletes. Afterwards the space is given back,
// and Close removes what is left of the rows.
func (s *Store) remove(ctx context.Context, f func(*sql.Tx) error) error {
	removed := false
	err := s.change(ctx, func(tx *sql.Tx) error {
		before, err := totalChanges(ctx, tx)
		if err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		after, err := totalChanges(ctx, tx)
		if removed = after > before; err != nil || !removed {
			return err
		}
		return setResidue(ctx, tx, true)
	})
	if err == nil && removed {
		s.residue.Store(true)
		s.noticeFree()
	}
	return err
}

// totalChanges returns how many rows the connection has changed so far.
func totalChanges(ctx context.Context, tx *sql.Tx) (int64, error) {
	var n int64
	err := tx.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&n)
	return n, failed("count changes", err)
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
