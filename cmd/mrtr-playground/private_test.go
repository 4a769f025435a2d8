package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestData_IsPrivate: every file of the data directory can be read by its user
// only, also those that an earlier start left otherwise.
func TestData_IsPrivate(t *testing.T) {
	data := filepath.Join(t.TempDir(), "new")
	check := func(when string) {
		t.Helper()
		if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: the directory has mode %v, %v", when, info.Mode(), err)
		}
		entries, err := os.ReadDir(data)
		if err != nil || len(entries) < 5 { // database, log, shared memory, lock, two keys
			t.Fatalf("%s: %d files, %v", when, len(entries), err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s has mode %v, %v", when, e.Name(), info.Mode(), err)
			}
		}
	}
	p := startProgram(t, data)
	check("running")
	p.end()
	entries, err := os.ReadDir(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Chmod(filepath.Join(data, e.Name()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	startProgram(t, data)
	check("started again")
}
