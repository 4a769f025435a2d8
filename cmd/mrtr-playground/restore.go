package main

import (
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
)

const restoreHelp = `usage: mrtr-playground restore [flags] FILE

Unpacks FILE, which backup has written, into an empty or missing data directory.
Everything is checked before the first file appears there: the archive, the
keys, and the database, which must not be of a newer version than this program,
nor of a development version before the first release. It refuses a directory
that holds a database or keys, or that a program uses.

{flags}

For PostgreSQL use pg_restore, and put the keys back into -data.
Exit codes: 0 success, 1 failure, 2 usage error.
`

// restore unpacks an archive of backup.
func restore(ctx context.Context, args []string, getenv func(string) string, stdout io.Writer) error {
	s, err := parseSource("restore", args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	archive, err := os.Open(s.archive)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	defer archive.Close()
	words, err := s.restore(ctx, archive)
	if err != nil {
		return fmt.Errorf("restore %s: %w", s.archive, err)
	}
	_, err = io.WriteString(stdout, words)
	return err
}

// restore unpacks an archive and returns what it holds. No program
// can open the database meanwhile.
func (s source) restore(ctx context.Context, archive io.Reader) (words string, err error) {
	for _, dir := range []string{s.data, filepath.Dir(s.db)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", err
		}
	}
	if err := s.free(); err != nil {
		return "", err
	}
	release, err := engine.Reserve(ctx, s.db)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, release()) }()
	r := restoration{source: s}
	defer func() { err = errors.Join(err, r.clean()) }()
	names, err := unpack(ctx, archive, s.most, r.folder)
	if err != nil {
		return "", err
	}
	keys := slices.DeleteFunc(names, func(name string) bool {
		return name == databaseName || name == manifestName
	})
	found, err := r.inspect(ctx, keys)
	if err != nil {
		return "", err
	}
	m, err := readManifest(r.keys)
	if err != nil {
		return "", err
	}
	if err := r.place(keys); err != nil {
		return "", err
	}
	words = fmt.Sprintf("restored %s to %s\n", s.archive, s.data)
	if m != nil {
		words = fmt.Sprintf("restored %s (%s) to %s\n", s.archive, m.origin(), s.data)
	}
	return words + contents(found, keys), nil
}

// free returns an error unless the data directory is empty. The lock and the reserve of
// a database that was moved away count as nothing; the database itself is looked at when
// its path is locked.
func (s source) free() error {
	entries, err := os.ReadDir(s.data)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(s.db); err == nil {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(s.data, e.Name())
		left := []string{filepath.Clean(s.db) + "-lock", filepath.Clean(s.db) + "-reserve"}
		if !slices.Contains(left, path) && !isFolderOf(path, s.db) {
			return fmt.Errorf("%s is not empty, it holds %s: name another directory with -data", s.data,
				e.Name())
		}
	}
	return nil
}

// isFolderOf reports whether path is a directory above file.
func isFolderOf(path, file string) bool {
	return strings.HasPrefix(filepath.Clean(file), path+string(filepath.Separator))
}

// restoration is an archive that is being unpacked. The files are unpacked to
// directories beside their places, so that they can be moved there at once.
type restoration struct {
	source
	keys, database string   // the directories, or ""
	placed         []string // files that were moved to their places
	done           bool
}

// folder returns the directory to which a file is unpacked.
func (r *restoration) folder(name string) (string, error) {
	dir, at := &r.keys, r.data
	if name == databaseName {
		dir, at = &r.database, filepath.Dir(r.db)
	}
	if *dir != "" {
		return *dir, nil
	}
	made, err := os.MkdirTemp(at, ".restore-*") // mode 0700
	if err == nil {
		*dir = made
	}
	return made, err
}

// inspect returns what the database holds, after everything was checked.
func (r *restoration) inspect(ctx context.Context, keys []string) (db.Contents, error) {
	for _, name := range keys {
		if err := checkKeys(r.keys, name); err != nil {
			return db.Contents{}, err
		}
	}
	return db.Inspect(ctx, filepath.Join(r.database, databaseName))
}

// place moves the files to their places, the database last: where it is, all is.
func (r *restoration) place(keys []string) error {
	move := func(from, to string) error {
		if err := place(from, to); errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s has appeared meanwhile and is not replaced", to)
		} else if err != nil {
			return err
		}
		r.placed = append(r.placed, to)
		return nil
	}
	for _, name := range keys {
		if err := move(filepath.Join(r.keys, name), filepath.Join(r.data, name)); err != nil {
			return err
		}
	}
	syncFolder(r.data)
	if err := move(filepath.Join(r.database, databaseName), r.db); err != nil {
		return err
	}
	syncFolder(filepath.Dir(r.db))
	r.done = true
	return nil
}

// clean removes the directories, and the moved files if not all were moved.
func (r *restoration) clean() error {
	var err error
	for _, dir := range []string{r.keys, r.database} {
		if dir != "" {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	for _, path := range r.placed {
		if !r.done {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}
