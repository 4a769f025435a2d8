package run

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Wait returns when nothing is under way for the log, or when ctx ends.
func (r *Runner) Wait(ctx context.Context, id string) {
	r.await(ctx, id, func(*job) bool { return false })
}

// Answered returns when the request under way has its answer, although the log
// may go on by itself with polls for a task, or when ctx ends.
func (r *Runner) Answered(ctx context.Context, id string) { r.await(ctx, id, (*job).follows) }

// await returns when nothing is under way for the log, when what is under way is
// enough, or when ctx ends. enough is called with the job locked.
func (r *Runner) await(ctx context.Context, id string, enough func(*job) bool) {
	for {
		j := r.job(id)
		if j == nil {
			return
		}
		j.mu.Lock()
		changed, done := j.changed, !j.running() || enough(j)
		j.mu.Unlock()
		if done {
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
	j := r.job(id)
	if j == nil {
		return nil, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.changed, j.running()
}

// job is the job of a log; nil when nothing is done with it.
func (r *Runner) job(id string) *job {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.live[id]
}

func (j *job) running() bool {
	return j.ending || j.last.Status == string(playground.StatusRunning) || j.last.Status == server.Connecting
}

// follows reports whether all that is under way is to follow a task. j is locked.
func (j *job) follows() bool {
	last := j.folded.Last()
	return last != nil && last.Task != nil && last.Outcome != playground.OutcomePending
}
