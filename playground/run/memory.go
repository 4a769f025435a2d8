package run

import (
	"context"
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Memory is a Log that lasts as long as the process, for one call from a
// terminal.
type Memory struct {
	mu   sync.Mutex
	logs map[string][]playground.Event
}

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{logs: map[string][]playground.Event{}} }

// Append adds events to the log id.
func (m *Memory) Append(_ context.Context, id string, _ playground.Summary,
	events ...playground.Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	log := m.logs[id]
	for _, e := range events {
		if n := e.Opens(); n > 0 &&
			slices.ContainsFunc(log, func(old playground.Event) bool { return old.Opens() == n }) {
			return playground.ErrNotOpen
		}
		if n := len(log); e.Kind == playground.Repeated && e.Seq == n && n > 0 {
			log = append(slices.Clone(log[:n-1]), e)
			continue
		}
		e.Seq = len(log) + 1
		log = append(log, e)
	}
	m.logs[id] = log
	return nil
}

// Events returns a copy of the log id.
func (m *Memory) Events(id string) []playground.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.logs[id])
}

// Replace makes events the log id, as if it had ended there.
func (m *Memory) Replace(id string, events []playground.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logs[id] = slices.Clone(events)
}
