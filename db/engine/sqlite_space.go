package engine

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"
)

const (
	// maxIdleLog is the size to which the write-ahead log is cut once its content
	// is in the file, in bytes.
	maxIdleLog = 4 << 20
	// freedAtOnce is how many pages are given back in one step, between which
	// other writers have their turn: 1 MiB.
	freedAtOnce = 256
)

// prepareSpace limits the log and reads what the last process left to do.
func (s *sqliteFile) prepareSpace(ctx context.Context) error {
	_, err := s.write.ExecContext(ctx, `PRAGMA journal_size_limit = `+strconv.Itoa(maxIdleLog))
	if err != nil {
		return Failed("limit log", err)
	}
	return s.readResidue(ctx)
}

// residueTimeout bounds how long Close rewrites the file, because the program
// must end in time.
const residueTimeout = 10 * time.Second

// setResidue stores whether copies of deleted rows may be left in the file, in
// a field of its head that has no other use here.
func setResidue(ctx context.Context, db interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, left bool,
) error {
	value := "0"
	if left {
		value = "1"
	}
	_, err := db.ExecContext(ctx, `PRAGMA application_id = `+value)
	return Failed("note residue", err)
}

// readResidue reads what setResidue stored.
func (s *sqliteFile) readResidue(ctx context.Context) error {
	var left bool
	err := s.write.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&left)
	s.residue.Store(left)
	return Failed("read residue", err)
}

// removeResidue rewrites the file if something was deleted. SQLite overwrites
// deleted rows, but not the copies that stay in the unused parts of pages when it
// moves rows to other pages. If there is no time or no room for that, the next
// Close tries again.
func (s *sqliteFile) removeResidue() {
	if !s.residue.Load() || s.refuse() != nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), residueTimeout)
	defer stop()
	_, err := s.write.ExecContext(ctx, `VACUUM`)
	if err == nil {
		err = setResidue(ctx, s.write, false)
	}
	if err != nil {
		s.logger.Warn("rewrite the database; parts of deleted rows may be left in it until the next stop",
			"file", s.path, "bytes", s.size(), "err", err)
	}
}

// giveBackSpace starts a goroutine that shortens the file after something was
// deleted, until Close.
func (s *sqliteFile) giveBackSpace() {
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.noticeFree() // what the last process did not finish
	s.wg.Go(func() {
		grown := time.NewTicker(reserveCheck) // sessions may have
		defer grown.Stop()
		for {
			var err error
			select {
			case <-s.freed:
				err = s.shorten(ctx)
			case <-grown.C:
			case <-ctx.Done():
				return
			}
			if err = errors.Join(err, s.renewReserve(ctx)); err != nil && ctx.Err() == nil {
				s.logger.Warn("give space back", "err", err) // the next deletion tries again
			}
		}
	})
}

// shorten removes the free pages from the file, step by step.
func (s *sqliteFile) shorten(ctx context.Context) error {
	before := -1
	for ctx.Err() == nil && s.refuse() == nil {
		var free int
		if err := s.read.QueryRowContext(ctx, `PRAGMA freelist_count`).Scan(&free); err != nil {
			return Failed("count free pages", err)
		}
		if free == 0 || free == before { // or the file cannot give space back
			break
		}
		before = free
		err := s.freeing(ctx, func() error { return Failed("give space back", s.freePages(ctx)) })
		if err != nil {
			return err
		}
	}
	if before < 0 && !s.uncopied || s.refuse() != nil {
		return nil
	}
	return s.copyLog(ctx)
}

// copyLog copies the write-ahead log into the file, which is what shortens it. A
// passive copy waits for no reader, so it is tried again while one still reads what
// was there before.
func (s *sqliteFile) copyLog(ctx context.Context) error {
	s.uncopied = true
	for pause := firstPause; s.refuse() == nil; pause = min(2*pause, lastPause) {
		var busy, frames, copied int
		err := s.write.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &frames, &copied)
		if s.uncopied = err != nil || busy != 0 || copied < frames; err != nil || !s.uncopied {
			return Failed("copy log", err)
		}
		select {
		case <-time.After(pause):
		case <-s.freed:
			s.noticeFree() // more was deleted, which is given back before the log is copied
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// The time between two tries to copy the whole log.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 10 * time.Second
)

// freePages gives back up to freedAtOnce pages in one transaction. The pragma
// frees one page per row that is read.
func (s *sqliteFile) freePages(ctx context.Context) error {
	rows, err := s.write.QueryContext(ctx, `PRAGMA incremental_vacuum(`+strconv.Itoa(freedAtOnce)+`)`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
