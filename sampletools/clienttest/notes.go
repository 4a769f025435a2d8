package clienttest

import (
	"slices"
	"sync"
	"time"
)

// Limits of the notes in memory.
const (
	maxIDs   = 4096
	maxNotes = 64 // of one id
)

// memory keeps notes in this process, the newest ids only.
type memory struct {
	now   func() time.Time
	mu    sync.Mutex
	notes map[string]entry
	order []string // ids, oldest first
}

type entry struct {
	texts []string
	last  time.Time
}

// Add adds a note to an id.
func (m *memory) Add(_, id, note string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.notes == nil {
		m.notes = map[string]entry{}
	}
	e, known := m.notes[id]
	if !known {
		m.order = append(m.order, id)
	}
	if m.now().Sub(e.last) > NoteLife {
		e.texts = nil
	}
	e.texts = append(slices.Clip(e.texts), note)
	if n := len(e.texts); n > maxNotes {
		e.texts = e.texts[n-maxNotes:]
	}
	e.last = m.now()
	m.notes[id] = e
	if len(m.order) > maxIDs {
		delete(m.notes, m.order[0])
		m.order = slices.Clone(m.order[1:])
	}
}

// Of returns the notes of an id, oldest first.
func (m *memory) Of(id string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.notes[id]
	if m.now().Sub(e.last) > NoteLife {
		return nil
	}
	return slices.Clone(e.texts)
}
