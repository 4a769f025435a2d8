// Package run sends Rounds. It owns the only goroutines of the playground: one
// per request that is under way. It commits the decision and the request to
// the Log before the first byte leaves, appends every Event as it comes, tells
// whoever watches, and can be told to Cancel. It decides nothing: what to send
// comes from playground.Next, what it meant from playground.Fold.
package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Log stores events. Append is atomic; it gives playground.ErrNotOpen for a
// decision whose Round was opened before.
type Log interface {
	Append(ctx context.Context, id string, sum playground.Summary, events ...playground.Event) error
}

// Caller sends one request and hands over the parts of the answer as they
// come. It returns when nothing more can come.
type Caller interface {
	Send(ctx context.Context, url string, f wire.Frame, record func(wire.Part) error) wire.Timing
}

// Config is everything a Runner needs.
type Config struct {
	Log     Log
	Caller  Caller
	Patient func(wait time.Duration) Caller // a Caller that waits so long for an answer; nil means Caller
	Open    Caller                          // of calls that stay open, which older servers need; nil means Caller
	Client  playground.Client
	Now     func() time.Time
	Logger  *slog.Logger
}

// Runner sends Rounds and connects to targets.
type Runner struct {
	cfg  Config
	stop context.CancelFunc
	ctx  context.Context // of the goroutines; outlives the web request that started them
	wg   sync.WaitGroup

	closing chan struct{} // closed by Close: nothing new begins

	mu   sync.Mutex
	live map[string]*job
}

// New returns a Runner; Close ends its goroutines.
func New(cfg Config) *Runner {
	ctx, stop := context.WithCancel(context.Background())
	return &Runner{cfg: cfg, ctx: ctx, stop: stop, closing: make(chan struct{}), live: map[string]*job{}}
}

// Decide opens the Round that d asks for and sends its request; it returns
// once both are stored and the request is on its way. Errors are refusals of
// playground.Next and wire.Encode, playground.ErrNotOpen when somebody was
// faster, or the Log's. A Stop without a Round takes the next one, because
// polls open Rounds by themselves.
func (r *Runner) Decide(ctx context.Context, x playground.Exchange, d playground.Decision) error {
	j := r.join(x.ID, x.Log, summaryOf(x))
	defer r.leave(j)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.with(x.Target.Secrets, x.Call.Wait)
	if d.Action == playground.ActionRefuse {
		return j.append(ctx, r, d.Event(r.cfg.Now()))
	}
	if x.IsLocked() {
		return playground.ErrLocked
	}
	if x.Target.Era == playground.Legacy || playground.EraOf(j.log) == playground.Legacy {
		return r.decideOlder(ctx, j, x, d)
	}
	return r.decide(ctx, j, x, d)
}

// decide sends the request that follows from d. j is locked.
func (r *Runner) decide(ctx context.Context, j *job, x playground.Exchange, d playground.Decision) error {
	var before []playground.Event
	f := j.folded
	x.Log = j.log
	if d.Action == playground.ActionStop {
		before = j.givenUp(r.cfg.Now())
		x.Log = slices.Concat(j.log, before)
		f = x.Fold()
	}
	if d.Action == playground.ActionStop && d.Round == 0 {
		d.Round = f.Next()
	}
	req, err := playground.Next(x, f, d, r.cfg.Client)
	if err != nil {
		return err
	}
	frame, err := wire.Encode(req)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	if len(before) > 0 {
		j.flight.drop()
	}
	j.turn++
	j.polling = false
	j.then = func() { r.goOn(j, x) }
	return r.launch(ctx, j, req.URL, frame, append(before, d.Event(r.cfg.Now()))...)
}

// Connect asks a target what it is and offers; it returns once the first
// request is stored.
func (r *Runner) Connect(ctx context.Context, t playground.Target, log []playground.Event) error {
	j := r.join(t.ID, log, summaryOfTarget)
	defer r.leave(j)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.with(t.Secrets, 0)
	j.then = func() { r.connectNext(j, t) }
	if err := j.append(ctx, r, playground.Decision{Action: playground.ActionStart}.Event(r.cfg.Now())); err != nil {
		return err
	}
	return r.connectStep(ctx, j, t)
}

// connectNext goes on after an answer; j is not locked.
func (r *Runner) connectNext(j *job, t playground.Target) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := r.connectStep(r.ctx, j, t); err != nil {
		r.cfg.Logger.Error("connect", "target", t.ID, "err", err)
	}
}

func (r *Runner) connectStep(ctx context.Context, j *job, t playground.Target) error {
	c := server.FoldConnection(j.log)
	if c.Era == playground.Legacy && c.Status == server.Connecting {
		j.then = nil
		r.hold(j)
		r.wg.Go(func() { r.connectOlder(r.ctx, j, t) })
		return nil
	}
	req, ok := server.NextConnect(t, c, r.cfg.Client)
	if !ok {
		return nil
	}
	frame, err := wire.Encode(req)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	return r.launch(ctx, j, req.URL, frame)
}

// launch stores the request (with the decision before it, if any) and sends it
// in a goroutine. j is locked.
func (r *Runner) launch(ctx context.Context, j *job, url string, f wire.Frame, before ...playground.Event) error {
	j.conn++
	conn := j.conn
	sent := playground.Event{At: r.cfg.Now(), Conn: conn, Kind: playground.Sent, Data: slices.Concat(f.Head, f.Body)}
	if err := j.append(ctx, r, append(before, sent)...); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.ctx)
	j.flight = &flight{conn: conn, cancel: cancel}
	r.hold(j)
	caller, flight := r.caller(j), j.flight
	r.wg.Go(func() { r.send(ctx, caller, j, flight, url, f) })
	return nil
}

// send runs until nothing more can come. A stream that ended without a
// response is closed in the log, so that no Round stays pending; one whose end
// the log could not take is left for the next start to interrupt.
func (r *Runner) send(ctx context.Context, caller Caller, j *job, at *flight, url string, f wire.Frame) {
	defer r.leave(j)
	defer at.cancel()
	rec := &answerRecord{r: r, j: j, conn: at.conn}
	caller.Send(ctx, url, f, func(p wire.Part) error {
		if at.dropped.Load() {
			return errDropped
		}
		return rec.put(p)
	})
	if at.dropped.Load() {
		return
	}
	rec.end()
	if !rec.lost && j.pending(at.conn) {
		if err := r.persist(j, playground.PartEvent(noResponse(r.cfg.Now()), at.conn)); err != nil {
			r.cfg.Logger.Error("close round", "log", j.id, "err", err)
		}
	}
	j.mu.Lock()
	then := j.then
	j.mu.Unlock()
	if then != nil {
		then()
	}
}

// noResponse closes an answer that ended without one.
func noResponse(at time.Time) wire.Part {
	none := wire.Failure{Class: playground.NoResponse, Detail: "The server closed the stream without a response."}
	return wire.Part{Kind: wire.Failed, At: at, Failure: &none}
}

// Cancel closes the connection of a request that is under way; false when none is.
func (r *Runner) Cancel(id string) bool {
	j := r.job(id)
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.flight == nil {
		return false
	}
	j.flight.cancel()
	j.ending = j.session != nil && j.last.Status == string(playground.StatusWaiting)
	if _, _, ok := playground.NextRetry(j.folded); ok {
		j.turn++ // no request is under way; the next one is not sent
		e := playground.Event{At: r.cfg.Now(), Conn: j.conn, Kind: playground.Cancelled}
		if err := j.append(r.ctx, r, e); err != nil {
			r.cfg.Logger.Error("stop retries", "log", j.id, "err", err)
		}
	}
	return true
}

// Interrupt closes the open Rounds of logs whose process died. Call it once,
// before anything is sent.
func (r *Runner) Interrupt(ctx context.Context, id string, log []playground.Event) error {
	last := 0
	for _, e := range log {
		last = max(last, e.Conn)
	}
	sum := summaryOfTarget
	if len(log) > 0 && log[0].Opens() > 0 {
		sum = summaryOf(playground.Exchange{})
	}
	e := playground.Event{At: r.cfg.Now(), Conn: last, Kind: playground.Interrupted}
	closed, _ := sum(append(log, e))
	return r.cfg.Log.Append(ctx, id, closed, e)
}

// Close waits for the requests under way until ctx ends, then closes their
// connections and waits for that. Tasks are polled for no more, and calls of
// older servers that wait for a person are given up; call it once.
func (r *Runner) Close(ctx context.Context) error {
	close(r.closing)
	done := make(chan struct{})
	go func() { r.wg.Wait(); close(done) }()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = errors.New("requests were still under way")
	}
	r.stop()
	<-done
	return err
}
