package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
)

const (
	migratedFile = "MRTR_TEST_MIGRATED_FILE" // the database that the test program opens and closes
	soakTime     = "MRTR_SOAK"               // how long the long tests may take; unset, they are short
)

func init() {
	if path := os.Getenv(migratedFile); path != "" {
		if err := migrateOnce(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

func migrateOnce(path string) error {
	s, err := db.Open(context.Background(), path)
	if err != nil {
		return err
	}
	return s.Close()
}

// TestMigrate_Killed holds fault 81: the program is killed at moments of a
// migration. Afterwards the file has the old schema or the new one and all its
// rows, and is migrated by the next start.
func TestMigrate_Killed(t *testing.T) {
	files, err := filepath.Glob("testdata/version*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sql"), func(t *testing.T) {
			large := filepath.Join(t.TempDir(), "large.db")
			rows := enlarge(t, file, large)
			began := time.Now()
			whole := copyOf(t, large)
			if err := migrateCommand(t, whole).Run(); err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
			n, deadline := 8, time.Time{}
			if soak, err := time.ParseDuration(os.Getenv(soakTime)); err == nil {
				n, deadline = 200, began.Add(soak/time.Duration(len(files)))
			}
			midway := 0
			for i := range n {
				if i >= 8 && !deadline.IsZero() && time.Now().After(deadline) {
					break
				}
				path := copyOf(t, large)
				cmd := migrateCommand(t, path)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				// A part of the time for each kill, so that some fall in the middle.
				wait := (time.Duration(i%8)*took + time.Duration(rand.Int64N(int64(took)))) / 8
				ended := make(chan struct{})
				go func() { _ = cmd.Wait(); close(ended) }()
				if i%2 == 1 { // once it writes
					wait /= 8
					writes(path, ended)
				}
				select {
				case <-time.After(wait):
					_ = cmd.Process.Kill()
					<-ended
				case <-ended:
				}
				if half(path) {
					midway++
				}
				if err := migrateOnce(path); err != nil {
					t.Errorf("kill after %v of %v: %v", wait, took, err)
				}
				if got := countRows(t, path); got != rows {
					t.Errorf("kill after %v of %v: rows %s, want %s", wait, took, got, rows)
				}
			}
			t.Logf("%s: %d of %d kills left pages in the log", rows, midway, n)
		})
	}
}

func migrateCommand(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), migratedFile+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// writes returns when there are pages in the log of a file, or when its writer
// has ended.
func writes(path string, ended <-chan struct{}) {
	for !half(path) {
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
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
