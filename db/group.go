package db

import (
	"context"
	"sync"
)

// group lets changes that wait for the one writer of SQLite share a transaction,
// and so one wait for the disk. A change that begins while none is running runs
// alone and at once. What comes meanwhile waits, and the first of it then runs all
// that waits. Each is a part of its own in their transaction (SAVEPOINT), so that
// one that fails leaves nothing behind, and none is answered before the commit.
type group struct {
	mu      sync.Mutex
	busy    bool // a change is running
	waiting []*waiting
}

// waiting is a change that waits for its turn, or has had it.
type waiting struct {
	ctx  context.Context
	f    func(context.Context, *txn) error
	turn chan turn // is told once
}

// turn is what a change that waited is told: its end, or that it runs the others
// and itself.
type turn struct {
	leads    bool
	err      error
	panicked any
}

// mostInGroup bounds how many changes share a transaction.
const mostInGroup = 64

// changeInGroup runs f in a transaction of its own or in one with others.
func (s *Store) changeInGroup(ctx context.Context, f func(context.Context, *txn) error) error {
	g := s.group
	g.mu.Lock()
	if !g.busy {
		g.busy = true
		g.mu.Unlock()
		defer g.pass()
		return s.changeAlone(ctx, owner{}, f)
	}
	w := &waiting{ctx, f, make(chan turn, 1)}
	g.waiting = append(g.waiting, w)
	g.mu.Unlock()
	return s.await(w)
}

// await waits for the turn of a change, and takes it.
func (s *Store) await(w *waiting) error {
	var now turn
	select {
	case now = <-w.turn:
	case <-w.ctx.Done():
		if s.group.leave(w) {
			return failed("begin", w.ctx.Err())
		}
		now = <-w.turn
	}
	if now.leads {
		defer s.group.pass()
		now = s.lead(w)
	}
	if now.panicked != nil {
		panic(now.panicked)
	}
	return now.err
}

// leave takes a change out of those that wait and reports whether it was there.
func (g *group) leave(w *waiting) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.waiting {
		if other == w {
			g.waiting = append(g.waiting[:i:i], g.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// pass ends a turn and gives the next one to the first change that waits.
func (g *group) pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.busy = false
		return
	}
	first := g.waiting[0]
	g.waiting = g.waiting[1:]
	first.turn <- turn{leads: true}
}

// lead runs a change with those that wait, tells them their ends and returns its
// own.
func (s *Store) lead(w *waiting) turn {
	g := s.group
	g.mu.Lock()
	n := min(len(g.waiting), mostInGroup-1)
	all := append([]*waiting{w}, g.waiting[:n]...)
	g.waiting = g.waiting[n:]
	g.mu.Unlock()
	var ends []turn
	if n > 0 {
		ends = s.changeTogether(all)
	}
	if ends == nil {
		for _, w := range all {
			ends = append(ends, s.changeOne(w))
		}
	}
	for i, w := range all[1:] {
		w.turn <- ends[i+1]
	}
	return ends[0]
}

// changeOne runs one change in a transaction of its own.
func (s *Store) changeOne(w *waiting) turn {
	return caught(func() error { return s.changeAlone(w.ctx, owner{}, w.f) })
}

// changeTogether runs changes in one transaction and returns their ends, or nil if
// nothing was done because the transaction failed as a whole.
func (s *Store) changeTogether(all []*waiting) []turn {
	if s.refuseDamaged() != nil {
		return nil
	}
	// An interrupted statement would end the transaction of all. So a change goes
	// on, as a commit does, when its context ends.
	ctx := context.Background()
	begun, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil
	}
	defer func() { _ = begun.Rollback() }() // does nothing after the commit
	tx := &txn{Tx: begun, dialect: s.dialect}
	var ends []turn
	for _, w := range all {
		if err := w.ctx.Err(); err != nil {
			ends = append(ends, turn{err: failed("begin", err)})
			continue
		}
		if _, err := tx.ExecContext(ctx, `SAVEPOINT change`); err != nil {
			return nil
		}
		end := caught(func() error {
			if err := w.f(context.WithoutCancel(w.ctx), tx); err != nil || s.commit == nil {
				return err
			}
			return failed("commit", s.commit())
		})
		if end.failed() {
			// A fault of the disk has ended the transaction, and this fails.
			if _, err := tx.ExecContext(ctx, `ROLLBACK TO change`); err != nil {
				return nil
			}
		}
		if _, err := tx.ExecContext(ctx, `RELEASE change`); err != nil {
			return nil
		}
		ends = append(ends, end)
	}
	if err := begun.Commit(); err != nil {
		return nil
	}
	return ends
}

func (t turn) failed() bool { return t.err != nil || t.panicked != nil }

// caught returns the end of f, a panic included, which belongs to the caller of
// the change and not to the one that runs it.
func caught(f func() error) (end turn) {
	defer func() {
		if r := recover(); r != nil {
			end.panicked = r
		}
	}()
	end.err = f()
	return end
}
