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
