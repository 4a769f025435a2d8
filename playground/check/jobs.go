package check

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// ErrBusy is for one check too many.
var ErrBusy = errors.New("too many checks are under way")

// Jobs makes checks in the background, because one takes longer than anybody
// waits for a page. What lasts is in the Record; a Job is only who to ask
// whether there is more to come.
type Jobs struct {
	cfg    Config
	most   int
	limit  time.Duration
	logger *slog.Logger
	ctx    context.Context // of the goroutines
	stop   context.CancelFunc
	wg     sync.WaitGroup

	mu   sync.Mutex
	live map[string]*job // by session
}

type job struct {
	cancel  context.CancelFunc
	changed chan struct{} // closed and replaced at every event
}

// NewJobs returns a Jobs that makes so many checks at once, each for no longer
// than limit.
func NewJobs(cfg Config, most int, limit time.Duration, logger *slog.Logger) *Jobs {
	ctx, stop := context.WithCancel(context.Background())
	return &Jobs{cfg: cfg, most: most, limit: limit, logger: logger, ctx: ctx, stop: stop, live: map[string]*job{}}
}

// Start makes the check whose right call is first, which the Record has
// already. It returns at once.
func (j *Jobs) Start(p Plan, first playground.Exchange) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.live) >= j.most || j.ctx.Err() != nil {
		return ErrBusy
	}
	ctx, cancel := context.WithTimeout(j.ctx, j.limit)
	j.live[p.Session] = &job{cancel: cancel, changed: make(chan struct{})}
	cfg := j.cfg
	cfg.Record = told{cfg.Record, func() { j.tell(p.Session) }}
	j.wg.Go(func() {
		defer cancel()
		defer j.end(p.Session)
		if _, err := Go(ctx, cfg, p, first); err != nil && ctx.Err() == nil {
			j.logger.Error("check", "session", p.Session, "err", err)
		}
	})
	return nil
}

// told is a Record that tells when something was recorded.
type told struct {
	Record
	tell func()
}

// Append records and tells.
func (t told) Append(ctx context.Context, id string, sum playground.Summary, events ...playground.Event) error {
	defer t.tell()
	return t.Record.Append(ctx, id, sum, events...)
}

func (j *Jobs) tell(session string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if live := j.live[session]; live != nil {
		close(live.changed)
		live.changed = make(chan struct{})
	}
}

func (j *Jobs) end(session string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	close(j.live[session].changed)
	delete(j.live, session)
}

// Watch returns a channel that is closed when the check gets further, and
// whether it is under way.
func (j *Jobs) Watch(session string) (changed <-chan struct{}, running bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	live := j.live[session]
	if live == nil {
		return nil, false
	}
	return live.changed, true
}

// Stop ends a check; what was recorded stays. False when none is under way.
func (j *Jobs) Stop(session string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	live := j.live[session]
	if live != nil {
		live.cancel()
	}
	return live != nil
}

// Wait returns when the check has ended, or when ctx does.
func (j *Jobs) Wait(ctx context.Context, session string) {
	for {
		changed, running := j.Watch(session)
		if !running {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// Close ends all checks and waits for that.
func (j *Jobs) Close() {
	j.stop()
	j.wg.Wait()
}
