package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const backupHelp = `usage: mrtr-playground backup [flags] FILE

Writes a copy of the SQLite database, as it is at one moment, and the keys of
the data directory to FILE, a new .tar.gz archive that only you can read. The
program may run and write meanwhile. The copy is checked before FILE appears;
an existing file is never replaced. The keys in FILE open every workspace and
every state: keep it as safe as the data directory. It prints what FILE holds,
and what you have to keep yourself; FILE has the same in backup.json.

The directory of FILE needs room for the copy and the archive.

{flags}

Keys from environment variables, or from files that they name, are not in FILE:
keep them yourself. For PostgreSQL use pg_dump, and keep the keys of -data too.
Exit codes: 0 success, 1 failure, 2 usage error.
`

// source is where a backup comes from, or where it is restored to.
type source struct {
	data, db string // a directory and a file
	archive  string
	most     int64 // bytes of the database in an archive
}

// parseSource reads the command line of backup or restore.
func parseSource(
	command string, args []string, getenv func(string) string, stdout io.Writer,
) (source, error) {
	f := newFlags(command)
	s := source{most: maxDatabase}
	f.StringVar(&s.data, "data", "", "")
	f.StringVar(&s.db, "db", "", "")
	if command == "restore" {
		f.Int64Var(&s.most, "max-size", 0, "")
	}
	words, err := readFlags(f, args, getenv, stdout)
	if err != nil {
		return s, err
	}
	s.data = cmp.Or(s.data, dataHome(getenv))
	if strings.Contains(s.db, "://") { // it may contain a password
		return s, &usageError{fmt.Sprintf("%s is for SQLite. "+
			"For PostgreSQL use pg_dump and pg_restore, and keep the keys too: %s in %s",
			command, strings.Join(keyNames(), " and "), s.data)}
	}
	if len(words) != 1 || s.most <= 0 {
		return s, &usageError{fmt.Sprintf("%s needs one FILE; see %s -help", command, command)}
	}
	s.db, s.archive = cmp.Or(s.db, filepath.Join(s.data, databaseName)), words[0]
	return s, nil
}

// backUp writes the database and the keys to an archive.
func backUp(ctx context.Context, args []string, getenv func(string) string, stdout io.Writer) error {
	s, err := parseSource("backup", args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Lstat(s.archive); err == nil {
		return fmt.Errorf("%s exists and is not replaced", s.archive)
	}
	dir, err := os.MkdirTemp(filepath.Dir(s.archive), filepath.Base(s.archive)+".*") // mode 0700
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	words, err := s.backUp(ctx, getenv, dir)
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		return fmt.Errorf("back up %s: %w", s.db, err)
	}
	_, err = io.WriteString(stdout, words)
	return err
}

// backUp makes the archive in dir, moves it to its place, and returns what it
// holds, and what not.
func (s source) backUp(ctx context.Context, getenv func(string) string, dir string) (string, error) {
	file := filepath.Join(dir, databaseName)
	if err := engine.Backup(ctx, s.db, file); err != nil {
		return "", err
	}
	found, err := db.Inspect(ctx, file)
	if err != nil {
		return "", err
	}
	// The keys come after the database, so that the keys of all its states are among
	// them when they are rotated meanwhile.
	keys, outside, err := copyKeys(getenv, s.data, dir)
	if err != nil {
		return "", err
	}
	m := newManifest(found, keys, outside)
	if err := m.write(dir); err != nil {
		return "", err
	}
	names := slices.Concat([]string{manifestName}, keys, []string{databaseName})
	done := filepath.Join(dir, "archive")
	size, err := writeArchive(ctx, done, dir, names)
	if err != nil {
		return "", err
	}
	words := fmt.Sprintf("wrote %s (%s), %s\n%s  not in it, keep them too: %s\n", s.archive,
		text.Size(int(size)), m.origin(), contents(found, keys), strings.Join(m.Missing, ", "))
	if err := place(done, s.archive); errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s exists and is not replaced", s.archive)
	} else if err != nil {
		return "", err
	}
	syncFolder(filepath.Dir(s.archive))
	return words, nil
}

// copyKeys copies the files of keys that serve uses from one directory to
// another. It returns their names, and the environment variables that hold or
// name the keys which are not in the directory.
func copyKeys(getenv func(string) string, from, to string) (names, outside []string, err error) {
	for _, name := range keyNames() {
		if env := keysOutside(getenv, name); env != "" {
			outside = append(outside, env)
			continue
		}
		words, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("%s has no keys in %s: name their directory with -data", from, name)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), words, 0o600)
		}
		if err == nil {
			err = checkKeys(to, name)
		}
		if err != nil {
			return nil, nil, err
		}
		names = append(names, name)
	}
	return names, outside, nil
}

// keysOutside returns the environment variable that holds or names the keys
// which otherwise are in the file name of the data directory, or "".
func keysOutside(getenv func(string) string, name string) string {
	variables := []string{envCookieKeys, envCookieKeysFile}
	if name == seal.FileName {
		variables = []string{seal.EnvKeys, seal.EnvKeysFile}
	}
	for _, v := range variables {
		if getenv(v) != "" {
			return v
		}
	}
	return ""
}

// checkKeys returns an error unless the file of keys can be read by serve.
func checkKeys(dir, name string) error {
	if name == seal.FileName {
		_, err := seal.Load(func(string) string { return "" }, dir)
		return err
	}
	_, err := openCookieKeys(filepath.Join(dir, name))
	return err
}

// writeArchive writes an archive that survives power loss, and returns its size
// in bytes.
func writeArchive(ctx context.Context, path, dir string, names []string) (int64, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	err = errors.Join(pack(ctx, f, dir, names), f.Sync())
	info, wrong := f.Stat()
	if err := errors.Join(err, wrong, f.Close()); err != nil {
		return 0, err
	}
	return info.Size(), nil
}
