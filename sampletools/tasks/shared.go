package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/again"
)

// Table keeps the tasks of a sample where several processes find them. Times to
// live are measured by its own clock.
type Table interface {
	// AddTask adds a task whose work this process does. It reports false if there
	// is no room; a task that is over makes room. A task that is there already is
	// no error.
	AddTask(ctx context.Context, sample, id, caller string, data []byte, ttl time.Duration, limit, part int) (
		bool, error)
	// Task returns a task and its version, whether another process does its work,
	// and whether that one is gone; data is nil if there is no such task any more.
	Task(ctx context.Context, sample, id string) (
		data []byte, version int, elsewhere, orphaned bool, err error)
	// TaskVersion is Task without the data; version is negative if there is no such
	// task any more.
	TaskVersion(ctx context.Context, sample, id string) (version int, orphaned bool, err error)
	// SetTask changes a task that has a version, and reports false if it has
	// another one by now. With take, this process does its work from now on.
	SetTask(ctx context.Context, sample, id string, version int, data []byte, over, take bool) (bool, error)
	// CountTasks returns how many tasks of a sample are kept.
	CountTasks(ctx context.Context, sample string) (int, error)
	// Changed notifies the other processes that a task has changed.
	Changed(topic string)
	// Changes returns a channel that is closed at the next Changed of another
	// process, and a function that ends the waiting for it.
	Changes(topic string) (changed <-chan struct{}, stop func())
}

const (
	tableTime = 10 * time.Second // for one access to the table, with all tries
	tryAgain  = 200 * time.Millisecond
	slowPoll  = time.Second // between looks at a task that another process may have changed
)

// Shared is a Store for several processes.
type Shared struct {
	table       Table
	sample      string
	limit, part int
	now         func() time.Time
	log         *slog.Logger
	ctx         context.Context // of all tries
}

// NewShared returns a store for at most limit tasks of a sample, of which one
// caller may have a part.
func NewShared(t Table, sample string, limit, part int, now func() time.Time, log *slog.Logger) *Shared {
	return &Shared{t, sample, limit, part, now, log, context.Background()}
}

// record is a task as it is stored.
type record struct {
	Task
	Owner   string                     `json:"owner"`
	Caller  string                     `json:"caller"`
	Answers map[string]json.RawMessage `json:"answers"`
	Origin  json.RawMessage            `json:"origin,omitempty"`
}

func encode(t Task) ([]byte, error) {
	return json.Marshal(record{t, t.Owner, t.Caller, t.Answers, t.Origin})
}

func decode(data []byte) (Task, error) {
	var r record
	err := json.Unmarshal(data, &r)
	t := r.Task
	t.Owner, t.Caller, t.Answers, t.Origin = r.Owner, r.Caller, r.Answers, r.Origin
	return t, err
}

// Create adds a task.
func (s *Shared) Create(t Task) error {
	data, err := encode(t)
	if err != nil {
		return fmt.Errorf("encode task: %w", err)
	}
	ttl, room := time.Duration(t.TTLMs)*time.Millisecond, false
	err = s.insist(func(ctx context.Context) (err error) {
		room, err = s.table.AddTask(ctx, s.sample, t.ID, t.Caller, data, ttl, s.limit, s.part)
		return err
	})
	if err == nil && !room {
		err = ErrFull
	}
	return err
}

// insist tries an access to the table again while that fails, until tableTime is
// over. Then it returns ErrAway.
func (s *Shared) insist(access func(context.Context) error) error {
	if err := again.Within(s.ctx, tableTime, access); err != nil {
		s.log.Error("use the table of tasks", "sample", s.sample, "err", err)
		return ErrAway
	}
	return nil
}

// Get returns a task until its time to live is over.
func (s *Shared) Get(id string) (Task, error) {
	t, _, err := s.get(id)
	return t, err
}

func (s *Shared) get(id string) (Task, int, error) {
	var data []byte
	var version int
	var elsewhere, orphaned bool
	err := s.insist(func(ctx context.Context) (err error) {
		data, version, elsewhere, orphaned, err = s.table.Task(ctx, s.sample, id)
		return err
	})
	if err != nil {
		return Task{}, 0, err
	}
	if data == nil {
		return Task{}, 0, ErrUnknown
	}
	t, err := decode(data)
	t.version, t.Elsewhere, t.Orphaned = version, elsewhere, orphaned && !t.Status.Over()
	return t, version, err
}

// Change applies f to the task as it is now.
func (s *Shared) Change(id string, f func(*Task)) (Task, error) {
	for {
		t, version, err := s.get(id)
		if err != nil {
			return t, err
		}
		f(&t)
		t.LastUpdatedAt = s.now().UTC()
		if ok, err := s.set(t, version, false); ok || err != nil {
			t.version = version + 1
			return t, err
		}
	}
}

func (s *Shared) set(t Task, version int, take bool) (bool, error) {
	data, err := encode(t)
	if err != nil {
		return false, fmt.Errorf("encode task: %w", err)
	}
	ok := false
	err = s.insist(func(ctx context.Context) (err error) {
		ok, err = s.table.SetTask(ctx, s.sample, t.ID, version, data, t.Status.Over(), take)
		return err
	})
	if ok {
		s.table.Changed(topic(t.ID))
	}
	return ok, err
}

func topic(id string) string { return "task:" + id }

// Adopt makes this process the one that does the work of an orphaned task.
func (s *Shared) Adopt(id string) bool {
	t, version, err := s.get(id)
	if err == nil && t.Elsewhere && !t.Orphaned {
		return false
	}
	if err == nil {
		if _, err = s.set(t, version, true); err == nil {
			t, _, err = s.get(id) // the end of a try may not have been seen
		}
	}
	if err == nil {
		return !t.Elsewhere && !t.Status.Over()
	}
	if !errors.Is(err, ErrUnknown) {
		s.log.Warn("adopt task", "task", id, "err", err)
	}
	return false
}

// Shared reports true.
func (s *Shared) Shared() bool { return true }

// Until makes the store give up its retries when ctx ends.
func (s *Shared) Until(ctx context.Context) { s.ctx = ctx }

// Version returns the version of a task, and whether it is orphaned.
func (s *Shared) Version(id string) (version int, orphaned bool, err error) {
	ctx, stop := context.WithTimeout(s.ctx, tableTime)
	defer stop()
	version, orphaned, err = s.table.TaskVersion(ctx, s.sample, id)
	if err == nil && version < 0 {
		err = ErrUnknown
	}
	return version, orphaned, err
}

// Changes returns a channel that is closed at the next change of a task by another
// process, or a little later.
func (s *Shared) Changes(id string) (changed <-chan struct{}, stop func()) {
	heard, unhear := s.table.Changes(topic(id))
	both, cancel := context.WithTimeout(s.ctx, slowPoll)
	go func() {
		defer unhear()
		select {
		case <-heard:
			cancel()
		case <-both.Done():
		}
	}()
	return both.Done(), cancel
}

// Count returns how many tasks are kept, and how many may be.
func (s *Shared) Count() (held, limit int) {
	ctx, stop := context.WithTimeout(context.Background(), tableTime)
	defer stop()
	held, err := s.table.CountTasks(ctx, s.sample)
	if err != nil {
		s.log.Warn("count tasks", "err", err)
	}
	return held, s.limit
}
