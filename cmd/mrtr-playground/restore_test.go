package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is a file in a backup.
type entry struct {
	tar.Header
	body []byte
}

// entries returns the files in a backup.
func entries(t *testing.T, archive string) []entry {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []entry
	in := tar.NewReader(zip)
	for {
		head, err := in.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, entry{*head, body})
	}
}

// archiveOf returns a compressed archive, which any program could have written.
func archiveOf(t *testing.T, list ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	out := tar.NewWriter(zip)
	for _, e := range list {
		if e.Typeflag == tar.TypeReg {
			e.Size = int64(len(e.body))
		}
		if err := out.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func file(name string, body []byte) entry {
	return entry{tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}, body}
}

func link(kind byte, name, to string) entry {
	return entry{tar.Header{Typeflag: kind, Name: name, Linkname: to, Mode: 0o644}, nil}
}

// withVersion returns a database whose schema is said to have another version.
func withVersion(t *testing.T, database []byte, version int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	if err := os.WriteFile(path, database, 0o600); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = raw.ExecContext(t.Context(), `DELETE FROM goose_db_version;
		INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)`, version)
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	changed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// TestRestore_RefusesHostileArchives: each is refused for its own reason, and
// leaves nothing but the lock behind, in the directory and beside it.
func TestRestore_RefusesHostileArchives(t *testing.T) {
	data := t.TempDir()
	startProgram(t, data).end()
	archive := filepath.Join(t.TempDir(), "b.tar.gz")
	command(t, "backup", "-data", data, archive)
	good := entries(t, archive)
	states, cookies, database := good[1], good[2], good[3]
	whole, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(database.body)
	for i := 4096; i < len(broken) && i < 5*4096; i++ {
		broken[i] ^= 0x55
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	for _, c := range []struct {
		name  string
		bytes []byte
		says  string
	}{
		{"no archive", []byte("no archive at all"), "not a whole backup"},
		{"empty", nil, "ends too early"},
		{"truncated", whole[:len(whole)/2], "ends too early"},
		{"without its end", whole[:len(whole)-4], "ends too early"},
		{"wrong checksum", flipped, "checksum"},
		{"traversal", archiveOf(t, file("../"+databaseName, database.body)), `no file "../playground.db"`},
		{"absolute", archiveOf(t, file("/etc/cookie-key", cookies.body)), `no file "/etc/cookie-key"`},
		{"another name", archiveOf(t, database, file("playground.db-wal", []byte("x"))),
			`no file "playground.db-wal"`},
		{"symbolic link", archiveOf(t, link(tar.TypeSymlink, "cookie-key", "/etc/passwd"), database),
			"cookie-key is not a regular file"},
		{"hard link", archiveOf(t, link(tar.TypeLink, databaseName, "/etc/passwd")), "not a regular file"},
		{"directory", archiveOf(t, link(tar.TypeDir, databaseName, "")), "not a regular file"},
		{"twice", archiveOf(t, cookies, cookies, database), "cookie-key is in it twice"},
		{"huge keys", archiveOf(t, file("cookie-key", make([]byte, maxKeys+1)), database),
			"cookie-key is too large"},
		{"huge database", archiveOf(t, states, cookies, file(databaseName, make([]byte, 8<<20+1))),
			"playground.db is too large"},
		{"broken manifest", archiveOf(t, file(manifestName, []byte("{")), states, cookies, database),
			"backup.json: unexpected end"},
		{"huge manifest", archiveOf(t, file(manifestName, make([]byte, maxKeys+1)), database),
			"backup.json is too large"},
		{"no database", archiveOf(t, states, cookies), "playground.db is missing"},
		{"wrong keys", archiveOf(t, states, file("cookie-key", []byte("short")), database), "cookie key in"},
		{"damaged", archiveOf(t, states, cookies, file(databaseName, broken)), "damaged"},
		{"not SQLite", archiveOf(t, states, cookies, file(databaseName, []byte(strings.Repeat("x", 9999)))),
			"damaged"},
		{"foreign", archiveOf(t, states, cookies, file(databaseName, nil)), "not a database of this program"},
		{"newer", archiveOf(t, states, cookies, file(databaseName, withVersion(t, database.body, 1000))),
			"newer version of this program"},
		{"older", archiveOf(t, states, cookies, file(databaseName, withVersion(t, database.body, 21))),
			"before the first release, which this version does not read: export your calls"},
		{"more behind it", append(bytes.Clone(whole), archiveOf(t, file("x", make([]byte, 2<<20)))...),
			"follow the last file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			above := t.TempDir()
			into, path := filepath.Join(above, "data"), filepath.Join(t.TempDir(), "b.tar.gz")
			if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			refused(t, []string{"restore", "-data", into, "-max-size", "8388608", path}, c.says)
			if got := names(t, into); got != "playground.db-lock" {
				t.Errorf("left behind: %s", got)
			}
			if got := names(t, above); got != "data" {
				t.Errorf("beside the directory: %s", got)
			}
			command(t, "restore", "-data", into, archive) // the directory still serves
		})
	}
}

// TestRestore_ReplacesNothing: a directory that holds something stays as it is.
func TestRestore_ReplacesNothing(t *testing.T) {
	data := t.TempDir()
	p := startProgram(t, data)
	archive := filepath.Join(t.TempDir(), "b.tar.gz")
	command(t, "backup", "-data", data, archive)
	refused(t, []string{"restore", "-data", data, archive}, "another program uses the database")
	p.end()
	refused(t, []string{"restore", "-data", data, archive}, "there is a database already")

	keys := t.TempDir()
	if err := os.WriteFile(filepath.Join(keys, "cookie-key"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"restore", "-data", keys, archive}, "is not empty, it holds cookie-key")
	if kept, err := os.ReadFile(filepath.Join(keys, "cookie-key")); string(kept) != "mine" {
		t.Errorf("the key is now %q, %v", kept, err)
	}
	wal := t.TempDir()
	if err := os.WriteFile(filepath.Join(wal, "playground.db-wal"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"restore", "-data", wal, archive}, "is not empty")
	elsewhere := filepath.Join(wal, "playground.db")
	refused(t, []string{"restore", "-data", t.TempDir(), "-db", elsewhere, archive},
		"there is a database already", "playground.db-wal")
}

// TestRestore_BackupsOfEarlierVersions have no manifest.
func TestRestore_BackupsOfEarlierVersions(t *testing.T) {
	data, archive := t.TempDir(), filepath.Join(t.TempDir(), "b.tar.gz")
	startProgram(t, data).end()
	command(t, "backup", "-data", data, archive)
	if err := os.WriteFile(archive, archiveOf(t, entries(t, archive)[1:]...), 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := t.TempDir()
	want := "restored " + archive + " to " + fresh + "\n  database: schema "
	if words := command(t, "restore", "-data", fresh, archive); !strings.HasPrefix(words, want) {
		t.Errorf("restore printed %q", words)
	}
}

// TestRestore_DatabaseElsewhere: the database and the keys may be in different
// directories.
func TestRestore_DatabaseElsewhere(t *testing.T) {
	data, place := t.TempDir(), filepath.Join(t.TempDir(), "a b", "x.db")
	startProgram(t, data).end()
	archive := filepath.Join(t.TempDir(), "b.tar.gz")
	command(t, "backup", "-data", data, archive)
	fresh := t.TempDir()
	command(t, "restore", "-data", fresh, "-db", place, archive)
	if got := names(t, fresh) + ", " + names(t, filepath.Dir(place)); got !=
		"cookie-key state-keys.json, x.db x.db-lock" {
		t.Errorf("restored: %s", got)
	}
	startProgram(t, fresh, "-db", place).end()
	command(t, "backup", "-data", fresh, "-db", place, filepath.Join(t.TempDir(), "again.tar.gz"))
}

// TestRestoration_PlacesAllOrNothing: if a database appears at the last moment,
// it stays, and the keys that were placed before are removed again.
func TestRestoration_PlacesAllOrNothing(t *testing.T) {
	data := t.TempDir()
	r := restoration{source: source{data: data, db: filepath.Join(data, databaseName)}}
	for _, name := range []string{"cookie-key", databaseName} {
		dir, err := r.folder(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("ours"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(r.db, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.place([]string{"cookie-key"}); err == nil || !strings.Contains(err.Error(), "meanwhile") {
		t.Errorf("placed beside another database: %v", err)
	}
	if err := r.clean(); err != nil {
		t.Error(err)
	}
	kept, err := os.ReadFile(r.db)
	if got := names(t, data); got != databaseName || string(kept) != "theirs" {
		t.Errorf("left: %s, the database is %q, %v", got, kept, err)
	}
}
