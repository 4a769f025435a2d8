package db_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
)

// TestMigrate_Killed holds fault 81: the program is killed at a statement of the
// upgrade, or while its log grows. Afterwards the file has the old schema or the new
// one and all its rows, and the next start upgrades it. A soak kills it for a time.
func TestMigrate_Killed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	large := filepath.Join(t.TempDir(), "large.db")
	rows := enlarge(t, large)
	whole, _ := openAndClose(t, copyOf(t, large), moment{})
	soak, _ := time.ParseDuration(os.Getenv(soakTime))
	const least = 12
	kills, midway := 0, 0
	for i, began := 0, time.Now(); i < least || time.Since(began) < soak; i++ {
		at := randomMoment(whole.statements, whole.log)
		path := copyOf(t, large)
		if _, killed := openAndClose(t, path, at); killed {
			kills++
		}
		if half(path) {
			midway++
		}
		if got, err := upgraded(t, path); err != nil || got != rows {
			t.Errorf("killed %s of %+v: rows %s, want %s, %v", at, whole, got, rows, err)
		}
	}
	if kills == 0 {
		t.Error("the program was never killed")
	}
	t.Logf("%s: %d kills in %d statements, %d left pages in the log", rows, kills, whole.statements, midway)
}

// upgraded opens a file and returns how many rows its tables have then.
func upgraded(t *testing.T, path string) (string, error) {
	t.Helper()
	s, err := db.Open(t.Context(), path)
	if err != nil {
		return "", err
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	return countRows(t, path), nil
}

// half reports whether pages are in the log that are not in the file.
func half(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// enlarge makes a file of version 22 with 200 more events in each log, of 1 KiB each,
// and returns how many rows the tables have.
func enlarge(t *testing.T, path string) string {
	t.Helper()
	script, err := os.ReadFile("testdata/version22.sql")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = raw.ExecContext(t.Context(), string(script)+`
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
		INSERT INTO event (log, seq, at, conn, kind, data)
		SELECT log.id, 1000 + i, 1795165200123456, 1, 'message', randomblob(1024) FROM log, n;`)
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	return countRows(t, path)
}

// countRows counts the rows of the tables that version 22 and every later one has.
func countRows(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	for _, table := range []string{"workspace", "day", "payer", "block", "log", "event", "target",
		"certificate", "sign_in", "token", "registration", "workbench", "session", "saved_call", "exchange",
		"share", "stage", "mark"} {
		fmt.Fprintf(&b, "%s=%d ", table, rowsOf(t, path, table))
	}
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var whole string
	if err := raw.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&whole); err != nil ||
		whole != "ok" {
		t.Errorf("integrity: %s, %v", whole, err)
	}
	return b.String()
}
