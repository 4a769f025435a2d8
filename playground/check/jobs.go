package check

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// ErrBusy is returned if too many checks are running.
var ErrBusy = errors.New("too many checks are running")

// ErrRunning is returned if a check runs in the Session already.
var ErrRunning = errors.New("a check runs in this session")

// Jobs runs checks in the background, because a check takes longer than a page
// can wait. Results are in the record; Jobs only knows which checks are
// running.
type Jobs struct {
	cfg     Config
	limit   int
	timeout time.Duration
	logger  *slog.Logger
	ctx     context.Context // of the goroutines
	stop    context.CancelCauseFunc
	wg      sync.WaitGroup

	mu   sync.Mutex
	live map[string]*job // by session
}

type job struct {
	cancel  context.CancelCauseFunc
	changed chan struct{} // closed and replaced at every event
}

// NewJobs returns Jobs that run at most limit checks at once, each for no
// longer than timeout.
func NewJobs(cfg Config, limit int, timeout time.Duration, logger *slog.Logger) *Jobs {
	ctx, stop := context.WithCancelCause(context.Background())
	return &Jobs{cfg: cfg, limit: limit, timeout: timeout, logger: logger, ctx: ctx, stop: stop,
		live: map[string]*job{}}
}

// Start runs the check p in the background. Its right call is first, which is
// stored already. It returns ErrBusy if too many checks are running, and
// ErrRunning if one runs in the same Session.
func (j *Jobs) Start(p Plan, first playground.Exchange) error {
	c := newChecker(j.cfg, p)
	ctx := redact.WithTurn(wire.WithPeer(j.ctx, p.Peer), p.Turn)
	return j.Run(ctx, p.Session, func(ctx context.Context, changed func()) error {
		c.observe = changed
		return c.run(ctx, first)
	})
}

// Run makes the calls of a Session in the background, as those of a check are made: with the same
// limits, and until it is stopped. work calls changed at every event. Run uses the values of ctx, not
// its end. The errors are those of Start.
func (j *Jobs) Run(
	ctx context.Context, session string, work func(ctx context.Context, changed func()) error,
) error {
	if err := j.claim(session); err != nil {
		return err
	}
	err := j.begin(context.WithoutCancel(ctx), session, work)
	if err != nil && !errors.Is(err, ErrRunning) {
		j.release(session)
	}
	return err
}

func (j *Jobs) begin(
	ctx context.Context, session string, work func(ctx context.Context, changed func()) error,
) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.live[session] != nil {
		return ErrRunning
	}
	if len(j.live) >= j.limit || j.ctx.Err() != nil {
		return ErrBusy
	}
	ctx, cancel := context.WithCancelCause(ctx)
	unlink := context.AfterFunc(j.ctx, func() { cancel(context.Cause(j.ctx)) })
	ctx, release := context.WithTimeoutCause(ctx, j.timeout, &LimitError{j.timeout})
	j.live[session] = &job{cancel: cancel, changed: make(chan struct{})}
	j.wg.Go(func() {
		defer unlink()
		defer cancel(nil)
		defer release()
		defer j.end(session)
		if err := work(ctx, func() { j.notify(session) }); err != nil && ctx.Err() == nil {
			level := slog.LevelError
			if errors.Is(err, playground.ErrFull) {
				level = slog.LevelWarn // its owner has stored too much, or the disk is full
			}
			j.logger.Log(ctx, level, "run calls of a session", "session", session, "err", err)
		}
	})
	return nil
}

// notify closes the channel that Watch returned for the check.
func (j *Jobs) notify(session string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if live := j.live[session]; live != nil {
		close(live.changed)
		live.changed = make(chan struct{})
		j.tell(session)
	}
}

// end removes a check that has ended.
func (j *Jobs) end(session string) {
	j.release(session)
	j.mu.Lock()
	defer j.mu.Unlock()
	close(j.live[session].changed)
	delete(j.live, session)
	j.tell(session)
}

// Watch returns a channel that is closed at the next event of the check, and
// whether the check is running. The channel is of no use after ctx has ended.
func (j *Jobs) Watch(ctx context.Context, session string) (changed <-chan struct{}, running bool) {
	if changed, running = j.watch(session); !running {
		return j.watchElsewhere(ctx, session)
	}
	return changed, running
}

func (j *Jobs) watch(session string) (changed <-chan struct{}, running bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	live := j.live[session]
	if live == nil {
		return nil, false
	}
	return live.changed, true
}

// IsRunning reports whether this process runs the check.
func (j *Jobs) IsRunning(session string) bool {
	_, running := j.watch(session)
	return running
}

// Running returns the sessions of the checks that this process runs, and how many
// it may run at the same time.
func (j *Jobs) Running() (sessions []string, limit int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Sorted(maps.Keys(j.live)), j.limit
}

// Stop cancels a check. What was recorded stays. It returns false if the check
// is not running.
func (j *Jobs) Stop(session string) bool {
	return j.cancel(session, ErrStopped) || j.stopElsewhere(session)
}

// cancel ends a check of this process.
func (j *Jobs) cancel(session string, cause error) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	live := j.live[session]
	if live != nil {
		live.cancel(cause)
	}
	return live != nil
}

// Wait returns when the check has ended, or when ctx does.
func (j *Jobs) Wait(ctx context.Context, session string) {
	for {
		watching, stop := context.WithCancel(ctx)
		changed, running := j.Watch(watching, session)
		if running {
			select {
			case <-changed:
			case <-ctx.Done():
				running = false
			}
		}
		stop()
		if !running {
			return
		}
	}
}

// Close cancels all checks and waits for them to end.
func (j *Jobs) Close() {
	j.stop(ErrClosing)
	j.wg.Wait()
}
