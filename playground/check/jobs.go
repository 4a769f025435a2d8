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
var ErrBusy = errors.New("too many checks are running")

// Jobs makes checks in the background, because one takes longer than a page can
// wait. What lasts is in the record; Jobs only knows whether more is to come.
type Jobs struct {
	cfg     Config
	max     int
	timeout time.Duration
	logger  *slog.Logger
	ctx     context.Context // of the goroutines
	stop    context.CancelFunc
	wg      sync.WaitGroup

	mu   sync.Mutex
	live map[string]*job // by session
}

type job struct {
	cancel  context.CancelFunc
	changed chan struct{} // closed and replaced at every event
}

// NewJobs returns Jobs that make at most most checks at once, each for no longer
// than limit.
func NewJobs(cfg Config, most int, limit time.Duration, logger *slog.Logger) *Jobs {
	ctx, stop := context.WithCancel(context.Background())
	return &Jobs{cfg: cfg, max: most, timeout: limit, logger: logger, ctx: ctx, stop: stop, live: map[string]*job{}}
}

// Start makes the check whose right call is first, which is stored already. It
// returns at once.
func (j *Jobs) Start(p Plan, first playground.Exchange) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.live) >= j.max || j.ctx.Err() != nil {
		return ErrBusy
	}
	ctx, cancel := context.WithTimeout(j.ctx, j.timeout)
	j.live[p.Session] = &job{cancel: cancel, changed: make(chan struct{})}
	c := newChecker(j.cfg, p)
	c.observe = func() { j.notify(p.Session) }
	j.wg.Go(func() {
		defer cancel()
		defer j.end(p.Session)
		if err := c.run(ctx, first); err != nil && ctx.Err() == nil {
			j.logger.Error("run check", "session", p.Session, "err", err)
		}
	})
	return nil
}

// notify wakes those who watch the check.
func (j *Jobs) notify(session string) {
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
// whether it is running.
func (j *Jobs) Watch(session string) (changed <-chan struct{}, running bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	live := j.live[session]
	if live == nil {
		return nil, false
	}
	return live.changed, true
}

// Stop ends a check; what was recorded stays. It returns false if none is running.
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
