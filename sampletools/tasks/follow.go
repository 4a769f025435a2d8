package tasks

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// follower hears of the changes that other processes make to one task, for all
// that want to know in this process.
type follower struct {
	cancel  context.CancelFunc
	hearers map[*hearer]struct{}
}

type hearer struct{ hear func(Task, error) }

// follow calls hear after changes of a task by other processes, until stop, or
// until the task is over. Without other processes it does nothing.
func (r *Runner) follow(id string, hear func(Task, error)) (stop func()) {
	if !r.store.Shared() {
		return func() {}
	}
	h := &hearer{hear}
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.followers[id]
	if f == nil {
		ctx, cancel := context.WithCancel(r.ctx)
		f = &follower{cancel, map[*hearer]struct{}{}}
		r.followers[id] = f
		r.done.Go(func() { r.hearAll(ctx, id, f) })
	}
	f.hearers[h] = struct{}{}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if delete(f.hearers, h); len(f.hearers) == 0 {
			r.unfollow(id, f)
		}
	}
}

// unfollow ends a follower. r.mu must be held.
func (r *Runner) unfollow(id string, f *follower) {
	f.cancel()
	if r.followers[id] == f {
		delete(r.followers, id)
	}
}

// hearAll reads a task when it has changed, and notifies the hearers.
func (r *Runner) hearAll(ctx context.Context, id string, f *follower) {
	for version := -1; ctx.Err() == nil; {
		changed, stop := r.store.Changes(id)
		select {
		case <-changed:
		case <-ctx.Done():
		}
		stop()
		now, orphaned, err := r.store.Version(id)
		if ctx.Err() != nil || err == nil && now == version && !orphaned {
			continue
		}
		var t Task
		if err == nil {
			t, err = r.store.Get(id)
		}
		gone := errors.Is(err, ErrUnknown)
		if err != nil && !gone {
			continue // the table is away
		}
		version = now
		r.mu.Lock()
		hearers := slices.Collect(maps.Keys(f.hearers))
		over := gone || t.Status.Over()
		if over {
			r.unfollow(id, f)
		}
		r.mu.Unlock()
		for _, h := range hearers {
			h.hear(t, err)
		}
		if !over && r.isLeft(t) {
			r.adopt(t)
		}
	}
}

// isLeft reports whether nothing does the work of a task: its process is gone, or
// it is this one, which lost it while the table was away.
func (r *Runner) isLeft(t Task) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !t.Status.Over() && r.handles[t.ID] == nil && (t.Orphaned || r.store.Shared() && !t.Elsewhere)
}
