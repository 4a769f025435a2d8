package seal_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

func noEnv(string) string { return "" }

// A restarted or second process opens states that were sealed before.
func TestLoad_KeysSurviveARestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	before, err := seal.Load(noEnv, dir)
	if err != nil {
		t.Fatal(err)
	}
	text := mint(t, before, seal.Sealed, claims("1"))
	after, err := seal.Load(noEnv, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := reason(t, after, text, seal.Sealed, call(), noon()); got != "" {
		t.Errorf("after a restart: reason %q", got)
	}
	info, err := os.Stat(filepath.Join(dir, seal.FileName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key file: mode %v, %v", info.Mode(), err)
	}
}

func TestLoad_ConcurrentProcessesAgree(t *testing.T) {
	dir := t.TempDir()
	keys := make([]*seal.Keys, 8)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() { keys[i], _ = seal.Load(noEnv, dir) })
	}
	wg.Wait()
	for _, k := range keys {
		if k == nil || reason(t, k, mint(t, keys[0], seal.Sealed, claims("1")), seal.Sealed, call(),
			noon()) != "" {
			t.Fatal("processes disagree on keys")
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLoad_FromEnvironmentAndFile(t *testing.T) {
	k := generate(t)
	b, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{seal.EnvKeys: string(b), seal.EnvKeysFile: file} {
		dir := t.TempDir()
		got, err := seal.Load(func(n string) string {
			if n == name {
				return value
			}
			return ""
		}, dir)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r := reason(t, got, mint(t, k, seal.Sealed, claims("1")), seal.Sealed, call(), noon()); r != "" {
			t.Errorf("%s: reason %q", name, r)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s: wrote into the data directory", name)
		}
	}
}

func TestLoad_BrokenKeysAreNotReplacedOrQuoted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, seal.FileName)
	if err := os.WriteFile(path, []byte(`{"sealing":"hunter2`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := seal.Load(noEnv, dir)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Load: %v", err)
	}
	missing := func(n string) string { return map[string]string{seal.EnvKeysFile: dir + "/none"}[n] }
	if _, err := seal.Load(missing, dir); err == nil {
		t.Error("a missing key file that was named is made up")
	}
}
