package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// How long a task is kept, and how often a client should look.
const (
	TTL          = 10 * time.Minute
	PollInterval = 200 * time.Millisecond
)

// Work is what a task does. Its result is what the tool call would have returned. An [*Error]
// makes the task failed with just that; any other error is not shown to anybody.
type Work func(ctx context.Context, h *Handle) (result any, err error)

// A Runner starts tasks and carries what clients say to the work.
type Runner struct {
	store Store
	now   func() time.Time
	newID func() (string, error)
	log   *slog.Logger

	ctx  context.Context // ends with Close
	stop context.CancelFunc
	done sync.WaitGroup

	mu      sync.Mutex
	handles map[string]*Handle
}

// NewRunner returns a Runner over the store.
func NewRunner(store Store, now func() time.Time, newID func() (string, error), log *slog.Logger) *Runner {
	ctx, stop := context.WithCancel(context.Background())
	return &Runner{store: store, now: now, newID: newID, log: log, ctx: ctx, stop: stop, handles: map[string]*Handle{}}
}

// Start creates a task for its owner and begins the work.
func (r *Runner) Start(owner string, work Work) (Task, error) {
	id, err := r.newID()
	if err != nil {
		return Task{}, fmt.Errorf("start task: %w", err)
	}
	now := r.now().UTC()
	t := Task{
		ID: id, Status: Working, Owner: owner, CreatedAt: now, LastUpdatedAt: now,
		TTLMs: TTL.Milliseconds(), PollIntervalMs: PollInterval.Milliseconds(),
	}
	if err := r.store.Create(t); err != nil {
		return Task{}, fmt.Errorf("start task: %w", err)
	}
	ctx, cancel := context.WithTimeout(r.ctx, TTL)
	h := &Handle{id: id, runner: r, cancel: cancel, wake: make(chan struct{}, 1)}
	r.mu.Lock()
	r.handles[id] = h
	r.mu.Unlock()
	r.done.Go(func() { r.run(ctx, h, work) })
	return t.Created(), nil
}

func (r *Runner) run(ctx context.Context, h *Handle, work Work) {
	defer h.cancel()
	defer func() {
		r.mu.Lock()
		delete(r.handles, h.id)
		r.mu.Unlock()
	}()
	result, err := work(ctx, h)
	var raw json.RawMessage
	if err == nil {
		raw, err = json.Marshal(result)
	}
	_, changeErr := r.store.Change(h.id, func(t *Task) {
		if !t.Status.Over() { // a cancelled task stays cancelled, whatever the work said last
			t.end(ctx, raw, err)
		}
	})
	if err != nil || changeErr != nil {
		r.log.Info("task ended", "task", h.id, "err", errors.Join(err, changeErr))
	}
}

func (t *Task) end(ctx context.Context, result json.RawMessage, err error) {
	t.InputRequests, t.Answers, t.StatusMessage = nil, nil, ""
	var known *Error
	switch {
	case err == nil:
		t.Status, t.Result = Completed, result
	case errors.As(err, &known):
		t.Status, t.Error = Failed, known
	case ctx.Err() != nil:
		t.Status = Cancelled
	default:
		t.Status, t.Error = Failed, &Error{Code: -32603, Message: "internal error"}
	}
}

// Get returns a task to its owner. For everybody else it does not exist.
func (r *Runner) Get(owner, id string) (Task, error) {
	t, err := r.store.Get(id)
	if err == nil && t.Owner != owner {
		err = ErrUnknown
	}
	return t, err
}

// Update hands answers to the work. Keys that are unknown or answered are ignored, and some of the
// answers may come later (SEP-2663, tasks/update).
func (r *Runner) Update(owner, id string, answers map[string]json.RawMessage) error {
	if _, err := r.Get(owner, id); err != nil {
		return err
	}
	_, err := r.store.Change(id, func(t *Task) { t.addAnswers(answers) })
	r.mu.Lock()
	h := r.handles[id]
	r.mu.Unlock()
	if h != nil {
		h.notify()
	}
	return err
}

func (t *Task) addAnswers(answers map[string]json.RawMessage) {
	for key, a := range answers {
		if _, open := t.InputRequests[key]; open {
			delete(t.InputRequests, key)
			if t.Answers == nil {
				t.Answers = map[string]json.RawMessage{}
			}
			t.Answers[key] = a
		}
	}
	if t.Status == InputRequired && len(t.InputRequests) == 0 {
		t.Status = Working
	}
}

// Cancel ends a task that is not over. The work is asked to stop, and may take a moment.
func (r *Runner) Cancel(owner, id string) error {
	if _, err := r.Get(owner, id); err != nil {
		return err
	}
	_, err := r.store.Change(id, func(t *Task) {
		if !t.Status.Over() {
			t.Status, t.InputRequests, t.Answers = Cancelled, nil, nil
		}
	})
	r.mu.Lock()
	h := r.handles[id]
	r.mu.Unlock()
	if h != nil {
		h.cancel()
	}
	return err
}

// Close stops all work and waits for it.
func (r *Runner) Close() {
	r.stop()
	r.done.Wait()
}
