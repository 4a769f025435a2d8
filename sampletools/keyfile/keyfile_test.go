package keyfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/keyfile"
)

var errBroken = errors.New("broken")

func parse(text []byte, source string) (string, error) {
	if source == "" || strings.HasPrefix(string(text), "broken") {
		return "", errBroken
	}
	return string(text), nil
}

// replace puts another file in the place of one.
func replace(t *testing.T, path, text string) {
	t.Helper()
	if err := keyfile.Write(path, []byte(text), os.Rename); err != nil {
		t.Fatal(err)
	}
}

// change writes a file in place, with a modification time that was not there
// before.
func change(t *testing.T, path, text string, at int64) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	setTime(t, path, at)
}

func setTime(t *testing.T, path string, at int64) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, time.Unix(at, 0)); err != nil {
		t.Fatal(err)
	}
}

func TestFile_FollowsChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	replace(t, path, "first")
	f, err := keyfile.Open("keys", path, parse)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		do   func()
		want string
	}{
		{"nothing", func() {}, "first"},
		{"replaced", func() { replace(t, path, "second") }, "second"},
		{"changed in place", func() { change(t, path, "third", 1) }, "third"},
		{"replaced by one of the same time", func() {
			replace(t, path, "fourth")
			setTime(t, path, 1)
		}, "fourth"},
		{"broken", func() { change(t, path, "broken", 2) }, "fourth"},
		{"mended at the same time", func() { change(t, path, "fifth", 2) }, "fifth"},
		{"gone", func() { _ = os.Remove(path) }, "fifth"},
		{"back", func() { replace(t, path, "sixth") }, "sixth"},
	} {
		step.do()
		if got := f.Keys(true); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
}

// TestFile_LooksNowAndThen: unless the keys are wanted as they are now, the file
// is looked at every LookEvery, counted from the last look.
func TestFile_LooksNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "keys")
		replace(t, path, "first")
		f, err := keyfile.Open("keys", path, parse)
		if err != nil {
			t.Fatal(err)
		}
		replace(t, path, "second")
		time.Sleep(keyfile.LookEvery - time.Nanosecond)
		if got := f.Keys(false); got != "first" {
			t.Errorf("before it is looked at: %s", got)
		}
		time.Sleep(time.Nanosecond)
		if got := f.Keys(false); got != "second" {
			t.Errorf("when it is looked at: %s", got)
		}
		replace(t, path, "third")
		if got := f.Keys(false); got != "second" {
			t.Errorf("just looked at: %s", got)
		}
		if got := f.Keys(true); got != "third" {
			t.Errorf("at once: %s", got)
		}
	})
}

func TestOpen_Errors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	_, err := keyfile.Open("state keys", path, parse)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "read state keys: ") {
		t.Errorf("no file: %v", err)
	}
	replace(t, path, "broken")
	if _, err := keyfile.Open("state keys", path, parse); !errors.Is(err, errBroken) {
		t.Errorf("broken file: %v", err)
	}
}

// TestWrite_LeavesOneFile: that only its user can read; one that is there
// already is not replaced by a link.
func TestWrite_LeavesOneFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "keys")
	replace(t, path, "first")
	if err := keyfile.Write(path, []byte("second"), os.Link); !errors.Is(err, fs.ErrExist) {
		t.Errorf("linked over a file: %v", err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "first" {
		t.Errorf("%s, %v", text, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	if info, err := entries[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
