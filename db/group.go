package db

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// group lets changes that wait for the one writer of SQLite share a transaction,
// and so one wait for the disk. A change that begins while none is running runs
// alone and at once. What comes meanwhile waits, and the first of it then runs all
// that waits. Each is a part of its own in their transaction (SAVEPOINT), so that
// one that fails leaves nothing behind, and none is answered before the commit. If
// their transaction fails as a whole, each runs alone when it is its turn.
type group struct {
	mu      sync.Mutex
	busy    bool // a change is running
	waiting []*waiting
}

// waiting is a change that waits for its turn, or has had it.
type waiting struct {
	ctx   context.Context
	f     func(context.Context, *txn) error
	alone bool      // shares no transaction any more
	turn  chan turn // is told once
}

// turn is what a change that waited is told: its end, or that it runs itself and
// those that wait.
type turn struct {
	leads    bool
	err      error
	panicked error
}

// mostInGroup bounds how many changes share a transaction.
const mostInGroup = 64

// changeInGroup runs f in a transaction of its own or in one with others. If ctx
// ends while it waits, f does not run; once it runs with others, it runs to its end.
func (s *Store) changeInGroup(ctx context.Context, f func(context.Context, *txn) error) error {
	g := s.group
	g.mu.Lock()
	if !g.busy {
		g.busy = true
		g.mu.Unlock()
		defer g.pass()
		return s.changeAlone(ctx, owner{}, f)
	}
	w := &waiting{ctx: ctx, f: f, turn: make(chan turn, 1)}
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
		return s.lead(w)
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

// others takes those that wait and may share the transaction of w.
func (g *group) others(w *waiting) []*waiting {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for !w.alone && n < len(g.waiting) && n < mostInGroup-1 && !g.waiting[n].alone {
		n++
	}
	taken := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	return taken
}

// giveBack makes changes wait again, before all others, each for a turn of its own.
func (g *group) giveBack(list []*waiting) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var again []*waiting
	for _, w := range list {
		if err := w.ctx.Err(); err != nil {
			w.turn <- turn{err: failed("begin", err)}
			continue
		}
		w.alone = true
		again = append(again, w)
	}
	g.waiting = append(again, g.waiting...)
}

// lead runs a change with those that wait, tells them their ends and returns its
// own.
func (s *Store) lead(w *waiting) error {
	others := s.group.others(w)
	if len(others) == 0 {
		return s.changeAlone(w.ctx, owner{}, w.f)
	}
	told := false
	defer func() {
		if !told {
			s.group.giveBack(others)
		}
	}()
	ends := s.changeTogether(append([]*waiting{w}, others...))
	if ends == nil {
		return s.changeAlone(w.ctx, owner{}, w.f)
	}
	for i, other := range others {
		other.turn <- ends[i+1]
	}
	told = true
	if ends[0].panicked != nil {
		panic(ends[0].panicked)
	}
	return ends[0].err
}

// changeTogether runs changes in one transaction and returns their ends, or nil if
// nothing was done because the transaction failed as a whole.
func (s *Store) changeTogether(all []*waiting) []turn {
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
		end, ok := s.changePart(ctx, tx, w)
		if !ok {
			return nil
		}
		ends = append(ends, end)
	}
	if s.refuseDamaged() != nil || begun.Commit() != nil {
		return nil
	}
	return ends
}

// changePart runs a change as a part of tx and returns its end. It reports false if
// the transaction was lost, as by a fault of the disk.
func (s *Store) changePart(ctx context.Context, tx *txn, w *waiting) (end turn, ok bool) {
	if _, err := tx.ExecContext(ctx, `SAVEPOINT change`); err != nil {
		return end, false
	}
	end = caught(func() error {
		if err := w.f(context.WithoutCancel(w.ctx), tx); err != nil || s.commit == nil {
			return err
		}
		return failed("commit", s.commit())
	})
	if end.err != nil || end.panicked != nil {
		if _, err := tx.ExecContext(ctx, `ROLLBACK TO change`); err != nil {
			return end, false
		}
	}
	_, err := tx.ExecContext(ctx, `RELEASE change`)
	return end, err == nil
}

// caught returns the end of f, a panic with its stack included, which belongs to the
// caller of the change and not to the one that runs it.
func caught(f func() error) (end turn) {
	defer func() {
		if r := recover(); r != nil {
			end.panicked = fmt.Errorf("%v\n%s", r, debug.Stack())
		}
	}()
	end.err = f()
	return end
}
