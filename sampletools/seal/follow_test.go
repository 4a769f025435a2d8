package seal_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// Two processes share a file of keys. One rotates them; the other opens a state
// of the new key at once, and keeps its keys while the file is broken.
func TestLoad_KeysFollowTheirFile(t *testing.T) {
	dir := t.TempDir()
	env := func(string) string { return "" }
	first, err := seal.Load(env, dir)
	if err != nil {
		t.Fatal(err)
	}
	second, err := seal.Load(env, dir)
	if err != nil {
		t.Fatal(err)
	}
	rotated := first.Rotate()
	path := filepath.Join(dir, seal.FileName)
	if err := rotated.Write(path); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_800_000_000, 0)
	request := seal.Request{Sample: "s", Method: "tools/call", Name: "t"}
	claims := seal.Claims{Issued: now.Unix(), Expires: now.Unix() + 60, ID: "x", Request: request}
	for _, mode := range []seal.Mode{seal.Signed, seal.Sealed} {
		state, err := rotated.Seal(mode, claims)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := second.Open(state, mode, request, now); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
	if err := os.WriteFile(path, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	state, err := rotated.Seal(seal.Sealed, claims)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Open(state, seal.Sealed, request, now); err != nil {
		t.Errorf("while the file is broken: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
