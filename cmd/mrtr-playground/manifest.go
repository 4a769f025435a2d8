package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// manifestName is the file of a backup that says what the others are.
const manifestName = "backup.json"

// manifest says what a backup holds. Backups of earlier versions have none.
type manifest struct {
	Program  string      `json:"program"` // version of the program that wrote it
	Time     time.Time   `json:"time"`    // when that was
	Database db.Contents `json:"database"`
	Keys     []string    `json:"keys"`    // files
	Missing  []string    `json:"missing"` // what a backup of everything would have, too
}

// notInBackup is what no backup has.
const notInBackup = "flags, environment variables and the files that they name"

// newManifest describes a backup that is being made.
func newManifest(found db.Contents, keys, outside []string) manifest {
	return manifest{
		Program: version, Time: now().UTC().Truncate(time.Second), Database: found, Keys: keys,
		Missing: append(outside, notInBackup),
	}
}

// write writes the manifest to a directory.
func (m manifest) write(dir string) error {
	words, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestName), append(words, '\n'), 0o600)
}

// readManifest reads the manifest in a directory, which may be "". It is nil if there is none.
// Its words are a stranger's.
func readManifest(dir string) (*manifest, error) {
	if dir == "" {
		return nil, nil
	}
	words, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(words, m); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errArchive, manifestName, err)
	}
	return m, nil
}

// origin returns by which program a backup was written, and when.
func (m manifest) origin() string {
	return fmt.Sprintf("version %s, %s", text.Visible(m.Program, 80), m.Time.UTC().Format(time.RFC3339))
}

// contents describes what a backup holds, a line for each kind.
func contents(found db.Contents, keys []string) string {
	size, rows := text.Size(int(found.Bytes)), strings.Join([]string{
		text.Plural(found.Workspaces, "workspace"), text.Plural(found.Recordings, "recording"),
		people(found.People),
	}, ", ")
	return fmt.Sprintf("  database: schema %d, %s, %s\n  keys: %s\n", found.Schema, size, rows, orNone(keys))
}

// people returns how many have signed in.
func people(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// orNone joins names.
func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
