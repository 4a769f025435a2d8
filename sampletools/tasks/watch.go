package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
)

// maxPending bounds the statuses that a Watch keeps for a reader that is slower
// than its tasks. When the limit is reached, a new status replaces the last one.
const maxPending = 100

// Watch follows some tasks of one owner (ext-tasks, "Task Status
// Notifications"). Its reader gets the current status of each, and then every
// change of status, status message or questions until the task is over.
type Watch struct {
	runner *Runner
	ids    []string
	wake   chan struct{}
	stops  []func() // end the hearing of other processes

	mu      sync.Mutex
	open    map[string]Task // the last status of each task that is not over
	pending []Task
}

// Watch returns a Watch of those tasks that the owner may see. Close must be
// called to release it.
func (r *Runner) Watch(owner string, ids []string) *Watch {
	w := &Watch{runner: r, wake: make(chan struct{}, 1), open: map[string]Task{}}
	if !r.store.Shared() {
		r.publishing.Lock() // so that no change falls between Get and the registration
		defer r.publishing.Unlock()
	}
	for _, id := range ids {
		t, err := r.Get(owner, id)
		if err != nil || slices.Contains(w.ids, id) {
			continue
		}
		w.ids = append(w.ids, id)
		w.pending = append(w.pending, t)
		if !t.Status.Over() {
			w.open[id] = t
		}
	}
	if r.store.Shared() {
		r.publishing.Lock()
		defer r.publishing.Unlock()
	}
	if len(w.open) > 0 {
		r.watches[w] = struct{}{}
	}
	for _, id := range slices.Collect(maps.Keys(w.open)) { // the first look is at what changed meanwhile
		w.stops = append(w.stops, r.follow(id, func(t Task, err error) { r.publish(w, id, t, err) }))
	}
	return w
}

// publish notifies a watch of a change by another process.
func (r *Runner) publish(w *Watch, id string, t Task, err error) {
	if err != nil && !errors.Is(err, ErrUnknown) {
		return // it is tried again
	}
	r.publishing.Lock()
	defer r.publishing.Unlock()
	w.publish(id, t, err)
}

// IDs returns the ids of the tasks that are watched.
func (w *Watch) IDs() []string { return slices.Clone(w.ids) }

// Next waits for the next status of a task. It reports false when all tasks are
// over and their statuses were read, or the context is done.
func (w *Watch) Next(ctx context.Context) (Task, bool) {
	for {
		w.mu.Lock()
		if len(w.pending) > 0 {
			t := w.pending[0]
			w.pending = w.pending[1:]
			w.mu.Unlock()
			return t, true
		}
		over := len(w.open) == 0
		w.mu.Unlock()
		if over {
			return Task{}, false
		}
		select {
		case <-ctx.Done():
			return Task{}, false
		case <-w.wake:
		}
	}
}

// Close ends the watch.
func (w *Watch) Close() {
	for _, stop := range w.stops {
		stop()
	}
	w.runner.publishing.Lock()
	defer w.runner.publishing.Unlock()
	delete(w.runner.watches, w)
}

// change changes a task and publishes its new status.
func (r *Runner) change(id string, f func(*Task)) (Task, error) {
	if r.store.Shared() { // its versions keep changes in order
		t, err := r.store.Change(id, f)
		if errors.Is(err, ErrAway) {
			return t, err
		}
		r.publishing.Lock()
		defer r.publishing.Unlock()
		r.publishAll(id, t, err)
		return t, err
	}
	r.publishing.Lock()
	defer r.publishing.Unlock()
	t, err := r.store.Change(id, f)
	r.publishAll(id, t, err)
	return t, err
}

// publishAll notifies all watches of a change. r.publishing must be held.
func (r *Runner) publishAll(id string, t Task, err error) {
	for w := range r.watches {
		w.publish(id, t, err)
	}
}

// publish adds a changed task. An error means that the task is no longer there,
// so nothing more can follow.
func (w *Watch) publish(id string, t Task, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last, open := w.open[id]
	switch {
	case !open:
		return
	case err != nil:
		delete(w.open, id)
	case t.version < last.version || !t.differs(last):
		return
	default:
		if len(w.pending) >= maxPending {
			w.pending = w.pending[:maxPending-1]
		}
		w.pending = append(w.pending, t)
		if w.open[id] = t; t.Status.Over() {
			delete(w.open, id)
		}
	}
	select {
	case w.wake <- struct{}{}:
	default: // the reader is about to look already
	}
}

// differs reports whether a client sees more than another lastUpdatedAt.
func (t Task) differs(last Task) bool {
	same := func(a, b json.RawMessage) bool { return string(a) == string(b) }
	return t.Status != last.Status || t.StatusMessage != last.StatusMessage ||
		!maps.EqualFunc(t.InputRequests, last.InputRequests, same)
}
