package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
)

// Why a file is not a backup, or not the place for one.
var (
	ErrForeign = errors.New("it is not a database of this program")
	ErrExists  = errors.New("there is a database already")
)

// Backup copies the SQLite database at path to a new file, as it is at one
// moment, without what was deleted. A DB, also one of another program, may
// have it open and write meanwhile; it does not wait. The file must be missing
// or empty; it is readable by its user only. On an error it may be incomplete.
func Backup(ctx context.Context, path, file string) error {
	if _, err := os.Stat(path); err != nil { // SQLite does not say more than that it fails
		return err
	}
	made, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE, private)
	if err != nil {
		return err
	}
	if err := made.Close(); err != nil {
		return err
	}
	// It is opened for writing because the log of a program that was killed has to be
	// read, too. The journal mode stays as it is.
	from, err := openOne(path, url.Values{"mode": {"rw"}, "_busy_timeout": {"10000"}})
	if err != nil {
		return err
	}
	_, err = from.ExecContext(ctx, `VACUUM INTO ?`, file)
	return errors.Join(damaged(Failed("copy database", err)), from.Close())
}

// Inspection is what Inspect finds in a file.
type Inspection struct {
	Version int            // of the schema
	Bytes   int64          // of the file
	Rows    map[string]int // by table; a table that the version does not have is missing
}

// Inspect reads a whole SQLite database that no program has open, and returns
// the version of its schema and how many rows some tables have. It changes nothing,
// and returns ErrDamaged, ErrForeign, ErrNewer or ErrOlder if this program cannot use
// the file.
func Inspect(ctx context.Context, path string, schema Schema, tables ...string) (_ Inspection, err error) {
	found := Inspection{Rows: map[string]int{}}
	info, err := os.Stat(path)
	if err != nil {
		return found, err
	}
	found.Bytes = info.Size()
	file, err := openOne(path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	// The file may be a stranger's: its schema is not run with the rights of
	// this program.
	if _, err := file.ExecContext(ctx, `PRAGMA trusted_schema = OFF`); err != nil {
		return found, damaged(Failed("open", err))
	}
	var intact string
	if err := file.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&intact); err != nil {
		return found, damaged(Failed("check integrity", err))
	}
	if intact != "ok" {
		return found, fmt.Errorf("%w (%s)", ErrDamaged, intact)
	}
	if found.Version, err = schema.versionOf(ctx, file); err != nil {
		return found, err
	}
	for _, table := range tables {
		if err := found.count(ctx, file, table); err != nil {
			return found, err
		}
	}
	return found, nil
}

// count counts the rows of a table, unless the file has none of this name.
func (i Inspection) count(ctx context.Context, file *sql.DB, table string) error {
	var exists bool
	err := file.QueryRowContext(ctx,
		`SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = ?`, table).Scan(&exists)
	if err != nil || !exists {
		return damaged(Failed("read schema", err))
	}
	var rows int
	err = file.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&rows)
	i.Rows[table] = rows
	return damaged(Failed("count rows", err))
}

// versionOf returns the version that goose has noted in a file.
func (s Schema) versionOf(ctx context.Context, file *sql.DB) (int, error) {
	var version, tables int
	err := file.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&version)
	switch {
	case sqliteFault(err) != nil:
		return 0, damaged(Failed("read schema version", err))
	case err != nil: // there is no such table
		return 0, ErrForeign
	case version > s.newest():
		return 0, fmt.Errorf("%w (its schema is %d, the newest known here %d)", ErrNewer, version, s.newest())
	case version < s.oldest():
		return 0, ErrOlder
	}
	err = file.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema
		WHERE type = 'table' AND name IN ('`+strings.Join(s.Tables, `', '`)+`')`).Scan(&tables)
	if err != nil {
		return 0, damaged(Failed("read schema", err))
	}
	if tables != len(s.Tables) {
		return 0, ErrForeign
	}
	return version, nil
}

// Reserve locks the path of a database that is not there yet, so that no
// program opens it until release is called. It returns ErrInUse if another
// program has it open, and ErrExists if the database is there.
func Reserve(ctx context.Context, path string) (release func() error, err error) {
	lock, err := lockFile(ctx, path+"-lock")
	if err != nil {
		return nil, err
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if _, err := os.Lstat(path + suffix); !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(fmt.Errorf("%w: %s", ErrExists, path+suffix), lock.Unlock())
		}
	}
	return lock.Unlock, nil
}

// openOne opens a database file with one connection.
func openOne(path string, q url.Values) (*sql.DB, error) {
	file, err := sql.Open("sqlite3", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	file.SetMaxOpenConns(1)
	return file, nil
}
