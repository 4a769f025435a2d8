package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// How to follow a log that another process runs.
const (
	slowPoll  = 2 * time.Second        // without a notification
	yieldPoll = 100 * time.Millisecond // while its holder is busy
	yieldWait = 2 * time.Second        // until a running poll is given up
	cancelTTL = 5 * time.Second        // for a cancellation to be answered
)

// fetch takes over a log that another process holds, so that a decision can be made
// here, and returns the exchange with the log as it is now. The holder of an open call
// of a legacy server makes the decision itself; fetch then returns the Run.
func (r *Runner) fetch(ctx context.Context, x playground.Exchange, c decide) (
	playground.Exchange, *Run, error) {
	if r.cfg.Replicas == nil || r.actor(x.ID) != nil || len(x.Log) == 0 {
		return x, nil, nil
	}
	end, err := r.cfg.Replicas.End(ctx, x.ID)
	if err != nil || !end.Elsewhere {
		return x, nil, err
	}
	if x.Target.Era == playground.Legacy || playground.EraOf(x.Log) == playground.Legacy {
		e := c.d.Event(r.cfg.Now()).Redact(x.Target.Secrets)
		err := r.ask(ctx, x.ID, letter{Do: "decide", Event: &e})
		if isGone(err) {
			return x, nil, nil
		}
		return x, &Run{far: &far{r, x}, x: x}, err
	}
	begun := time.Now()
	for {
		force := time.Since(begun) >= yieldWait
		err := r.ask(ctx, x.ID, letter{Do: "yield", Heir: r.cfg.Replicas.ID(), Force: force})
		if err == nil || isGone(err) {
			break
		}
		if !errors.Is(err, errBusy) || time.Since(begun) > 2*yieldWait {
			return x, nil, errors.Join(playground.ErrNotOpen, err)
		}
		select {
		case <-time.After(yieldPoll):
		case <-ctx.Done():
			return x, nil, ctx.Err()
		}
	}
	if x.Log, err = r.stored(ctx, x); err == nil {
		_, err = r.start(x, adopt{x}) // so that it goes on even if the decision is refused
	}
	return x, nil, err
}

// isGone reports whether no other process runs the log any more.
func isGone(err error) bool {
	return errors.Is(err, playground.ErrNotFound) || errors.Is(err, errIdle)
}

// stored returns the log of an exchange as it is stored, with the secrets that x
// can open.
func (r *Runner) stored(ctx context.Context, x playground.Exchange) ([]playground.Event, error) {
	log, err := r.cfg.Replicas.Log(ctx, x.ID)
	for i := 0; i < len(log) && err == nil; i++ {
		log[i], err = log[i].Reveal(x.Target.Secrets)
	}
	return log, err
}

// cancelElsewhere is Cancel for a log that another process may run.
func (r *Runner) cancelElsewhere(id string) bool {
	if r.cfg.Replicas == nil {
		return false
	}
	ctx, stop := context.WithTimeout(r.ctx, cancelTTL)
	defer stop()
	return r.ask(ctx, id, letter{Do: "cancel"}) == nil
}

// watchElsewhere is Watch for a log that another process may run.
func (r *Runner) watchElsewhere(ctx context.Context, id string, after int) (<-chan struct{}, bool) {
	if r.cfg.Replicas == nil {
		return nil, false
	}
	heard, stop := r.cfg.Replicas.Changes(id)
	end, err := r.cfg.Replicas.End(ctx, id)
	if err != nil || !end.Elsewhere {
		stop()
		return nil, false
	}
	log, err := r.cfg.Replicas.Log(ctx, id)
	if err != nil {
		stop()
		return nil, false
	}
	if after >= 0 && fingerprint(upTo(log, after)) != fingerprint(log) {
		stop()
		return closedChannel, end.Running
	}
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		defer stop()
		r.awaitFingerprint(ctx, id, end, fingerprint(log), heard)
	}()
	return changed, end.Running
}

// upTo returns the events of a log until it had come to a progress.
func upTo(log []playground.Event, progress int) []playground.Event {
	n := 0
	for i := range log {
		before := n
		if n += playground.Progress(log[i : i+1]); n <= progress {
			continue
		}
		if before < progress {
			i++ // a count that was smaller then
		}
		return log[:i]
	}
	return log
}

// fingerprint returns a text that changes when a page that shows the log must be drawn
// again.
func fingerprint(log []playground.Event) string {
	f := playground.Fold(log)
	if last := f.Last(); last != nil && (last.Task != nil || last.LegacyTask != nil) {
		return glance(f)
	}
	return fmt.Sprint(len(log))
}

// awaitFingerprint returns when the holder of a log has announced a change,
// when the log has visibly changed without an announcement, or when ctx ends.
func (r *Runner) awaitFingerprint(
	ctx context.Context, id string, end playground.LogEnd, known string, heard <-chan struct{},
) {
	for {
		told := r.awaitChange(ctx, id, end, heard)
		if told || ctx.Err() != nil {
			return
		}
		now, err := r.cfg.Replicas.End(ctx, id)
		if err != nil {
			continue
		}
		log, err := r.cfg.Replicas.Log(ctx, id)
		if err != nil {
			continue
		}
		if fingerprint(log) != known || now.Elsewhere != end.Elsewhere || now.Running != end.Running {
			return
		}
		end = now
	}
}

// awaitChange returns when a log that was at end has changed, or ctx ends, and
// whether its holder has announced that.
func (r *Runner) awaitChange(ctx context.Context, id string, end playground.LogEnd,
	heard <-chan struct{}) (told bool) {
	tick := time.NewTicker(slowPoll)
	defer tick.Stop()
	for {
		select {
		case <-heard:
			return true
		case <-tick.C:
			now, err := r.cfg.Replicas.End(ctx, id)
			if err == nil && now != end {
				return false
			}
		case <-ctx.Done():
			return false
		}
	}
}

// awaitElsewhere returns when enough reports that a log has come far enough which
// another process may run, when none does, or when ctx ends.
func (r *Runner) awaitElsewhere(ctx context.Context, id string, enough func(playground.LogEnd) bool) {
	for r.cfg.Replicas != nil && ctx.Err() == nil {
		heard, stop := r.cfg.Replicas.Changes(id)
		end, err := r.cfg.Replicas.End(ctx, id)
		if err == nil && (!end.Elsewhere || enough(end)) {
			stop()
			return
		}
		r.awaitChange(ctx, id, end, heard)
		stop()
	}
}

func isQuiet(end playground.LogEnd) bool { return !end.Running }

// isAnswered reports whether the newest request has its answer.
func isAnswered(end playground.LogEnd) bool {
	return !end.Running || end.Kind != playground.Sent && end.Kind != playground.Decided
}

// far is an exchange that another process runs.
type far struct {
	r *Runner
	x playground.Exchange
}

// await is actor.await for the stored part of the log.
func (f far) await(ctx context.Context, enough func(*view) bool) *view {
	v := &view{log: f.x.Log, running: true}
	f.r.awaitElsewhere(ctx, f.x.ID, func(playground.LogEnd) bool {
		f.load(ctx, v)
		return enough(v)
	})
	f.load(context.WithoutCancel(ctx), v)
	return v
}

// load reads the log into v, unless the storage is away.
func (f far) load(ctx context.Context, v *view) {
	log, err := f.r.stored(ctx, f.x)
	if err != nil {
		return
	}
	s := call{f.x, f.r.cfg.Client}.read(log, new(playground.Reader))
	last := s.transcript.Last()
	v.log, v.running = log, s.running()
	v.answered = last != nil && last.Task != nil && last.Kind != playground.OutcomePending
}
