package db

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

func newStore(t *testing.T, options ...engine.Option) (*Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "playground.db")
	s, err := Open(t.Context(), path, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

// until waits for a condition, however long that takes: the limit is that of go test.
func until(holds func() bool) {
	for !holds() {
		time.Sleep(time.Millisecond)
	}
}

func (s *Store) onPostgres() bool { return s.read == s.db.Writer() }

// newest is the version of the schema.
var newest = schema.Steps[len(schema.Steps)-1].Version

func (s *Store) pragma(t *testing.T, text string) {
	t.Helper()
	if _, err := s.db.Writer().ExecContext(t.Context(), "PRAGMA "+text); err != nil {
		t.Fatal(err)
	}
}

// addOne stores an exchange with a large call.
func addOne(ctx context.Context, s *Store, id string) error {
	return s.AddExchange(ctx, "w", "title", playground.Exchange{
		ID: id, Session: "s" + id, Created: time.Unix(0, 0),
		Target: playground.Target{ID: "t", Capabilities: json.RawMessage(`{}`)},
		Call: playground.Call{
			Method: "tools/call", Params: []byte(`"` + strings.Repeat("x", 100_000) + `"`),
		},
	})
}

// TestErrFull_UntilThereIsRoom: SQLite treats a file that may not grow like a
// full disk.
func TestErrFull_UntilThereIsRoom(t *testing.T) {
	s, _ := newStore(t)
	if err := addOne(t.Context(), s, "first"); err != nil {
		t.Fatal(err)
	}
	s.pragma(t, "max_page_count = 1") // no page more than there are
	if err := addOne(t.Context(), s, "second"); !errors.Is(err, playground.ErrFull) {
		t.Errorf("adding to a full disk: %v", err)
	}
	if _, err := s.Exchange(t.Context(), "w", "first"); err != nil {
		t.Errorf("reading from a full disk: %v", err)
	}
	if _, err := s.Exchange(t.Context(), "w", "second"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("what was refused is there: %v", err)
	}
	s.pragma(t, "max_page_count = 1000000")
	if err := addOne(t.Context(), s, "second"); err != nil {
		t.Errorf("adding with room again: %v", err)
	}
}

func TestReady_FailsWhileNothingCanBeStored(t *testing.T) {
	s, path := newStore(t)
	s.pragma(t, "busy_timeout = 1")
	other, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	do := func(text string) func() error {
		return func() error { _, err := other.Exec(text); return err }
	}
	pragma := func(text string) func() error {
		return func() error { s.pragma(t, text); return nil }
	}
	rename := func(from, to string) func() error {
		return func() error { return os.Rename(from, to) }
	}
	for _, c := range []struct {
		name        string
		spoil, mend func() error
	}{
		{"locked", do("BEGIN IMMEDIATE"), do("ROLLBACK")},
		{"read-only", pragma("query_only = on"), pragma("query_only = off")},
		{"removed", rename(path, path+"-away"), rename(path+"-away", path)},
	} {
		if err := c.spoil(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ready(t.Context()); !errors.Is(err, playground.ErrStorage) {
			t.Errorf("%s: ready says %v", c.name, err)
		}
		if err := c.mend(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("no longer %s: ready says %v", c.name, err)
		}
	}
}

func TestOpen_DamagedFile(t *testing.T) {
	s, path := newStore(t)
	for _, id := range []string{"a", "b", "c"} {
		if err := addOne(t.Context(), s, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for name, damage := range map[string]func([]byte) []byte{
		"a page of zeros": func(b []byte) []byte { clear(b[2*page : 3*page]); return b },
		"cut in half":     func(b []byte) []byte { return b[:len(b)/2/page*page] },
		"another format":  func([]byte) []byte { return bytes.Repeat([]byte("this is no database "), 1000) },
	} {
		broken := filepath.Join(t.TempDir(), "broken.db")
		if err := os.WriteFile(broken, damage(append([]byte(nil), whole...)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), broken); !errors.Is(err, engine.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endedContext returns a context with which nothing waits.
func endedContext(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	return ctx
}

func TestOpen_InUse(t *testing.T) {
	s, path := newStore(t)
	ended := endedContext(t)
	if _, err := Open(ended, path); !errors.Is(err, engine.ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ended, path); err == nil || errors.Is(err, engine.ErrInUse) {
		t.Errorf("opened for a caller that is gone: %v", err)
	}
	again, err := Open(t.Context(), path)
	if err != nil {
		t.Fatalf("opened after it was closed: %v", err)
	}
	_ = again.Close()
}
