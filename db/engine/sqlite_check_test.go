package engine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// largeFile makes a file that a start does not read whole, and returns its path and
// its content.
func largeFile(t *testing.T) (string, []byte) {
	t.Helper()
	d, path := newSQLite(t)
	for i := range 60 {
		if err := addEntry(t.Context(), d, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil || len(whole) <= smallFile {
		t.Fatal(len(whole), err)
	}
	return path, whole
}

const pageSize = 4096

// TestOpen_LargeDamagedFile: a start does not read all of a large file, but finds
// what makes it useless.
func TestOpen_LargeDamagedFile(t *testing.T) {
	path, whole := largeFile(t)
	root := rootOf(t, path, "entry_named")
	for name, damage := range map[string]func([]byte) []byte{
		"cut in half": func(b []byte) []byte { return b[:len(b)/2/pageSize*pageSize] },
		"the root of an index": func(b []byte) []byte {
			clear(b[(root-1)*pageSize : root*pageSize])
			return b
		},
		"the head": func(b []byte) []byte { clear(b[:100]); return b },
	} {
		broken := filepath.Join(t.TempDir(), "broken.db")
		if err := os.WriteFile(broken, damage(append([]byte(nil), whole...)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), broken, testSchema); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rootOf returns the number of the first page of a table or index.
func rootOf(t *testing.T, path, name string) int {
	t.Helper()
	d, err := Open(t.Context(), path, testSchema)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var page int
	err = d.read.QueryRow(`SELECT rootpage FROM sqlite_schema WHERE name = ?`, name).Scan(&page)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// TestDamage_EndsWriting: damage that is found after the start, by the check or by a
// query, ends all writing and makes the DB not ready, and no later start opens the
// file before it is whole.
func TestDamage_EndsWriting(t *testing.T) {
	path, whole := largeFile(t)
	broken := append([]byte(nil), whole...)
	clear(broken[2<<20 : 4<<20]) // data of entries
	write := func(content []byte) {
		t.Helper()
		for _, suffix := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + suffix)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, find := range map[string]func(*DB) error{
		"check": func(d *DB) error {
			err := d.file().checkTables(t.Context())
			d.file().noticeDamage(err)
			return err
		},
		"query": func(d *DB) error {
			for i := range 60 {
				var data []byte
				err := d.read.QueryRowContext(t.Context(),
					`SELECT data FROM entry WHERE n = ?`, i).Scan(&data)
				if err = Failed("read entry", err); err != nil {
					if !errors.Is(err, playground.ErrStorage) {
						t.Errorf("a page of the record: %v", err)
					}
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			write(broken)
			d, err := Open(t.Context(), path, testSchema)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Ready(t.Context()); err != nil {
				t.Errorf("before: %v", err)
			}
			if err := find(d); err == nil {
				t.Error("nothing found")
			}
			if err := d.Ready(t.Context()); !errors.Is(err, playground.ErrDamaged) {
				t.Errorf("ready: %v", err)
			}
			if err := addEntry(t.Context(), d, 99); !errors.Is(err, playground.ErrStorage) {
				t.Errorf("written: %v", err)
			}
			_ = d.Close()
			if _, err := Open(t.Context(), path, testSchema); !errors.Is(err, ErrDamaged) {
				t.Errorf("opened again: %v", err)
			}
			write(whole)
			if d, err = Open(t.Context(), path, testSchema); err != nil {
				t.Fatalf("restored: %v", err)
			}
			if _, err := os.Stat(path + suspectName); err == nil {
				t.Error("the note of the damage is still there")
			}
			err = errors.Join(d.file().checkTables(t.Context()), addEntry(t.Context(), d, 99), d.Close())
			if err != nil {
				t.Errorf("restored: %v", err)
			}
		})
	}
}
