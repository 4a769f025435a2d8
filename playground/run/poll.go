package run

import (
	"context"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Resume goes on with what an earlier process left under way. A task lives at
// its server, so it is polled for again; anything else is closed as interrupted,
// and so is a task whose requests need secrets that only the user's browser can
// open. Call it once per exchange, before anything is sent.
func (r *Runner) Resume(ctx context.Context, x playground.Exchange) error {
	j := r.join(x.ID, x.Log, summaryOf(x))
	defer r.leave(j)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.with(x.Target.Secrets, x.Call.Wait)
	j.then = func() { r.goOn(j, x) }
	cut := playground.Event{At: r.cfg.Now(), Conn: j.conn, Kind: playground.Interrupted}
	log := j.log
	_, _, retries := playground.NextRetry(j.folded)
	asked := playground.Pending(log, j.conn)
	if retries {
		return j.append(ctx, r, cut) // the user starts it again
	}
	if asked {
		log = append(log[:len(log):len(log)], cut)
	} else {
		j.conn++ // nothing was under way on the last one
		cut.Conn = j.conn
	}
	x.Log = log
	req, wait, ok := playground.NextPoll(x, x.Fold(), r.cfg.Client)
	switch {
	case !ok || len(x.Sealed)+len(x.Target.Sealed) > 0:
		return j.append(ctx, r, cut)
	case asked:
		frame, err := wire.Encode(req)
		if err != nil {
			return j.append(ctx, r, cut)
		}
		return r.launch(ctx, j, req.URL, frame, cut)
	}
	r.pollIn(j, x, wait)
	return nil
}

// nextPoll is the request that asks for the task. j is locked.
func (r *Runner) nextPoll(j *job, x playground.Exchange) (wire.Request, time.Duration, bool) {
	x.Log = j.log
	return playground.NextPoll(x, j.folded, r.cfg.Client)
}

// goOn does what follows an answer without anybody deciding: the next poll for
// a task, the next of the retries that the user wanted. j is not locked.
func (r *Runner) goOn(j *job, x playground.Exchange) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, wait, ok := r.nextPoll(j, x); ok {
		r.pollIn(j, x, wait)
	}
	if d, wait, ok := playground.NextRetry(j.folded); ok {
		r.later(j, wait, func() error { return r.decide(r.ctx, j, x, d) })
	}
}

// later does something after a while, with j locked, unless something else is
// decided meanwhile or the program ends. j is locked.
func (r *Runner) later(j *job, wait time.Duration, do func() error) {
	turn := j.turn
	r.hold(j)
	r.wg.Go(func() {
		defer r.leave(j)
		if !r.pause(wait) {
			return
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		if j.turn != turn {
			return
		}
		err := do()
		if err != nil {
			r.cfg.Logger.Error("go on", "log", j.id, "err", err)
		}
		if isStorageFault(err) {
			r.later(j, max(wait, lastWait), do)
		}
	})
}

// pollIn asks for the task after a while. j is locked.
func (r *Runner) pollIn(j *job, x playground.Exchange, wait time.Duration) {
	r.later(j, wait, func() error {
		req, _, ok := r.nextPoll(j, x)
		if !ok {
			return nil
		}
		frame, err := wire.Encode(req)
		if err != nil {
			return fmt.Errorf("encode poll: %w", err)
		}
		j.polling = true
		return r.launch(r.ctx, j, req.URL, frame)
	})
}
