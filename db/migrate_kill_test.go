package db_test

import (
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
)

// TestMigrate_Killed holds fault 81: the program is killed at moments of a
// migration. Afterwards the file has the old schema or the new one and all its
// rows, and is migrated by the next start. A soak
// kills that of every version, and else it is that of the newest file.
func TestMigrate_Killed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	files, err := filepath.Glob("testdata/version*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	soak, err := time.ParseDuration(os.Getenv(soakTime))
	if err != nil {
		files = files[len(files)-1:]
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sql"), func(t *testing.T) {
			large := filepath.Join(t.TempDir(), "large.db")
			rows := enlarge(t, file, large)
			whole, _ := openAndClose(t, copyOf(t, large), moment{})
			const least = 8
			kills, midway := 0, 0
			for i, began := 0, time.Now(); i < least ||
				time.Since(began) < soak/time.Duration(len(files)); i++ {
				at := randomMoment(whole.statements, whole.log)
				path := copyOf(t, large)
				if _, killed := openAndClose(t, path, at); killed {
					kills++
				}
				if half(path) {
					midway++
				}
				if got, err := migrated(t, path); err != nil || got != rows {
					t.Errorf("killed %s of %+v: rows %s, want %s, %v", at, whole, got, rows, err)
				}
			}
			if kills == 0 {
				t.Error("the program was never killed")
			}
			t.Logf("%s: %d kills, %d left pages in the log", rows, kills, midway)
		})
	}
}

// migrated opens a file and returns how many rows its tables have then.
func migrated(t *testing.T, path string) (string, error) {
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

// enlarge makes a file of an earlier version with 2000 more events in each
// log, of 1 KiB each, and returns how many rows the tables have.
func enlarge(t *testing.T, script, path string) string {
	t.Helper()
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	raw := openRaw(t, path)
	version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(script), "version"), ".sql")
	// A script may hold the schema alone.
	complete := `CREATE TABLE IF NOT EXISTS goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT,
		  version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL,
		  tstamp TIMESTAMP DEFAULT (datetime('now')));
		INSERT INTO goose_db_version (version_id, is_applied)
		  SELECT column1, 1 FROM (VALUES (0), (` + version + `))
		  WHERE NOT EXISTS (SELECT 1 FROM goose_db_version);
		INSERT OR IGNORE INTO log (id) VALUES ('large-1'), ('large-2'), ('large-3'), ('large-4');`
	more := `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
		INSERT INTO event (log, seq, at, conn, kind, data)
		SELECT log.id, 1000 + i, 1795165200123456, 1, 'message', randomblob(1024) FROM log, n`
	for _, statement := range []string{string(text), complete, more} {
		if _, err := raw.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	return countRows(t, path)
}

func openRaw(t *testing.T, path string) *sql.DB {
	t.Helper()
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// countRows counts the rows of the tables that every version has.
func countRows(t *testing.T, path string) string {
	t.Helper()
	raw := openRaw(t, path)
	defer raw.Close()
	var b strings.Builder
	for _, table := range []string{"workspace", "log", "event", "target", "session", "exchange", "share",
		"stage", "mark"} {
		var n int
		if err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s=%d ", table, n)
	}
	var whole string
	if err := raw.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&whole); err != nil ||
		whole != "ok" {
		t.Errorf("integrity: %s, %v", whole, err)
	}
	return b.String()
}

func copyOf(t *testing.T, path string) string {
	t.Helper()
	from, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.Create(filepath.Join(t.TempDir(), "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Name()
}
