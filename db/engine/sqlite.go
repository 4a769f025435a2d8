package engine

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// ErrInUse is the error for a file that another program has open.
var ErrInUse = errors.New("another program uses the database: end it, or name another file")

// lockTimeout is how long Open waits for another program to end, unless its context
// ends before.
const lockTimeout = 5 * time.Second

// Open opens the SQLite database file at path, creates it if it is missing, and
// brings its schema up to date. A file is open in one program at a time, because what
// one has left unfinished, the next one ends at its start: the error is ErrInUse. The
// files are readable by their user only; a file that others could read is no longer
// afterwards.
func Open(ctx context.Context, path string, schema Schema, options ...Option) (*DB, error) {
	lock, err := lockFile(ctx, path+"-lock")
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	s, err := openFile(path, newCore(schema, options))
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	s.lock = lock
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.close())
	}
	s.giveBackSpace()
	s.checkLater()
	return &DB{s.core, s}, nil
}

// lockFile locks the file at path, or returns ErrInUse. The operating system
// releases the lock when the program ends, however it ends.
func lockFile(ctx context.Context, path string) (*flock.Flock, error) {
	ctx, stop := context.WithTimeout(ctx, lockTimeout)
	defer stop()
	lock := flock.New(path, flock.SetPermissions(private))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		locked, err = lock.TryLockContext(ctx, 50*time.Millisecond)
	}
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if !locked {
		return nil, ErrInUse
	}
	return lock, nil
}

func openFile(path string, c *core) (*sqliteFile, error) {
	reserved := &reserve{path: path + reserveName, now: time.Now}
	if err := errors.Join(reserved.giveUp(), makePrivate(path)); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	s := &sqliteFile{
		core: c, path: path, group: &group{}, freed: make(chan struct{}, 1), stop: func() {},
		reserve: reserved,
	}
	s.write = s.openPool(watched{dsn(path, "rwc"), s.noticeDamage})
	s.write.SetMaxOpenConns(1)
	s.read = s.openPool(watched{dsn(path, "rw"), s.noticeDamage})
	readers := max(4, runtime.NumCPU())
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	return s, nil
}

// prepare checks the file and brings its schema up to date.
func (s *sqliteFile) prepare(ctx context.Context) error {
	if err := s.checkAtStart(ctx); err != nil {
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

// migrate creates the schema or brings it up to date.
func (s *sqliteFile) migrate(ctx context.Context) error {
	unmarked := func(_ context.Context, err error) error { return err }
	m, err := newMigrator(goose.DialectSQLite3, s.write, s.schema, unmarked)
	if err != nil {
		return err
	}
	return m.run(ctx)
}

// dsn returns the data source name of a database file. It carries every pragma,
// because a pragma that is run as a statement reaches one connection of a pool.
func dsn(path, mode string) string {
	q := url.Values{
		"mode": {mode}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"},
		"_foreign_keys": {"on"}, "_busy_timeout": {"5000"}, "_txlock": {"immediate"},
		"_secure_delete": {"on"}, "_stmt_cache_size": {"64"},
	}
	if mode == "rwc" { // only a new file takes it, and it waits for the writer
		q.Set("_auto_vacuum", "incremental")
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// ready returns an error unless the database can be written and is still
// the file at its path. What is written to a file that was removed is lost.
func (s *sqliteFile) ready(ctx context.Context) error {
	if now, err := os.Stat(s.path); err != nil || !os.SameFile(now, s.file) {
		return fmt.Errorf("%w: %s is not the file that was opened", playground.ErrStorage, s.path)
	}
	if err := errors.Join(s.refuse(), s.admit(ctx)); err != nil {
		return err
	}
	_, err := s.write.ExecContext(ctx, `PRAGMA user_version = 0`) // a write that sets what is already set
	return Failed("write", err)
}

func (s *sqliteFile) close() error {
	s.stop()
	s.wg.Wait()
	s.removeResidue()
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return err
}

// transact runs a change in a transaction, maybe together with others. One that
// deletes or ends something works on a full disk, too.
func (s *sqliteFile) transact(ctx context.Context, c Change) error {
	switch {
	case c.Removes:
		return s.remove(ctx, c)
	case c.Ends:
		return late(ctx, s.freeing(ctx, func() error { return s.runGrouped(ctx, c.Do) }))
	}
	if err := s.admit(ctx); err != nil {
		return err
	}
	return late(ctx, s.runGrouped(ctx, c.Do))
}

// remove runs a change that deletes, and looks for space to give back.
func (s *sqliteFile) remove(ctx context.Context, c Change) error {
	removed := false
	f := func(ctx context.Context, tx *Tx) error {
		before, err := totalChanges(ctx, tx)
		if err != nil {
			return err
		}
		if err := c.Do(ctx, tx); err != nil {
			return err
		}
		after, err := totalChanges(ctx, tx)
		if removed = after > before; err != nil || !removed {
			return err
		}
		return setResidue(ctx, tx, true)
	}
	err := s.freeing(ctx, func() error { return s.runGrouped(ctx, f) })
	if err == nil && removed {
		s.residue.Store(true)
		s.noticeFree()
	}
	return late(ctx, err)
}

// totalChanges returns how many rows the connection has changed so far.
func totalChanges(ctx context.Context, tx *Tx) (int64, error) {
	var n int64
	err := tx.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&n)
	return n, Failed("count changes", err)
}
