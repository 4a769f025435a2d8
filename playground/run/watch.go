package run

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// view is the visible state of an actor.
type view struct {
	log      []playground.Event
	progress int           // of the log, now
	seq      int           // progress of the log at the last change that watchers hear of
	running  bool          // an answer is still open
	held     bool          // a process must hold the log
	answered bool          // the newest request has its answer; only a task is followed
	glance   string        // the visible part of a task that is polled
	changed  chan struct{} // closed at the next change that watchers hear of
}

// snapshot returns the view of the current state.
func (a *actor) snapshot() *view {
	progress := playground.Progress(a.log)
	v := &view{log: a.log, progress: progress, seq: progress, running: a.state.running() ||
		a.cancelling(), held: a.state.holds(), changed: make(chan struct{})}
	last := a.state.transcript.Last()
	v.answered = last != nil && last.Task != nil && last.Kind != playground.OutcomePending
	if last != nil && (a.newest != nil && a.newest.poll || last.LegacyTask != nil) {
		v.glance = glance(a.state.transcript)
	}
	return v
}

// cancelling reports whether an open call was cancelled whose end is not in the
// log yet.
func (a *actor) cancelling() bool {
	return a.session != nil && a.session.ctx.Err() != nil && a.state.waiting()
}

// publish shows changes to watchers. While a task is polled they hear only of
// changes that a page shows: a page that is redrawn at every poll cannot be
// read, and its buttons can hardly be pressed.
func (a *actor) publish() {
	old, v := a.view.Load(), a.snapshot()
	same := v.progress == old.progress || v.glance != "" && v.glance == old.glance
	if same && v.running == old.running && v.answered == old.answered {
		v.seq, v.changed = old.seq, old.changed
		a.view.Store(v)
		return
	}
	a.view.Store(v)
	close(old.changed)
	if a.r.cfg.Replicas != nil {
		a.r.cfg.Replicas.Changed(a.id)
	}
}

// glance is the part of a task that a page shows. The number of polls is shown
// as it doubles.
func glance(f playground.Transcript) string {
	last := f.Last()
	text := fmt.Sprint(f.Status, last.N, last.Kind, bits.Len(uint(last.Polls)))
	for _, task := range []*playground.Task{last.Task, last.LegacyTask} {
		if task != nil {
			text += fmt.Sprint(task.Status, len(task.Messages))
		}
	}
	return text
}

// Busy reports whether anything is going on for a log in this process: a running request, a
// task that is polled, or the open call of a legacy server, which lasts while
// its user thinks.
func (r *Runner) Busy(id string) bool { return r.actor(id) != nil }

// Watch returns a channel that is closed when the log changes next, and whether
// a request is running whose answer is still open. after is the
// playground.Progress of the log that the caller knows: if the log has visibly
// changed since, the channel is closed already. Use -1 to hear of changes from
// now on. The channel is of no use after ctx has ended.
func (r *Runner) Watch(ctx context.Context, id string, after int) (changed <-chan struct{}, running bool) {
	a := r.actor(id)
	if a == nil {
		return r.watchElsewhere(ctx, id, after)
	}
	v := a.view.Load()
	if after >= 0 && v.seq > after {
		return closedChannel, v.running
	}
	return v.changed, v.running
}

var closedChannel = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Wait returns when nothing is running for the log, or when ctx ends.
func (r *Runner) Wait(ctx context.Context, id string) {
	if a := r.actor(id); a != nil {
		a.await(ctx, func(v *view) bool { return !v.running })
		return
	}
	r.awaitElsewhere(ctx, id, isQuiet)
}

// Answered returns when the newest request has its answer, although the log may
// go on with polls of a task, or when ctx ends.
func (r *Runner) Answered(ctx context.Context, id string) {
	if a := r.actor(id); a != nil {
		a.await(ctx, func(v *view) bool { return !v.running || v.answered })
		return
	}
	r.awaitElsewhere(ctx, id, isAnswered)
}

// await returns the view once it is enough, the actor has ended, or ctx has.
func (a *actor) await(ctx context.Context, enough func(*view) bool) *view {
	for {
		over := isClosed(a.done)
		v := a.view.Load()
		if over || enough(v) {
			return v
		}
		select {
		case <-v.changed:
		case <-ctx.Done():
			return v
		}
	}
}

// Run is an exchange that something was started for.
type Run struct {
	a   *actor
	far *far // in place of a, if another process runs it
	x   playground.Exchange
}

func (r Run) await(ctx context.Context, enough func(*view) bool) *view {
	if r.far != nil {
		return r.far.await(ctx, enough)
	}
	return r.a.await(ctx, enough)
}

// Wait returns the exchange, its log as it came and secrets included, once
// nothing of it is running or ctx has ended.
func (r Run) Wait(ctx context.Context) playground.Exchange {
	r.x.Log = r.await(ctx, func(v *view) bool { return !v.running }).log
	return r.x
}

// Until returns the exchange as Wait does, or earlier: once enough reports that
// its transcript has the event that the caller waits for. Polls that show
// nothing new are not asked about.
func (r Run) Until(ctx context.Context, enough func(playground.Transcript) bool) playground.Exchange {
	r.x.Log = r.await(ctx, func(v *view) bool {
		x := r.x
		x.Log = v.log
		return !v.running || enough(x.Fold())
	}).log
	return r.x
}

// Settle returns the exchange as Wait does, but waits no longer than limit for
// the answer, and then only a quarter of it for a call that goes on as a task,
// which may be done soon.
func (r Run) Settle(ctx context.Context, limit time.Duration) playground.Exchange {
	answered, stop := context.WithTimeout(ctx, limit)
	defer stop()
	r.await(answered, func(v *view) bool { return !v.running || v.answered })
	ended, stop := context.WithTimeout(ctx, limit/4)
	defer stop()
	return r.Wait(ended)
}
