package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// What frees space on a disk needs some first: a deletion is written to the log before
// the file can shrink, and a start writes, too. So a file beside the database takes
// space that is given up for these two. While it is given up, nothing new is stored, so
// that nothing else uses that space.

const (
	reserveName  = "-reserve" // of the file, behind the path of the database
	leastReserve = 4 << 20    // bytes
	reserveCheck = 5 * time.Minute
	reserveRetry = time.Second // between two tries to store
)

// reserve is the file.
type reserve struct {
	path string

	mu   sync.Mutex // held by what uses the space that was given up
	kept bool       // there is to be a reserve
	size int64      // that the file has; 0 while it is given up

	now   func() time.Time
	tried time.Time // when the last try failed to take it; zero after the space was given up
	full  error     // of that try
}

// state returns whether there is to be a reserve, and whether it is not given up.
func (r *reserve) state() (kept, whole bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept, r.size > 0
}

// keepReserve takes space for deletions and the next start, until Close.
func (s *sqliteFile) keepReserve(ctx context.Context) error {
	s.reserve.mu.Lock()
	s.reserve.kept = true
	s.reserve.mu.Unlock()
	err := s.takeReserve(ctx)
	s.noticeFree() // which checks the size from now on
	if errors.Is(err, playground.ErrFull) {
		s.logger.Warn("the disk is full: nothing new is stored until there is room", "file", s.path)
		return nil
	}
	return err
}

// takeReserve makes the file as large as it must be, or returns playground.ErrFull.
func (s *sqliteFile) takeReserve(ctx context.Context) error {
	want, err := s.reserveSize(ctx)
	if err != nil {
		return err
	}
	s.reserve.mu.Lock()
	defer s.reserve.mu.Unlock()
	return s.reserve.take(want)
}

// reserveSize returns the size that the file must have: twice that of the largest
// session, whose every page a deletion writes.
func (s *sqliteFile) reserveSize(ctx context.Context) (int64, error) {
	var largest int64
	err := s.read.QueryRowContext(ctx,
		s.schema.Largest).Scan(&largest)
	return max(leastReserve, 2*largest), Failed("measure what is deleted at once", err)
}

// take makes the file at least as large as want. What it writes is random, because some
// file systems store nothing for zeros.
func (r *reserve) take(want int64) error {
	if r.size >= want {
		return nil
	}
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, private)
	if err == nil {
		_, err = io.CopyN(f, rand.Reader, want-r.size)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		_ = os.Truncate(r.path, r.size) // the file is no larger than before
		return fmt.Errorf("reserve space: %w: %w", playground.ErrFull, err)
	}
	r.size = want
	return nil
}

// giveUp makes the space of the file free.
func (r *reserve) giveUp() error {
	r.size, r.tried = 0, time.Time{}
	if err := os.Remove(r.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("give the reserve up: %w", err)
	}
	return nil
}

// admit returns playground.ErrFull while the reserve is given up and there is no room to
// take it again. A try sums all sessions and may write megabytes, so that not every change
// makes one.
func (s *sqliteFile) admit(ctx context.Context) error {
	r := s.reserve
	if kept, whole := r.state(); !kept || whole {
		return nil
	}
	if err := r.lately(); err != nil {
		return err
	}
	err := s.takeReserve(ctx)
	if errors.Is(err, playground.ErrFull) {
		r.remember(err)
	}
	return err
}

// lately returns the error of a try that failed less than reserveRetry ago, or nil.
func (r *reserve) lately() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if since := r.now().Sub(r.tried); since < 0 || since >= reserveRetry {
		return nil
	}
	return r.full
}

// remember remembers a try that failed.
func (r *reserve) remember(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tried, r.full = r.now(), err
}

// shortenLog copies the write-ahead log into the file, and gives its space back unless
// something is read from it.
func (s *sqliteFile) shortenLog(ctx context.Context) error {
	_, err := s.write.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return Failed("shorten log", err)
}

// freeing runs f, which makes room but may need some first. If the disk is full, f runs
// again with the space of the reserve.
func (s *sqliteFile) freeing(ctx context.Context, f func() error) error {
	r := s.reserve
	kept, whole := r.state()
	if !kept {
		return f()
	}
	if whole {
		if err := f(); !errors.Is(err, playground.ErrFull) {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.giveUp(); err != nil {
		return err
	}
	if err := s.shortenLog(ctx); err != nil {
		return err
	}
	return f()
}

// renewReserve takes the reserve again once there is room for it.
func (s *sqliteFile) renewReserve(ctx context.Context) error {
	kept, whole := s.reserve.state()
	if !kept || s.refuse() != nil {
		return nil
	}
	if !whole { // the log may take the room
		if err := s.shortenLog(ctx); err != nil {
			return err
		}
	}
	err := s.takeReserve(ctx)
	if errors.Is(err, playground.ErrFull) {
		return nil // the next change tries again
	}
	return err
}
