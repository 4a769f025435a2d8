package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// group commits concurrent SQLite changes together, so that they wait for the disk
// once. A change runs at once if the writer is idle. Changes that arrive meanwhile are
// queued; the first of them then runs the whole queue in one transaction, each in a
// SAVEPOINT, so that one that fails leaves nothing behind. No change returns before the
// commit. If the transaction fails as a whole, each change runs again, alone.
type group struct {
	mu    sync.Mutex
	busy  bool // a change is running
	queue []*queued
}

// queued is a change that waits for the writer, or has waited.
type queued struct {
	ctx    context.Context
	f      func(context.Context, *Tx) error
	alone  bool        // shares no transaction any more
	result chan result // receives one
}

// result is what a queued change receives: its outcome, or the task of running the
// queue.
type result struct {
	runsQueue bool
	err       error
	panicked  error
}

// maxBatch bounds how many changes share a transaction.
const maxBatch = 64

// end returns the outcome of a change to its caller.
func (r result) end() error {
	if r.panicked != nil {
		panic(r.panicked)
	}
	return r.err
}

// runGrouped runs f in a transaction of its own or in one with other changes. If ctx
// ends while f is queued, it does not run; once it runs with others, it runs to its end.
func (s *sqliteFile) runGrouped(ctx context.Context, f func(context.Context, *Tx) error) error {
	c := &queued{ctx: ctx, f: f, result: make(chan result, 1)}
	if r := s.group.enter(c); !r.runsQueue {
		return r.end()
	}
	defer s.group.next()
	if r := s.runQueue(c); r != nil {
		return r.end()
	}
	if err := s.refuse(); err != nil {
		return err
	}
	begun, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return Failed("begin", err)
	}
	return (&Tx{Tx: begun}).run(ctx, f, s.commit)
}

// enter returns the result of a change at once if the writer is idle, and else when it
// has one.
func (g *group) enter(c *queued) result {
	g.mu.Lock()
	if !g.busy {
		g.busy = true
		g.mu.Unlock()
		return result{runsQueue: true}
	}
	g.queue = append(g.queue, c)
	g.mu.Unlock()
	select {
	case r := <-c.result:
		return r
	case <-c.ctx.Done():
		if g.leave(c) {
			return result{err: Failed("begin", c.ctx.Err())}
		}
		return <-c.result
	}
}

// leave takes a change out of the queue and reports whether it was there.
func (g *group) leave(c *queued) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.queue, c)
	if i < 0 {
		return false
	}
	g.queue = slices.Delete(g.queue, i, i+1)
	return true
}

// next makes the first change of the queue run it.
func (g *group) next() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) == 0 {
		g.busy = false
		return
	}
	first := g.queue[0]
	g.queue = g.queue[1:]
	first.result <- result{runsQueue: true}
}

// batch takes the changes out of the queue that share the transaction of c, and returns
// all of them, c first.
func (g *group) batch(c *queued) []*queued {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.queue), maxBatch-1)
	if c.alone { // those that are alone come before all others
		n = 0
	}
	batch := append([]*queued{c}, g.queue[:n]...)
	g.queue = g.queue[n:]
	return batch
}

// requeue puts changes back before all others, each to run alone.
func (g *group) requeue(list []*queued) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var again []*queued
	for _, c := range list {
		if err := c.ctx.Err(); err != nil {
			c.result <- result{err: Failed("begin", err)}
			continue
		}
		c.alone = true
		again = append(again, c)
	}
	g.queue = append(again, g.queue...)
}

// runQueue runs a change and the queue in one transaction, sends the others their
// results and returns that of the change. It returns nil if there is no queue, or if
// nothing was stored because the transaction failed as a whole.
func (s *sqliteFile) runQueue(c *queued) (own *result) {
	batch := s.group.batch(c)
	if len(batch) == 1 {
		return nil
	}
	defer func() { // also after the end of the goroutine
		if own == nil {
			s.group.requeue(batch[1:])
		}
	}()
	// An interrupted statement would end the transaction of all. So a change goes
	// on, as a commit does, when its context ends.
	ctx := context.Background()
	begun, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil
	}
	defer func() { _ = begun.Rollback() }() // does nothing after the commit
	results := make([]result, len(batch))
	for i, c := range batch {
		if err := c.ctx.Err(); err != nil {
			results[i].err = Failed("begin", err)
			continue
		}
		var ok bool
		if results[i], ok = s.runInSavepoint(ctx, &Tx{Tx: begun}, c); !ok {
			return nil
		}
	}
	if s.refuse() != nil || begun.Commit() != nil {
		return nil
	}
	for i, other := range batch[1:] {
		other.result <- results[i+1]
	}
	return &results[0]
}

// runInSavepoint runs a change as a part of tx and returns its result. It reports false
// if the transaction was lost, as by a fault of the disk.
func (s *sqliteFile) runInSavepoint(ctx context.Context, tx *Tx, c *queued) (r result, ok bool) {
	if _, err := tx.ExecContext(ctx, `SAVEPOINT change`); err != nil {
		return r, false
	}
	r = recovered(func() error {
		if err := c.f(context.WithoutCancel(c.ctx), tx); err != nil || s.commit == nil {
			return err
		}
		return Failed("commit", s.commit())
	})
	if r.err != nil || r.panicked != nil {
		if _, err := tx.ExecContext(ctx, `ROLLBACK TO change`); err != nil {
			return r, false
		}
	}
	_, err := tx.ExecContext(ctx, `RELEASE change`)
	return r, err == nil
}

// recovered returns the result of f. A panic, with its stack, belongs to the caller of
// the change and not to the one that runs it.
func recovered(f func() error) (r result) {
	defer func() {
		if p := recover(); p != nil {
			r.panicked = fmt.Errorf("%v\n%s", p, debug.Stack())
		}
	}()
	r.err = f()
	return r
}
