// Package run sends requests and records the answers. It is the one recorder of
// the logs of exchanges, targets and captures while something is done with
// them. It decides nothing: the next request comes from playground.Next and its
// siblings, and the meaning of an answer from playground.Fold.
//
// # Contract
//
// A request is stored, with the decision that it follows from, before its first
// byte is sent. The state in memory and the view of readers change only after
// the write has succeeded. In the other order, a crash would leave a request
// that the server has and the log does not, and a page could show a Round that
// was never stored. A refused write therefore refuses the decision, and nothing
// is sent. There is one exception: a poll whose answer may repeat an earlier
// one is stored together with its answer, because a repetition is stored as a
// count.
//
// Events of a log are stored in the order in which they happened. While the
// storage takes nothing, the parts of answers wait in memory, the connection
// that they come from is not read on, and a command that would store an event
// is refused with the error of the storage. No event is stored unmasked. One is
// given up only when its log was deleted or another process has taken it, and
// at the end of the program: its Round then stays open in the log, and the
// process that continues the log closes it as interrupted.
//
// The methods of Runner may be called from several goroutines. Two decisions
// for one Round cannot both win: the second one gets playground.ErrNotOpen. The
// goroutine of a log calls Ended and Stopped of Config: one that blocks keeps
// that log from taking commands and answers.
//
// # Design
//
// A log that something is done with has one actor: one goroutine with one
// select over the commands of users, the parts of answers and two timers. One
// timer is for the step that follows without a decision: the next poll of a
// task, an automatic retry, the next list of a server. The other is for events
// that the storage has refused. The state of the log belongs to this goroutine
// alone and needs no lock. Beside it, each request has a goroutine that reads
// the answer; it passes every part to the actor and touches nothing else. An
// actor with nothing to do or to wait for ends, and everything that lasts is in
// the Log: the next command starts a new one.
//
// With several processes, the Log accepts events of a log only from the process
// that holds it (see Replicas). A process that was frozen may have lost the log
// without noticing, so it confirms that it is the holder before every request.
// Without that, two processes could send the same request. Between the
// confirmation and the first byte a short window remains.
package run

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// ErrClosing is for work that begins after Close.
var ErrClosing = errors.New("the program is ending")

// Log stores events. Append is atomic; it returns playground.ErrNotOpen for a
// decision whose Round was opened before. A repeated event with the number of
// the newest event of the log takes that event's place.
type Log interface {
	Append(ctx context.Context, id string, sum playground.Summary, events ...playground.Event) error
}

// Caller sends one request and passes each part of the response to record as it
// arrives. It returns when the connection has ended. An error of record ends
// the request.
type Caller interface {
	Send(ctx context.Context, url string, f wire.Frame, record func(wire.Part) error) wire.Timing
}

// Sessions opens a session with a server on standard input, whose process is its own.
// The Callers send in it: short the requests with an immediate answer, open a
// call that stays open. end ends it.
type Sessions interface {
	Session(url string) (short, open Caller, end func())
}

// Config is everything that a Runner needs.
type Config struct {
	Log    Log
	Caller Caller
	// returns a Caller that waits so long for an answer; nil means Caller
	Patient func(wait time.Duration) Caller
	Open    Caller // for calls that stay open, as legacy servers need; nil means Caller
	// Sessions opens sessions of earlier revisions with servers on standard input; nil if
	// there are none.
	Sessions Sessions
	Client   playground.Client
	Now      func() time.Time
	Logger   *slog.Logger

	// Replicas are the processes that share Log; nil if this is the only one.
	Replicas Replicas

	Limits Limits
	// Size returns how many bytes the logs of a session have; nil means that
	// Limits.Session does not hold.
	Size func(ctx context.Context, session string) (int, error)
	// Looked notes when an exchange was last looked at, for the next process. It
	// may be nil.
	Looked func(ctx context.Context, id string, at time.Time) error
	// Roots returns the roots of the owner of a log, a JSON array; nil means none.
	Roots func(ctx context.Context, log string) (json.RawMessage, error)
	// Stopped counts the polling that a limit stops; nil counts nothing.
	Stopped func(playground.StopReason)
	// Ended counts the Rounds that end; nil counts nothing. It must not block.
	Ended func(Ended)
}

// Runner sends the Rounds of exchanges and connects to targets. Its methods may
// be called at the same time.
type Runner struct {
	cfg     Config
	ctx     context.Context // of requests; outlives the command that started one
	stop    context.CancelFunc
	wg      sync.WaitGroup
	once    sync.Once
	closing chan struct{} // closed by Close
	alone   sync.Mutex    // of maskings out of turn, see actor.promptly

	mu    sync.Mutex
	live  map[string]*actor // by log
	polls *places.Pool      // whose connections are open, by host; those of samples do not count
}

// New returns a Runner. Close ends its goroutines.
func New(cfg Config) *Runner {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := func() { cancel(errStopping) }
	return &Runner{cfg: cfg, ctx: ctx, stop: stop, closing: make(chan struct{}), live: map[string]*actor{},
		polls: places.New(places.Limits{InAll: cfg.Limits.Open, Each: cfg.Limits.OpenToHost})}
}

// Decide opens the Round that d asks for and sends its request. It returns once
// both are stored and the request is on its way. Errors are the refusals of
// playground.Next and wire.Encode, playground.ErrNotOpen when another decision
// was faster, playground.ErrLocked, ErrClosing, or the Log's. A Stop without a
// Round takes the next one, because polls open Rounds without a decision.
func (r *Runner) Decide(ctx context.Context, x playground.Exchange, d playground.Decision) (Run, error) {
	return r.decide(decide{ctx: ctx, x: x, d: d})
}

// Try opens the Round that d asks for with a request that was changed on
// purpose, in place of the one that playground.Next builds. The request is
// intentionally invalid, so only the order of Rounds is checked. While a task is
// working, d without a Round takes the next one.
func (r *Runner) Try(ctx context.Context, x playground.Exchange, d playground.Decision,
	req wire.Request) (Run, error) {
	return r.decide(decide{ctx: ctx, x: x, d: d, changed: &req})
}

// decideAttempts is how often decide tries again after it lost a log to another process.
const decideAttempts = 3

func (r *Runner) decide(c decide) (Run, error) {
	for n := 1; ; n++ {
		x, far, err := r.fetch(c.ctx, c.x, c)
		if far != nil {
			return *far, err
		}
		if err != nil {
			return Run{x: x}, err
		}
		c.x = x
		run, err := r.start(x, c)
		if !errors.Is(err, playground.ErrElsewhere) {
			return run, err
		}
		if n == decideAttempts {
			return run, errors.Join(playground.ErrStorage, err)
		}
		select {
		case <-time.After(yieldPoll):
		case <-c.ctx.Done():
			return run, c.ctx.Err()
		}
	}
}

// Note adds a note to the log of x and returns x with its log as it came.
func (r *Runner) Note(ctx context.Context, x playground.Exchange, n playground.Note) (
	playground.Exchange, error) {
	run, err := r.start(x, note{ctx, x, n})
	if err != nil {
		return x, err
	}
	x.Log = run.a.view.Load().log
	return x, nil
}

// Resume continues the work that an earlier process left running. A task lives
// at its server, so it is polled again if x was looked at lately; else polling
// stops. Anything else is closed as interrupted, and so is a task whose
// requests need secrets that only the user's browser can open. It does nothing
// if something is done with the exchange by now.
func (r *Runner) Resume(ctx context.Context, x playground.Exchange) error {
	_, err := r.start(x, resume{ctx: ctx, x: x})
	return err
}

func (r *Runner) start(x playground.Exchange, c command) (Run, error) {
	a, err := r.send(x.ID, x.Log, call{x, r.cfg.Client}, c)
	return Run{a: a, x: x}, err
}

// Connect asks a target for its description and its lists. If t has an era, the
// server is taken for one of that era, else its era is detected. It returns
// once the first request is stored, or with the era of legacy servers the
// decision.
func (r *Runner) Connect(ctx context.Context, t playground.Target, log []playground.Event) error {
	_, err := r.send(t.ID, log, connection{t, r.cfg.Client}, connect{ctx: ctx, t: t})
	if errors.Is(err, playground.ErrElsewhere) {
		err = nil // another process is asking already
	}
	return err
}

// Disconnect closes the log of connecting to a target that an earlier process
// left open.
func (r *Runner) Disconnect(ctx context.Context, t playground.Target, log []playground.Event) error {
	_, err := r.send(t.ID, log, connection{t, r.cfg.Client}, disconnect{ctx})
	return err
}

// Cancel closes the connection of the request that is running, or stops
// automatic retries. It returns false if there is neither.
func (r *Runner) Cancel(id string) bool {
	a := r.actor(id)
	if a == nil {
		return r.cancelElsewhere(id)
	}
	return a.ask(cancel{}) == nil
}

// send hands a command to the actor of a log and returns its answer. An actor
// that is already there knows more of the log than the caller does.
func (r *Runner) send(id string, log []playground.Event, s subject, c command) (*actor, error) {
	reply := make(chan error, 1)
	for {
		a, err := r.join(id, log, s)
		if err != nil {
			return nil, err
		}
		select {
		case a.commands <- envelope{c, reply}:
			return a, <-reply
		case <-a.done: // it ended in between
			if known := a.view.Load().log; endOf(known) > endOf(log) {
				log = known
			}
		}
	}
}

// join returns the actor of a log, a new one if there is none.
func (r *Runner) join(id string, log []playground.Event, s subject) (*actor, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if isClosed(r.closing) {
		return nil, ErrClosing
	}
	a := r.live[id]
	if a == nil {
		a = newActor(r, id, log, s)
		r.live[id] = a
		r.wg.Go(a.run)
	}
	return a, nil
}

// actor returns the actor of a log, or nil if nothing is done with it.
func (r *Runner) actor(id string) *actor {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.live[id]
}

// Close refuses new work, waits for the running requests until ctx ends, then
// closes their connections and waits for that. Tasks are polled no more, and
// open calls of legacy servers that wait for a person are interrupted. It
// returns an error if requests were still running when ctx ended.
func (r *Runner) Close(ctx context.Context) error {
	var err error
	r.once.Do(func() { err = r.close(ctx) })
	return err
}

func (r *Runner) close(ctx context.Context) error {
	r.mu.Lock()
	close(r.closing)
	r.mu.Unlock()
	done := make(chan struct{})
	go func() { r.wg.Wait(); close(done) }()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = errors.New("requests were still running")
	}
	r.stop()
	<-done
	return err
}

// isStorageFault reports whether err is a fault of the storage that may pass.
func isStorageFault(err error) bool {
	return errors.Is(err, playground.ErrFull) || errors.Is(err, playground.ErrStorage)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
