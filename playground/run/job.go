package run

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// job is the shared view of one log while something is done with it. It exists
// only as long as somebody holds it; what lasts is in the Log.
type job struct {
	id      string
	holders int // guarded by Runner.mu
	sum     summing

	mu      sync.Mutex
	log     []playground.Event // as it came; what is stored is hidden first
	secrets *redact.Secrets
	wait    time.Duration         // for an answer; 0 means the usual limit
	last    playground.Summary    // of log
	folded  playground.Transcript // what log says of an exchange
	conn    int
	flight  *flight         // the newest request
	session *legacy.Session // of an older server's open call
	polling bool            // nobody has decided anything since the newest poll
	ending  bool            // an open call was cancelled whose end is not in the log yet
	turn    int             // counts decisions, so that a poll knows when it is too late
	changed chan struct{}   // closed and replaced at every append
	then    func()          // runs after an answer is complete
}

// summing says where a log stands, and of an exchange what it folds to.
type summing func([]playground.Event) (playground.Summary, playground.Transcript)

// flight is a request under way.
type flight struct {
	conn    int
	cancel  context.CancelFunc
	dropped atomic.Bool // its answer is of no interest any more
}

// drop closes the connection and keeps nothing of what still comes.
func (f *flight) drop() {
	f.dropped.Store(true)
	f.cancel()
}

var errDropped = errors.New("answer dropped")

// givenUp is what to store of a poll under way that has to make room for a
// decision; the next poll asks for the same. j is locked.
func (j *job) givenUp(now time.Time) []playground.Event {
	if j.flight == nil || !playground.Pending(j.log, j.flight.conn) || !playground.Polling(j.log, j.flight.conn) {
		return nil
	}
	return []playground.Event{{At: now, Conn: j.flight.conn, Kind: playground.Cancelled}}
}

// join returns the job of a log, held. A job that exists knows more of the log
// than the caller does.
func (r *Runner) join(id string, log []playground.Event, sum summing) *job {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := r.live[id]
	if j == nil {
		j = &job{id: id, log: log, sum: sum, changed: make(chan struct{})}
		j.stand(log)
		for _, e := range log {
			j.conn = max(j.conn, e.Conn)
		}
		r.live[id] = j
	}
	j.holders++
	return j
}

func (r *Runner) hold(j *job) {
	r.mu.Lock()
	j.holders++
	r.mu.Unlock()
}

func (r *Runner) leave(j *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.holders--; j.holders == 0 {
		delete(r.live, j.id)
	}
}

// append stores events and wakes the watchers. j is locked.
func (j *job) append(ctx context.Context, r *Runner, events ...playground.Event) error {
	seen := j.glance()
	log := append(j.log[:len(j.log):len(j.log)], events...)
	if slices.ContainsFunc(events, playground.Event.Counts) {
		j.stand(log)
	}
	j.last.Changed = r.cfg.Now()
	if err := r.cfg.Log.Append(ctx, j.id, j.last, j.hidden(events)...); err != nil {
		j.stand(j.log)
		return err
	}
	j.log = log
	j.ending = j.ending && j.last.Status == string(playground.StatusWaiting)
	if !j.polling || j.glance() != seen {
		close(j.changed)
		j.changed = make(chan struct{})
	}
	return nil
}

// stand keeps where a log stands, as it may be stored: a server may call itself
// by what it was given. j is locked.
func (j *job) stand(log []playground.Event) {
	j.last, j.folded = j.sum(log)
	j.last.Name = string(j.secrets.Mask([]byte(j.last.Name)))
}

// glance is what can be seen of a task while it is polled for. Whoever watches
// hears of that alone: a page that is drawn anew at every poll cannot be read,
// and a button in it hardly pressed. The count is seen as it doubles. j is
// locked.
func (j *job) glance() string {
	if !j.polling {
		return ""
	}
	last := j.folded.Last()
	view := fmt.Sprint(j.folded.Status, last.N, last.Outcome, bits.Len(uint(last.Polls)))
	if last.Task != nil {
		view += fmt.Sprint(last.Task.Status, len(last.Task.Messages))
	}
	return view
}

// with takes over what a target or call asks of its sending. j is locked.
func (j *job) with(secrets *redact.Secrets, wait time.Duration) {
	if secrets != nil {
		j.secrets = secrets
	}
	j.wait = wait
}

// pending reports whether connection conn still waits for its response. j is not
// locked.
func (j *job) pending(conn int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return playground.Pending(j.log, conn)
}

// caller is who sends for j.
func (r *Runner) caller(j *job) Caller {
	if j.wait > 0 && r.cfg.Patient != nil {
		return r.cfg.Patient(j.wait)
	}
	return r.cfg.Caller
}

// hidden are the events as they may be stored: without the user's secrets.
func (j *job) hidden(events []playground.Event) []playground.Event {
	if j.secrets == nil {
		return events
	}
	list := make([]playground.Event, len(events))
	for i, e := range events {
		list[i] = e.Redact(j.secrets)
	}
	return list
}

// summaryOf sums up a log of x.
func summaryOf(x playground.Exchange) summing {
	return func(log []playground.Event) (playground.Summary, playground.Transcript) {
		x.Log = log
		f := x.Fold()
		return playground.Summary{Status: string(f.Status), Rounds: len(f.Rounds), ToolError: f.ToolError(), Held: f.Held()}, f
	}
}

func summaryOfTarget(log []playground.Event) (playground.Summary, playground.Transcript) {
	c := server.FoldConnection(log)
	return playground.Summary{Status: c.Status, Name: c.Name}, playground.Transcript{}
}
