package tasks

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Errors of a [Store].
var (
	ErrUnknown = errors.New("no such task")
	ErrFull    = errors.New("too many tasks; try again in a minute")
	ErrAway    = errors.New("the tasks cannot be read now; try again")
)

// Store keeps tasks. Create is durable when it returns: a following tasks/get
// must succeed.
type Store interface {
	Create(Task) error
	Get(id string) (Task, error)
	// Change applies f to the task. No other change runs at the same time.
	Change(id string, f func(*Task)) (Task, error)
	// Adopt makes this process the one that does the work of a task that is
	// orphaned. It reports false if another one was faster.
	Adopt(id string) bool
	// Shared reports whether other processes use the store. Without them, the next
	// two are not called.
	Shared() bool
	// Changes returns a channel that is closed when another process changes the
	// task, or some time later, and a function that ends the waiting.
	Changes(id string) (changed <-chan struct{}, stop func())
	// Version returns a number that every change of a task changes, and whether the
	// task is orphaned.
	Version(id string) (version int, orphaned bool, err error)
	// Until makes the store give up its retries when ctx ends.
	Until(ctx context.Context)
	// Count returns how many tasks are kept, and how many may be.
	Count() (held, limit int)
}

// Memory is a Store in memory. Its tasks are lost when the program ends.
type Memory struct {
	now         func() time.Time
	limit, part int

	mu    sync.Mutex
	tasks map[string]Task
}

// NewMemory returns a store for at most limit tasks, of which one caller may
// have a part.
func NewMemory(now func() time.Time, limit, part int) *Memory {
	return &Memory{now: now, limit: limit, part: part, tasks: map[string]Task{}}
}

// Create adds a task. Where there is no room, it drops what has expired, and
// then the task that has been over the longest: of the same caller if its part
// is used up, else of any. It fails if no task is over.
func (m *Memory) Create(t Task) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := func(Task) bool { return true }
	own := func(other Task) bool { return t.Caller != "" && other.Caller == t.Caller }
	if !m.makeRoom(own, m.part) || !m.makeRoom(all, m.limit) {
		return ErrFull
	}
	t.Origin = nil // no other process does its work
	m.tasks[t.ID] = t.clone()
	return nil
}

// makeRoom drops tasks until fewer than most of those that count are left. It
// returns false if that is not possible.
func (m *Memory) makeRoom(counts func(Task) bool, most int) bool {
	n, oldest := 0, ""
	for id, t := range m.tasks {
		switch {
		case m.expired(t):
			delete(m.tasks, id)
		case counts(t):
			n++
			if t.Status.Over() && (oldest == "" || t.LastUpdatedAt.Before(m.tasks[oldest].LastUpdatedAt)) {
				oldest = id
			}
		}
	}
	if n < most {
		return true
	}
	delete(m.tasks, oldest)
	return oldest != ""
}

// Count returns how many tasks are kept, without expired ones, and how many may
// be.
func (m *Memory) Count() (held, limit int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tasks {
		if !m.expired(t) {
			held++
		}
	}
	return held, m.limit
}

// Adopt reports false: there is no other process.
func (m *Memory) Adopt(string) bool { return false }

// Shared reports false.
func (m *Memory) Shared() bool { return false }

// Changes returns a channel that is never closed.
func (m *Memory) Changes(string) (changed <-chan struct{}, stop func()) { return nil, func() {} }

// Version returns the first version of any task.
func (m *Memory) Version(string) (version int, orphaned bool, err error) { return 0, false, nil }

// Until does nothing: nothing is tried again.
func (m *Memory) Until(context.Context) {}

// Get returns a task until its time to live is over.
func (m *Memory) Get(id string) (Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tasks[id]
	if !ok || m.expired(t) {
		return Task{}, ErrUnknown
	}
	return t.clone(), nil
}

// Change applies f under the lock.
func (m *Memory) Change(id string, f func(*Task)) (Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tasks[id]
	if !ok || m.expired(t) {
		return Task{}, ErrUnknown
	}
	t = t.clone()
	f(&t)
	t.LastUpdatedAt = m.now().UTC()
	m.tasks[id] = t
	return t.clone(), nil
}

func (m *Memory) expired(t Task) bool {
	return !m.now().Before(t.CreatedAt.Add(time.Duration(t.TTLMs) * time.Millisecond))
}
