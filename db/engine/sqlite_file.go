package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"
)

// sqliteFile is an open database of SQLite.
type sqliteFile struct {
	*core
	path    string
	lock    *flock.Flock // held while the file is open
	file    os.FileInfo  // of the file that was opened, to notice when path names another one
	group   *group       // of changes that wait for the writer
	residue atomic.Bool  // copies of deleted rows may be left in the file
	damage  damage       // that was found while the file is open
	reserve *reserve     // space for deletions and the start

	freed    chan struct{} // has an entry when pages may be free
	uncopied bool          // a log must be copied into the file to shorten it
	stop     context.CancelFunc
	wg       sync.WaitGroup // of the goroutines that give space back and check the file
}

// size returns the size of the file in bytes for the log, or 0 if it is gone.
func (s *sqliteFile) size() int64 {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// noticeFree makes giveBackSpace look for free pages.
func (s *sqliteFile) noticeFree() {
	select {
	case s.freed <- struct{}{}:
	default: // it is going to look
	}
}

// private is the mode of every file: of the database, its log, its shared
// memory and its lock. SQLite gives the first three the mode of the database,
// and its temporary files the same.
const private fs.FileMode = 0o600

// makePrivate creates the file of a database and takes the rights of others
// from all its files.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, private)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", "-lock"} {
		info, err := os.Stat(path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode().Perm()&^private != 0 {
			err = os.Chmod(path+suffix, private)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// used are the pages of the file that are in use.
func (*sqliteFile) used() string {
	return `(SELECT (c.page_count - f.freelist_count) * z.page_size
	  FROM pragma_page_count() c, pragma_freelist_count() f, pragma_page_size() z)`
}

// below adds up the file and the log, which may hold pages that the file does not have yet.
func (s *sqliteFile) below(bytes int64) bool {
	sum := int64(0)
	for _, path := range []string{s.path, s.path + "-wal"} {
		info, err := os.Stat(path)
		if err != nil {
			return false
		}
		sum += info.Size()
	}
	return sum < bytes
}

// free are the others.
func (*sqliteFile) free() string {
	return `(SELECT f.freelist_count * z.page_size
	  FROM pragma_freelist_count() f, pragma_page_size() z)`
}
