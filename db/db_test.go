package db_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

func TestSQLite(t *testing.T) {
	dbtest.TestStore(t, func(t *testing.T, n int) []*db.Store {
		s, _ := open(t)
		return slices.Repeat([]*db.Store{s}, n)
	})
}

// open returns an empty database and its path.
func open(t testing.TB) (*db.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "playground.db")
	s, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

func add(t *testing.T, s *db.Store, workspace string, x playground.Exchange) {
	t.Helper()
	if err := s.AddExchange(t.Context(), workspace, "title", x); err != nil {
		t.Fatal(err)
	}
}

func TestOpen_AnyFileName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?#%.db")
	s, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestOpen_AgainKeepsTheRecord(t *testing.T) {
	s, path := open(t)
	add(t, s, "w", dbtest.Exchange("x"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := again.Exchange(t.Context(), "w", "x"); err != nil {
		t.Error(err)
	}
	if err := again.Ready(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
}

// rowsOf returns how many rows a table of a file has.
func rowsOf(t *testing.T, path, table string) int {
	t.Helper()
	raw, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var n int
	if err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func checkRows(t *testing.T, path, when string, want map[string]int) {
	t.Helper()
	for table, n := range want {
		if got := rowsOf(t, path, table); got != n {
			t.Errorf("%s: %d rows of %s, want %d", when, got, table, n)
		}
	}
}

// TestDelete_LeavesNoRows counts what the suite cannot see.
func TestDelete_LeavesNoRows(t *testing.T) {
	ctx := t.Context()
	s, path := open(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dbtest.AddSessions(t, s, "w", 4)
	dbtest.AddSessions(t, s, "other", 1)
	for _, id := range []string{"s00000-w", "s00001-w"} {
		must(s.AddShare(ctx, "w", share.Share{
			Token: "T" + id, Session: id, Created: dbtest.Now, Expires: dbtest.Now.Add(time.Hour),
			Data: []byte("d"), Image: []byte("i"),
		}))
	}
	target := playground.Target{ID: "t", Name: "n", URL: "u", Capabilities: []byte("{}")}
	must(s.AddTarget(ctx, "other", target, dbtest.Now))
	must(s.Append(ctx, "t", playground.Summary{Status: "connected"}, dbtest.Events()...))

	must(s.DeleteSession(ctx, "w", "s00000-w"))
	checkRows(t, path, "one session deleted", map[string]int{
		"session": 4, "exchange": 4, "log": 5, "event": 15, "share": 1,
	})
	must(s.DeleteExpiredShares(ctx, dbtest.Now.Add(time.Hour)))
	checkRows(t, path, "shares expired", map[string]int{"session": 4, "share": 0})
	must(s.DeleteSessions(ctx, "w"))
	checkRows(t, path, "all sessions deleted", map[string]int{
		"session": 1, "exchange": 1, "log": 2, "event": 6, "workspace": 2,
	})
	if n, err := s.DeleteIdleWorkspaces(ctx, dbtest.Now.Add(time.Hour)); n != 2 || err != nil {
		t.Errorf("%d workspaces deleted, %v", n, err)
	}
	checkRows(t, path, "workspaces deleted", map[string]int{
		"workspace": 0, "session": 0, "exchange": 0, "target": 0, "share": 0, "log": 0, "event": 0,
	})
}

// TestPragmas_OnEveryConnection: a pragma set once on a pool reaches one of its
// connections.
func TestPragmas_OnEveryConnection(t *testing.T) {
	s, path := open(t)
	add(t, s, "w", dbtest.Exchange("x"))
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var mode string
	if err := raw.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("journal %s, %v", mode, err)
	}
	for i := range 20 { // references are checked on whichever connection writes
		x := dbtest.Exchange(fmt.Sprint("missing", i))
		if err := s.Begin(t.Context(), x); err == nil {
			t.Fatal("an exchange without a session was stored")
		}
	}
}
