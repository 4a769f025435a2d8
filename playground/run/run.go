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

	mu   sync.Mutex
	live map[string]*job
}

// New returns a Runner; Close ends its goroutines.
func New(cfg Config) *Runner {
	ctx, stop := context.WithCancel(context.Background())
	return &Runner{cfg: cfg, ctx: ctx, stop: stop, live: map[string]*job{}}
}

// Decide opens the Round that d asks for and sends its request; it returns
// once both are stored and the request is on its way. Errors are refusals of
// playground.Next and wire.Encode, playground.ErrNotOpen when somebody was
// faster, or the Log's.
func (r *Runner) Decide(ctx context.Context, x playground.Exchange, d playground.Decision) error {
	j := r.join(x.ID, x.Log, summaryOfExchange)
	defer r.leave(j)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.with(x.Target.Secrets, x.Call.Wait)
	x.Log = j.log
	if d.Action == playground.Refuse {
		return j.append(ctx, r, d.Event(r.cfg.Now()))
	}
	req, err := playground.Next(x, playground.Fold(x.Log), d, r.cfg.Client)
	if err != nil {
		return err
	}
	frame, err := wire.Encode(req)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	return r.launch(ctx, j, req.URL, frame, d.Event(r.cfg.Now()))
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
	if err := j.append(ctx, r, playground.Decision{Action: playground.Start}.Event(r.cfg.Now())); err != nil {
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
	req, ok := playground.NextConnect(t, playground.FoldConnection(j.log), r.cfg.Client)
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
	ctx, j.cancel = context.WithCancel(r.ctx)
	r.hold(j)
	caller := r.caller(j)
	r.wg.Go(func() { r.send(ctx, caller, j, url, f, conn) })
	return nil
}

// send runs until nothing more can come. A stream that ended without a
// response is closed in the log, so that no Round stays pending.
func (r *Runner) send(ctx context.Context, caller Caller, j *job, url string, f wire.Frame, conn int) {
	defer r.leave(j)
	caller.Send(ctx, url, f, func(p wire.Part) error {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.append(r.ctx, r, playground.PartEvent(p, conn))
	})
	j.mu.Lock()
	if playground.Pending(j.log, conn) {
		none := wire.Failure{Class: playground.NoResponse, Detail: "The server closed the stream without a response."}
		err := j.append(r.ctx, r, playground.PartEvent(wire.Part{Kind: wire.Failed, At: r.cfg.Now(), Failure: &none}, conn))
		if err != nil {
			r.cfg.Logger.Error("close round", "log", j.id, "err", err)
		}
	}
	then := j.then
	j.mu.Unlock()
	if then != nil {
		then()
	}
}

// Cancel closes the connection of a request that is under way; false when none is.
func (r *Runner) Cancel(id string) bool {
	r.mu.Lock()
	j := r.live[id]
	r.mu.Unlock()
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel == nil {
		return false
	}
	j.cancel()
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
		sum = summaryOfExchange
	}
	e := playground.Event{At: r.cfg.Now(), Conn: last, Kind: playground.Interrupted}
	return r.cfg.Log.Append(ctx, id, sum(append(log, e)), e)
}

// Close waits for the requests under way until ctx ends, then closes their
// connections and waits for that.
func (r *Runner) Close(ctx context.Context) error {
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
