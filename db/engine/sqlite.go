package engine

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

// sqliteFile is what a DB on SQLite knows of its file.
type sqliteFile struct {
	path    string
	lock    *flock.Flock // held while the DB is open
	file    os.FileInfo  // of the file that was opened, to notice when path names another one
	group   *group       // of changes that wait for the writer
	residue atomic.Bool  // copies of deleted rows may be left in the file
	damage  damage       // that was found while the DB is open
	reserve *reserve     // space for deletions and the start

	freed    chan struct{} // has an entry when pages may be free
	uncopied bool          // a log must be copied into the file to shorten it
	stop     context.CancelFunc
	wg       sync.WaitGroup // of the goroutine that gives space back
}

// sqlite is the dialect of SQLite.
var sqlite = &dialect{
	transact: (*DB).transactSQLite,
	ready:    (*DB).sqliteReady,
	close:    (*DB).closeSQLite,
}

// lockTimeout is how long Open waits for another program to end, unless its context
// ends before.
const lockTimeout = 5 * time.Second

// Open opens the SQLite database file at path, creates it if it is missing, and
// brings its schema up to date. A file is open in one program at a time,
// because at its start a program marks the running requests in it as
// interrupted. Its files are readable by their user only; a file that others
// could read is no longer afterwards.
func Open(ctx context.Context, path string, schema Schema, options ...Option) (*DB, error) {
	lock, err := lockFile(ctx, path+"-lock")
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	d, err := open(path, schema, options)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	d.lock = lock
	if err := d.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), d.Close())
	}
	d.giveBackSpace()
	d.checkLater()
	return d, nil
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

func open(path string, schema Schema, options []Option) (*DB, error) {
	reserved := &reserve{path: path + reserveName, now: time.Now}
	if err := errors.Join(reserved.giveUp(), makePrivate(path)); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	d := &DB{
		dialect: sqlite,
		schema:  schema,
		sqliteFile: &sqliteFile{
			path: path, group: &group{}, freed: make(chan struct{}, 1), stop: func() {},
			reserve: reserved,
		},
		logger: slog.New(slog.DiscardHandler),
	}
	for _, o := range options {
		o(d)
	}
	d.write = d.openPool(watched{dsn(path, "rwc"), d.noticeDamage})
	d.write.SetMaxOpenConns(1)
	d.read = d.openPool(watched{dsn(path, "rw"), d.noticeDamage})
	readers := max(4, runtime.NumCPU())
	d.read.SetMaxOpenConns(readers)
	d.read.SetMaxIdleConns(readers)
	return d, nil
}

// prepare checks the file and brings its schema up to date.
func (d *DB) prepare(ctx context.Context) error {
	if err := d.checkAtStart(ctx); err != nil {
		return err
	}
	if err := d.migrateSQLite(ctx); err != nil {
		return err
	}
	err := d.prepareSpace(ctx)
	if err != nil {
		return err
	}
	d.file, err = os.Stat(d.path)
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
func (d *DB) sqliteReady(ctx context.Context) error {
	if now, err := os.Stat(d.path); err != nil || !os.SameFile(now, d.file) {
		return fmt.Errorf("%w: %s is not the file that was opened", playground.ErrStorage, d.path)
	}
	if err := errors.Join(d.refuseDamaged(), d.admit(ctx)); err != nil {
		return err
	}
	_, err := d.write.ExecContext(ctx, `PRAGMA user_version = 0`) // a write that sets what is already set
	return Failed("write", err)
}

func (d *DB) closeSQLite() error {
	d.stop()
	d.wg.Wait()
	d.removeResidue()
	err := errors.Join(d.read.Close(), d.write.Close())
	if d.lock != nil {
		err = errors.Join(err, d.lock.Unlock())
	}
	return err
}

// transactSQLite runs a change in a transaction, maybe together with others. One that
// deletes or ends something works on a full disk, too.
func (d *DB) transactSQLite(ctx context.Context, c Change) error {
	switch {
	case c.Removes:
		return d.removeSQLite(ctx, c)
	case c.Ends:
		return late(ctx, d.freeing(ctx, func() error { return d.runGrouped(ctx, c.Do) }))
	}
	if err := d.admit(ctx); err != nil {
		return err
	}
	return late(ctx, d.runGrouped(ctx, c.Do))
}

// removeSQLite runs a change that deletes, and looks for space to give back.
func (d *DB) removeSQLite(ctx context.Context, c Change) error {
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
	err := d.freeing(ctx, func() error { return d.runGrouped(ctx, f) })
	if err == nil && removed {
		d.residue.Store(true)
		d.noticeFree()
	}
	return late(ctx, err)
}

// totalChanges returns how many rows the connection has changed so far.
func totalChanges(ctx context.Context, tx *Tx) (int64, error) {
	var n int64
	err := tx.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&n)
	return n, Failed("count changes", err)
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
