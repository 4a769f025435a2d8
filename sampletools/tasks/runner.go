package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/again"
)

// TTL is how long a task is kept, PollInterval how often a client should poll
// it.
const (
	TTL          = 10 * time.Minute
	PollInterval = 200 * time.Millisecond
)

// Work is the function of a task. It returns the result that the tool call
// would have returned. An [*Error] is the error of the failed task; the client
// does not see any other error.
type Work func(ctx context.Context, h *Handle) (result any, err error)

// Runner starts tasks and passes the answers of clients to the work.
type Runner struct {
	store Store
	now   func() time.Time
	newID func() (string, error)
	log   *slog.Logger
	redo  Redo

	ctx  context.Context // done after Close
	stop context.CancelFunc
	done sync.WaitGroup

	mu        sync.Mutex
	handles   map[string]*Handle
	followers map[string]*follower // by task

	publishing sync.Mutex // held while a task changes, so that watches get changes in order
	watches    map[*Watch]struct{}
}

// Redo returns the work of a task again, from its Origin. The work runs from its
// beginning; the questions that were answered before are answered at once.
type Redo func(t Task) (Work, error)

// Resume makes the Runner do the work of tasks whose process is gone. Without it,
// such a task fails. It must be called before the Runner is used.
func (r *Runner) Resume(f Redo) { r.redo = f }

// NewRunner returns a Runner that keeps its tasks in the store.
func NewRunner(store Store, now func() time.Time, newID func() (string, error), log *slog.Logger) *Runner {
	ctx, stop := context.WithCancel(context.Background())
	store.Until(ctx)
	return &Runner{store: store, now: now, newID: newID, log: log, ctx: ctx, stop: stop,
		handles: map[string]*Handle{}, followers: map[string]*follower{}, watches: map[*Watch]struct{}{}}
}

// Start creates a task for its owner and starts the work. The caller is who the
// task counts for in the store; origin is the input of Redo.
func (r *Runner) Start(owner, caller string, origin json.RawMessage, work Work) (Task, error) {
	id, err := r.newID()
	if err != nil {
		return Task{}, fmt.Errorf("start task: %w", err)
	}
	now := r.now().UTC()
	t := Task{
		ID: id, Status: Working, Owner: owner, Caller: caller, Origin: origin,
		CreatedAt: now, LastUpdatedAt: now,
		TTLMs: TTL.Milliseconds(), PollIntervalMs: PollInterval.Milliseconds(),
	}
	h := r.newHandle(t) // before the store has the task, so that nothing adopts it
	r.mu.Lock()
	r.handles[id] = h
	r.mu.Unlock()
	if err := r.store.Create(t); err != nil {
		r.drop(h)
		return Task{}, fmt.Errorf("start task: %w", err)
	}
	r.begin(h, work)
	return t.Created(), nil
}

// hear makes the work notice what another process did to its task.
func (h *Handle) hear(t Task, err error) {
	if errors.Is(err, ErrUnknown) || err == nil && (t.Status.Over() || t.Elsewhere) {
		h.cancel()
		return
	}
	if err == nil {
		h.notify()
	}
}

// adopt does the work of a task again that nothing does.
func (r *Runner) adopt(t Task) {
	h := r.newHandle(t)
	r.mu.Lock()
	busy := r.handles[t.ID] != nil || r.ctx.Err() != nil
	if !busy {
		r.handles[t.ID] = h
	}
	r.mu.Unlock()
	if busy {
		h.cancel()
		return
	}
	if !r.store.Adopt(t.ID) {
		r.drop(h)
		return
	}
	work, err := Work(nil), errors.New("the process that did the work of this task is gone")
	if r.redo != nil && t.Origin != nil {
		work, err = r.redo(t)
	}
	if err != nil {
		work = func(context.Context, *Handle) (any, error) { return nil, err }
	}
	r.log.Info("task goes on in this process", "task", t.ID, "err", err)
	r.begin(h, work)
}

// newHandle returns the handle of a task, for the rest of its time to live.
func (r *Runner) newHandle(t Task) *Handle {
	again := t.Origin != nil && r.store.Shared()
	h := &Handle{id: t.ID, runner: r, again: again, wake: make(chan struct{}, 1)}
	h.ctx, h.cancel = context.WithTimeout(r.ctx, TTL-r.now().Sub(t.CreatedAt))
	return h
}

// drop forgets a handle.
func (r *Runner) drop(h *Handle) {
	h.cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.handles, h.id)
}

// begin starts the work of a handle.
func (r *Runner) begin(h *Handle, work Work) {
	stop := r.follow(h.id, h.hear)
	r.done.Go(func() {
		defer r.drop(h)
		defer stop()
		r.run(h, work)
	})
}

// run executes the work and stores how it ended.
func (r *Runner) run(h *Handle, work Work) {
	result, err := work(h.ctx, h)
	if h.again && r.ctx.Err() != nil {
		return // another process goes on
	}
	var raw json.RawMessage
	if err == nil {
		raw, err = json.Marshal(result)
	}
	changeErr := r.insist(r.ctx, func() error {
		_, wrong := r.change(h.id, func(t *Task) {
			// a cancelled task stays cancelled, even if the work succeeds
			if !t.Elsewhere && !t.Status.Over() {
				t.end(h.ctx, raw, err)
			}
		})
		return wrong
	})
	if err != nil || changeErr != nil {
		r.log.Info("task ended", "task", h.id, "err", errors.Join(err, changeErr))
	}
}

// insist tries something again while the store is away, until ctx ends.
func (r *Runner) insist(ctx context.Context, f func() error) error {
	return again.While(ctx, func(err error) bool { return errors.Is(err, ErrAway) }, f)
}

// end sets the final status.
func (t *Task) end(ctx context.Context, result json.RawMessage, err error) {
	t.InputRequests, t.Answers, t.Origin, t.StatusMessage = nil, nil, nil, ""
	var known *Error
	switch {
	case err == nil:
		t.Status, t.Result = Completed, result
	case errors.As(err, &known): // ext-tasks, "Task Execution Errors": statusMessage says why
		t.Status, t.Error, t.StatusMessage = Failed, known, known.Message
	case ctx.Err() != nil:
		t.Status, t.StatusMessage = Cancelled, "stopped by the server"
	default:
		t.Status, t.StatusMessage = Failed, "internal error"
		t.Error = &Error{Code: -32603, Message: t.StatusMessage}
	}
}

// Count returns how many tasks are kept, and how many may be.
func (r *Runner) Count() (held, limit int) { return r.store.Count() }

// Get returns a task to its owner, and [ErrUnknown] to anyone else.
func (r *Runner) Get(owner, id string) (Task, error) {
	t, err := r.store.Get(id)
	if err == nil && t.Owner != owner {
		err = ErrUnknown
	}
	if err == nil && r.isLeft(t) {
		r.adopt(t)
	}
	return t, err
}

// Update passes answers to the work. Unknown and answered keys are ignored, and
// a client may send the answers in parts (SEP-2663, tasks/update).
func (r *Runner) Update(owner, id string, answers map[string]json.RawMessage) error {
	if _, err := r.Get(owner, id); err != nil {
		return err
	}
	_, err := r.change(id, func(t *Task) { t.addAnswers(answers) })
	r.mu.Lock()
	h := r.handles[id]
	r.mu.Unlock()
	if h != nil {
		h.notify()
	}
	return err
}

// maxAnswers is how many bytes of answers a task keeps, so that its work can be
// done again. One with more is not done again.
const maxAnswers = 64 << 10

// addAnswers adds the answers to open questions, and sets the task working when
// none is left.
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
	size := 0
	for _, a := range t.Answers {
		size += len(a)
	}
	if size > maxAnswers {
		t.Origin = nil
	}
}

// Cancel cancels a task that is not over and stops its work. It does not wait
// for the work to end.
func (r *Runner) Cancel(owner, id string) error {
	if _, err := r.Get(owner, id); err != nil {
		return err
	}
	_, err := r.change(id, func(t *Task) {
		if !t.Status.Over() {
			t.Status, t.StatusMessage = Cancelled, "cancelled by the client"
			t.InputRequests, t.Answers, t.Origin = nil, nil, nil
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

// Close stops all work and waits for it to end.
func (r *Runner) Close() {
	r.stop()
	r.done.Wait()
}
