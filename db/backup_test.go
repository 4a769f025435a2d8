package db

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

// TestBackup_IsAWholeFile: the copy of an open file has its schema, can give
// space back like it, and is private.
func TestBackup_IsAWholeFile(t *testing.T) {
	path, copied := filepath.Join(t.TempDir(), "a ?.db"), filepath.Join(t.TempDir(), "copy #.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := engine.Backup(t.Context(), path, copied); err != nil {
		t.Fatal(err)
	}
	if found, err := Inspect(t.Context(), copied); found.Schema != newest || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	again, err := Open(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var mode int
	err = again.read.QueryRow(`PRAGMA auto_vacuum`).Scan(&mode)
	if err != nil || mode != 2 { // incremental
		t.Errorf("auto_vacuum is %d, %v", mode, err)
	}
	if err := engine.Backup(t.Context(), path, copied); err == nil {
		t.Error("a database was overwritten")
	}
}

// TestInspect_Versions: the versions that Open would refuse are refused.
func TestInspect_Versions(t *testing.T) {
	for version, want := range map[string]error{
		"9999": engine.ErrNewer, "9": engine.ErrOlder, "21": engine.ErrOlder, "22": nil,
	} {
		path := newVersion22(t)
		execFile(t, path, `DELETE FROM goose_db_version WHERE version_id > 0;
			INSERT INTO goose_db_version (version_id, is_applied) VALUES (`+version+`, 1)`)
		if _, err := Inspect(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("version %s: %v", version, err)
		}
	}
	path := filepath.Join(t.TempDir(), "foreign.db")
	execFile(t, path, `CREATE TABLE goose_db_version (version_id);
		INSERT INTO goose_db_version VALUES (22)`)
	if _, err := Inspect(t.Context(), path); !errors.Is(err, engine.ErrForeign) {
		t.Errorf("a foreign file: %v", err)
	}
}

// TestReserve_KeepsProgramsOut: a path that is reserved cannot be opened, and a
// database cannot be reserved.
func TestReserve_KeepsProgramsOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	release, err := engine.Reserve(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(endedContext(t), path); !errors.Is(err, engine.ErrInUse) {
		t.Errorf("a reserved path: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Reserve(endedContext(t), path); !errors.Is(err, engine.ErrInUse) {
		t.Errorf("an open database: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Reserve(t.Context(), path); !errors.Is(err, engine.ErrExists) {
		t.Errorf("a closed database: %v", err)
	}
	if _, err := engine.Reserve(t.Context(), path); !errors.Is(err, engine.ErrExists) {
		t.Errorf("the lock was kept: %v", err)
	}
}
