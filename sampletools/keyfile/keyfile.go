// Package keyfile follows a file of keys, so that a process that runs while the
// keys are rotated needs no restart. It knows no format: its user parses the
// file.
//
// A file that cannot be read or parsed changes nothing, and the keys in memory
// stay in use. A new file must have the old keys, too, until everything that
// they sealed has expired; otherwise calls in progress fail. The methods may be
// called from several goroutines.
package keyfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// LookEvery is how often a File is looked at while its keys are used.
const LookEvery = 2 * time.Second

// File keeps the keys of a file. It is safe for concurrent use.
type File[K any] struct {
	name, path string
	parse      func(text []byte, source string) (K, error)

	mu     sync.Mutex
	keys   K
	seen   os.FileInfo // of the file as read last
	looked time.Time
}

// Open reads the file at path. Errors to read it begin with name, such as
// "state keys"; others are those of parse.
func Open[K any](
	name, path string, parse func(text []byte, source string) (K, error),
) (*File[K], error) {
	f := &File[K]{name: name, path: path, parse: parse, looked: time.Now()}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// read reads the file. If that fails, the keys stay as they are.
func (f *File[K]) read() error {
	info, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.name, err)
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.name, err)
	}
	keys, err := f.parse(text, f.path)
	if err != nil {
		return err
	}
	f.keys, f.seen = keys, info
	return nil
}

// Keys returns the keys of the file. Unless now, it looks for a change of the
// file only every LookEvery. A file that cannot be read or parsed changes
// nothing: the keys in memory still work.
func (f *File[K]) Keys(now bool) K {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now || time.Since(f.looked) >= LookEvery {
		f.looked = time.Now()
		info, err := os.Stat(f.path)
		if err == nil && !(os.SameFile(info, f.seen) && info.ModTime().Equal(f.seen.ModTime())) {
			_ = f.read() // the next look tries again
		}
	}
	return f.keys
}

// Write writes text to a temporary file beside path that only its user can
// read, which place, such as os.Rename, then moves there.
func Write(path string, text []byte, place func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return place(f.Name(), path)
}
