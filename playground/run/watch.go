package run

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Wait returns when nothing is under way for the log, or when ctx ends.
func (r *Runner) Wait(ctx context.Context, id string) {
	for {
		changed, running := r.Watch(id)
		if !running {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// Answered returns when the request under way has its answer, although the log
// may go on by itself with polls for a task, or when ctx ends.
func (r *Runner) Answered(ctx context.Context, id string) {
	for {
		changed, running := r.Watch(id)
		if !running || r.follows(id) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// follows reports whether all that is under way is to follow a task.
func (r *Runner) follows(id string) bool {
	r.mu.Lock()
	j := r.live[id]
	r.mu.Unlock()
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	last := j.folded.Last()
	return last != nil && last.Task != nil && last.Outcome != playground.OutcomePending
}

// Watch returns a channel that is closed when the log changes next, and
// whether a request is under way whose answer is still open.
func (r *Runner) Watch(id string) (changed <-chan struct{}, running bool) {
	r.mu.Lock()
	j := r.live[id]
	r.mu.Unlock()
	if j == nil {
		return nil, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.changed, j.running()
}

func (j *job) running() bool {
	return j.ending || j.last.Status == string(playground.StatusRunning) || j.last.Status == playground.Connecting
}
