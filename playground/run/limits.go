package run

import (
	"context"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Limits bound the polls of tasks, which no decision of a user precedes. Zero
// means no limit.
type Limits struct {
	Session   int           // bytes in the logs of a session; beyond, no further poll is sent
	Polls     int           // polls of a task after a decision of the user
	Interval  time.Duration // between two polls; a task that asks for more time is not polled
	Unwatched time.Duration // how long after the last look at an exchange its task is polled

	// Polls whose connections are open at the same time, in all and to one host.
	// A poll beyond waits. Polls of samples do not count.
	Open, OpenToHost int
}

// pollRetry is how long a poll waits that finds too many open connections.
const pollRetry = time.Second

// noteEvery is how often the time of the last look is stored at most.
const noteEvery = time.Minute

// lastViewed holds when the user last opened the page of an exchange, and when that was
// stored. Times are nanoseconds since 1970, 0 for never.
type lastViewed struct{ newest, noted atomic.Int64 }

// Look notes that the owner of an exchange looks at it, so that the polls of
// its task go on. It does nothing if nothing is running for the exchange. The
// time is stored at most once a minute.
func (r *Runner) Look(ctx context.Context, id string) {
	a := r.actor(id)
	if a == nil {
		r.lookElsewhere(ctx, id)
		return
	}
	now := r.cfg.Now()
	a.viewed.newest.Store(now.UnixNano())
	noted := a.viewed.noted.Load()
	due := noted == 0 || now.Sub(time.Unix(0, noted)) >= noteEvery
	if r.cfg.Looked == nil || !due || !a.viewed.noted.CompareAndSwap(noted, now.UnixNano()) {
		return
	}
	if err := r.cfg.Looked(context.WithoutCancel(ctx), id, now); err != nil {
		a.viewed.noted.CompareAndSwap(now.UnixNano(), noted)
		a.report("note look", err)
	}
}

// lookElsewhere is Look for a log that another process may run.
func (r *Runner) lookElsewhere(ctx context.Context, id string) {
	if r.cfg.Replicas == nil {
		return
	}
	if err := r.cfg.Replicas.NoteLook(context.WithoutCancel(ctx), id, r.cfg.Now()); err != nil {
		r.cfg.Logger.Warn("note look", "log", id, "err", err)
	}
}

// hearLooks takes over looks that other processes have noted.
func (a *actor) hearLooks(ctx context.Context) error {
	if a.r.cfg.Replicas == nil {
		return nil
	}
	at, err := a.r.cfg.Replicas.LookedAt(ctx, a.id)
	if err == nil && at.UnixNano() > a.viewed.newest.Load() {
		a.viewed.newest.Store(at.UnixNano())
	}
	return err
}

// watchedFor returns for how long the task may be polled without a new look,
// and false if there is no such limit.
func (a *actor) watchedFor() (time.Duration, bool) {
	limit := a.r.cfg.Limits.Unwatched
	if limit == 0 {
		return 0, false
	}
	return time.Unix(0, a.viewed.newest.Load()).Add(limit).Sub(a.r.cfg.Now()), true
}

// longestInterval returns the longest time between two polls, or 0 if there is no
// limit: how long the user of the call waits for a response, else Limits.Interval.
func (a *actor) longestInterval() time.Duration {
	if a.wait > 0 {
		return a.wait
	}
	return a.r.cfg.Limits.Interval
}

// stopReason returns why the next poll must not be sent, or "". The error is
// one of the storage.
func (a *actor) stopReason(ctx context.Context) (playground.StopReason, error) {
	limits := a.r.cfg.Limits
	if left, limited := a.watchedFor(); limited && left <= 0 {
		if err := a.hearLooks(ctx); err != nil {
			return "", err
		}
		if left, _ := a.watchedFor(); left <= 0 {
			return playground.StoppedUnwatched, nil
		}
	}
	if limits.Polls > 0 && a.state.transcript.PollsInARow() >= limits.Polls {
		return playground.StoppedMany, nil
	}
	c, isCall := a.subject.(call)
	if !isCall || limits.Session == 0 || a.r.cfg.Size == nil || c.x.Session == "" {
		return "", nil
	}
	size, err := a.r.cfg.Size(ctx, c.x.Session)
	if err == nil && size > limits.Session {
		return playground.StoppedFull, nil
	}
	return "", err
}

// stopPolling records why the task is polled no more.
func (a *actor) stopPolling(ctx context.Context, why playground.StopReason) error {
	err := a.append(ctx, playground.Stop{Reason: why}.Event(a.r.cfg.Now(), a.conn))
	if err == nil && a.r.cfg.Stopped != nil {
		a.r.cfg.Stopped(why)
	}
	return err
}

// admitPoll reports whether one more connection may be open for a poll, and
// counts it until the flight's donePoll.
func (r *Runner) admitPoll(f *flight, t playground.Target) bool {
	if t.Sample != "" {
		return true
	}
	host := ""
	if u, err := url.Parse(t.URL); err == nil {
		host = strings.ToLower(u.Hostname())
	}
	leave, ok := r.polls.Enter(host)
	if ok {
		f.donePoll = leave
	}
	return ok
}

// Sleeping reports whether all that is done for a log is to wait for the next
// poll of a task. No connection is open then.
func (r *Runner) Sleeping(id string) bool {
	a := r.actor(id)
	return a != nil && a.sleeping.Load()
}
