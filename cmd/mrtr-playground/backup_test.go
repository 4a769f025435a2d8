package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// command runs a command that must succeed, and returns its output.
func command(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, noEnv, &out, io.Discard); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out.String()
}

// refused runs a command that must fail with each of these words.
func refused(t *testing.T, args []string, words ...string) {
	t.Helper()
	err := run(t.Context(), args, noEnv, io.Discard, io.Discard)
	for _, want := range words {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q says %v, want %q", args, err, want)
		}
	}
}

// names returns the names in a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

// TestBackup_OfAProgramThatWrites: visitors play calls while the program is
// backed up. What they were shown before is in the backup, whole, and an open
// question of it goes on in another directory.
func TestBackup_OfAProgramThatWrites(t *testing.T) {
	data, elsewhere := t.TempDir(), t.TempDir()
	p := startProgram(t, data)
	open := p.post("/exchanges", url.Values{"sample": {"azure-devops"}})
	p.post(open+"/rounds", url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}})

	writing, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	var visitors sync.WaitGroup
	shown := map[string]sight{}
	enough := make(chan struct{})
	var once sync.Once
	for range 2 {
		visitors.Go(func() {
			for writing.Err() == nil {
				s, err := playOne(p.url, func(s sight) {
					mu.Lock()
					defer mu.Unlock()
					shown[s.path] = s
					if len(shown) > 3 {
						once.Do(func() { close(enough) })
					}
				})
				if err != nil {
					t.Errorf("%s: %v", s.path, err)
					once.Do(func() { close(enough) })
					return
				}
			}
		})
	}
	<-enough
	var before []map[string]sight
	for _, file := range []string{"1.tar.gz", "2.tar.gz", "3.tar.gz"} {
		mu.Lock()
		copied := map[string]sight{}
		for path, s := range shown {
			copied[path] = s
		}
		mu.Unlock()
		before = append(before, copied)
		words := command(t, "backup", "-data", data, filepath.Join(elsewhere, file))
		if !strings.Contains(words, "keys: state-keys.json, cookie-key\n") {
			t.Errorf("backup printed %q", words)
		}
	}
	stop()
	visitors.Wait()
	p.end()

	if got := names(t, elsewhere); got != "1.tar.gz 2.tar.gz 3.tar.gz" {
		t.Errorf("the directory of the backups holds %s", got)
	}
	for i, file := range []string{"1.tar.gz", "2.tar.gz", "3.tar.gz"} {
		archive := filepath.Join(elsewhere, file)
		if info, err := os.Stat(archive); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
		fresh := filepath.Join(t.TempDir(), "not", "there")
		if line := command(t, "restore", "-data", fresh, archive); !strings.Contains(line, "schema") {
			t.Errorf("restore printed %q", line)
		}
		restoredGoesOn(t, fresh, open, before[i])
	}
}

// playOne plays a call to its end, and calls show with each sight of it.
func playOne(base string, show func(sight)) (sight, error) {
	path, err := send(base, "/exchanges", url.Values{"sample": {"azure-devops"}})
	if err != nil {
		return sight{}, err
	}
	s, err := look(base, path)
	for ; err == nil; s, err = advance(base, s) {
		show(s)
		if s.status == "complete" {
			break
		}
	}
	return s, err
}

// restoredGoesOn starts a program on restored data.
func restoredGoesOn(t *testing.T, data, open string, before map[string]sight) {
	t.Helper()
	if got := names(t, data); got != "cookie-key playground.db playground.db-lock state-keys.json" {
		t.Errorf("restored: %s", got)
	}
	for _, name := range []string{"cookie-key", "playground.db", "state-keys.json"} {
		info, err := os.Stat(filepath.Join(data, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	p := startProgram(t, data)
	defer p.end()
	for path, s := range before {
		leadOn(t, &victim{t: t, url: p.url}, path, s)
	}
	p.post(open+"/rounds", url.Values{"round": {"2"}, "a0.action": {"accept"}, "a0.f0": {"4301"}})
	if page := p.get(open); !strings.Contains(page, "Bug #4522 resolved as Duplicate of Bug #4301.") {
		t.Error("the open question does not go on")
	}
}

// TestBackup_Refuses: data that it cannot copy, and files that it must not
// replace.
func TestBackup_Refuses(t *testing.T) {
	data, elsewhere := t.TempDir(), t.TempDir()
	startProgram(t, data).end()
	archive := filepath.Join(elsewhere, "b.tar.gz")
	command(t, "backup", "-data", data, archive)
	whole, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"backup", "-data", data, archive}, "exists and is not replaced")
	if now, err := os.ReadFile(archive); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("the backup was changed: %v", err)
	}
	next := filepath.Join(elsewhere, "c.tar.gz")
	refused(t, []string{"backup", "-data", t.TempDir(), next}, "playground.db", "no such file")
	refused(t, []string{"backup", "-data", t.TempDir(), "-db", filepath.Join(data, databaseName), next},
		"no keys in", "-data")
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(damaged, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"backup", "-data", data, "-db", damaged, next}, "damaged")
	empty := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"backup", "-data", data, "-db", empty, next}, "not a database of this program")
	if got := names(t, elsewhere); got != "b.tar.gz" {
		t.Errorf("left behind: %s", got)
	}
}

// TestBackup_KeysOutside: keys that are not in the data directory are named.
func TestBackup_KeysOutside(t *testing.T) {
	data := t.TempDir()
	startProgram(t, data).end()
	env := func(name string) string {
		return map[string]string{"MRTR_DATA": data, envCookieKeys: "x"}[name]
	}
	archive := filepath.Join(t.TempDir(), "b.tar.gz")
	var out bytes.Buffer
	if err := run(t.Context(), []string{"backup", archive}, env, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := "keys: state-keys.json\n  not in it, keep them too: MRTR_COOKIE_KEY, flags, "
	if !strings.Contains(out.String(), want) {
		t.Errorf("backup printed %q", out.String())
	}
	fresh := t.TempDir()
	command(t, "restore", "-data", fresh, archive)
	if got := names(t, fresh); got != "playground.db playground.db-lock state-keys.json" {
		t.Errorf("restored: %s", got)
	}
}

// TestBackup_NamesWhatItHolds: both commands print it, and the archive has it.
func TestBackup_NamesWhatItHolds(t *testing.T) {
	data, archive := t.TempDir(), filepath.Join(t.TempDir(), "b.tar.gz")
	p := startProgram(t, data, "-user-header", "X-Remote-User", "-trusted-proxy", "127.0.0.1",
		"-base-url", "http://localhost")
	for _, person := range []string{"ada", "bob"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/exchanges",
			strings.NewReader("sample=azure-devops"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("X-Remote-User", person)
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil || res.StatusCode != http.StatusSeeOther {
			t.Fatalf("%v, %v", res, err)
		}
		_ = res.Body.Close()
	}
	p.end()
	holds := regexp.MustCompile(
		`  database: schema \d+, [\d.]+ [KM]iB, 2 workspaces, 2 recordings, 2 people\n` +
			`  keys: state-keys.json, cookie-key\n`)
	made := regexp.MustCompile(`version ` + version + `, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	for _, words := range []string{
		command(t, "backup", "-data", data, archive), command(t, "restore", "-data", t.TempDir(), archive),
	} {
		if !holds.MatchString(words) || !made.MatchString(words) {
			t.Errorf("printed %q", words)
		}
	}
	first := entries(t, archive)[0]
	var m manifest
	if err := json.Unmarshal(first.body, &m); err != nil || first.Name != manifestName {
		t.Fatalf("%s: %v", first.Name, err)
	}
	if d := m.Database; m.Program != version || d.People != 2 || d.Workspaces != 2 || d.Recordings != 2 ||
		d.Schema < 28 || d.Bytes == 0 || len(m.Keys) != 2 || len(m.Missing) != 1 {
		t.Errorf("manifest: %+v", m)
	}
}
