package db

import (
	"context"
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
	ErrDamaged = fmt.Errorf(
		"%w: restore it from a copy, or move it away to begin with an empty one", playground.ErrDamaged)
)

// sqliteFile is what a Store on SQLite knows of its file.
type sqliteFile struct {
	path    string
	lock    *flock.Flock // held while the Store is open
	file    os.FileInfo  // of the file that was opened, to notice when path names another one
	group   *group       // of changes that wait for the writer
	residue atomic.Bool  // copies of deleted rows may be left in the file
	damage  damage       // that was found while the Store is open
	reserve *reserve     // space for deletions and the start

	freed    chan struct{} // has an entry when pages may be free
	uncopied bool          // a log must be copied into the file to shorten it
	stop     context.CancelFunc
	wg       sync.WaitGroup // of the goroutine that gives space back
}

// sqlite is the dialect of SQLite. What is stored in all are the used pages of the file.
var sqlite = &dialect{
	total: `(SELECT (c.page_count - f.freelist_count) * z.page_size
	  FROM pragma_page_count() c, pragma_freelist_count() f, pragma_page_size() z)`,
	free: `(SELECT f.freelist_count * z.page_size
	  FROM pragma_freelist_count() f, pragma_page_size() z)`,
	transact: (*Store).transactSQLite,
	ready:    (*Store).sqliteReady,
	close:    (*Store).closeSQLite,
}

// lockTimeout is how long Open waits for another program to end, unless its context
// ends before.
const lockTimeout = 5 * time.Second

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
	s, err := open(path, options)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	s.lock = lock
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.Close())
	}
	s.giveBackSpace()
	s.checkLater()
	return s, nil
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

func open(path string, options []Option) (*Store, error) {
	reserved := &reserve{path: path + reserveName, now: time.Now}
	if err := errors.Join(reserved.giveUp(), makePrivate(path)); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	s := &Store{
		dialect: sqlite,
		sqliteFile: &sqliteFile{
			path: path, group: &group{}, freed: make(chan struct{}, 1), stop: func() {},
			reserve: reserved,
		},
		logger: slog.New(slog.DiscardHandler),
	}
	for _, o := range options {
		o(s)
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
func (s *Store) prepare(ctx context.Context) error {
	if err := s.checkAtStart(ctx); err != nil {
		return err
	}
	if err := s.migrateSQLite(ctx); err != nil {
		return err
	}
	err := s.prepareSpace(ctx)
	if err != nil {
		return err
	}
	s.file, err = os.Stat(s.path)
	return err
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

// sqliteReady returns an error unless the database can be written and is still
// the file at its path. What is written to a file that was removed is lost.
func (s *Store) sqliteReady(ctx context.Context) error {
	if now, err := os.Stat(s.path); err != nil || !os.SameFile(now, s.file) {
		return fmt.Errorf("%w: %s is not the file that was opened", playground.ErrStorage, s.path)
	}
	if err := errors.Join(s.refuseDamaged(), s.admit(ctx)); err != nil {
		return err
	}
	_, err := s.write.ExecContext(ctx, `PRAGMA user_version = 0`) // a write that sets what is already set
	return failed("write", err)
}

func (s *Store) closeSQLite() error {
	s.stop()
	s.wg.Wait()
	s.removeResidue()
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return err
}

// transactSQLite runs a change in a transaction, maybe together with others. One that
// deletes or ends something works on a full disk, too.
func (s *Store) transactSQLite(ctx context.Context, c change) error {
	switch {
	case c.removes:
		return s.removeSQLite(ctx, c)
	case c.ends:
		return late(ctx, s.freeing(ctx, func() error { return s.runGrouped(ctx, c.f) }))
	}
	if err := s.admit(ctx); err != nil {
		return err
	}
	return late(ctx, s.runGrouped(ctx, c.f))
}

// removeSQLite runs a change that deletes, and looks for space to give back.
func (s *Store) removeSQLite(ctx context.Context, c change) error {
	removed := false
	f := func(ctx context.Context, tx *txn) error {
		before, err := totalChanges(ctx, tx)
		if err != nil {
			return err
		}
		if err := c.f(ctx, tx); err != nil {
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
func totalChanges(ctx context.Context, tx *txn) (int64, error) {
	var n int64
	err := tx.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&n)
	return n, failed("count changes", err)
}

// sqliteFault returns the kind of a fault of SQLite, or nil if err is not one.
func sqliteFault(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code {
	case sqlite3.ErrFull:
		return playground.ErrFull
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen,
		sqlite3.ErrIoErr, sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrNomem, sqlite3.ErrProtocol:
		return playground.ErrStorage
	}
	return nil
}

// sqliteCode returns the extended code of an error of SQLite, or 0.
func sqliteCode(err error) sqlite3.ErrNoExtended {
	var e sqlite3.Error
	if errors.As(err, &e) {
		return e.ExtendedCode
	}
	return 0
}
