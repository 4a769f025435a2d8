package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

// testSchema has the least that the engines need, and rows to store. The tables replica,
// lease and letter are those that a Replica reads.
var testSchema = Schema{
	SQLite: `CREATE TABLE owner (id TEXT PRIMARY KEY) STRICT;
		CREATE TABLE entry (n INTEGER PRIMARY KEY, name TEXT NOT NULL, data BLOB NOT NULL) STRICT;
		CREATE INDEX entry_named ON entry (name);
		CREATE TABLE part (entry INTEGER NOT NULL REFERENCES entry (n)) STRICT;`,
	Postgres: `CREATE TABLE owner (id text PRIMARY KEY);
		CREATE TABLE entry (n bigint PRIMARY KEY, name text NOT NULL, data bytea NOT NULL);
		CREATE TABLE replica (id text PRIMARY KEY, expires timestamptz NOT NULL);
		CREATE TABLE lease (id text PRIMARY KEY, holder text NOT NULL);
		CREATE TABLE letter (id text PRIMARY KEY, holder text NOT NULL, subject text NOT NULL,
		  body bytea NOT NULL, taken smallint NOT NULL DEFAULT 0, reply bytea,
		  created timestamptz NOT NULL);`,
	Steps:   []Step{{Version: 1}},
	Tables:  []string{"owner", "entry"},
	Largest: `SELECT coalesce(max(length(data)), 0) FROM entry`,
	Total:   `(SELECT coalesce(sum(length(data)), 0) FROM entry)`,
	Touch:   `UPDATE owner SET id = id WHERE id = ''`,
	Sweep:   []string{`DELETE FROM entry WHERE name = 'expired'`},
}

func (d *DB) file() *sqliteFile { return d.dialect.(*sqliteFile) }

func newSQLite(t *testing.T, options ...Option) (*DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	d, err := Open(t.Context(), path, testSchema, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, path
}

func newPostgres(t *testing.T) (*DB, string) {
	t.Helper()
	url := pgtest.Database(t, func(ctx context.Context, url string) error {
		d, err := OpenPostgres(ctx, url, testSchema)
		if err != nil {
			return err
		}
		return d.Close()
	})
	return openPostgres(t, url), url
}

func openPostgres(t *testing.T, url string, options ...Option) *DB {
	t.Helper()
	d, err := OpenPostgres(t.Context(), url, testSchema, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// until waits for a condition, however long that takes: the limit is that of go test.
func until(holds func() bool) {
	for !holds() {
		time.Sleep(time.Millisecond)
	}
}

// entrySize is the size of the data of an entry, in bytes.
const entrySize = 100_000

// addEntry stores an entry with data.
func addEntry(ctx context.Context, d *DB, n int) error {
	return d.Change(ctx, Change{Do: func(ctx context.Context, tx *Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO entry (n, name, data) VALUES (?, 'x', ?)`,
			n, bytes.Repeat([]byte("x"), entrySize))
		return Failed("add entry", err)
	}})
}

// deleteEntries deletes the entries whose numbers are smaller than one.
func deleteEntries(ctx context.Context, d *DB, below int) error {
	return d.Change(ctx, Change{Removes: true, Do: func(ctx context.Context, tx *Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM entry WHERE n < ?`, below)
		return Failed("delete entries", err)
	}})
}

func wantError(t *testing.T, what string, want, got error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
