package app

import (
	"context"
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
)

// Bounds of what is kept in memory of the logs of captures: of how many, and how many bytes.
// What is dropped is read again.
const (
	mostHeard      = 1000
	mostHeardBytes = 32 << 20
)

// heard is what is needed of the own logs of a capture to go on with them. They are read
// once; after that only what has come since is.
type heard struct {
	mu    sync.Mutex
	seq   map[string]int                // of the newest event that was read, by log
	tails map[string][]playground.Event // by log
	tools capture.Tools
	size  int // of the above, in bytes, nearly; guarded by the hearings
}

// read adds what has come.
func (h *heard) read(logs map[string][]playground.Event) {
	for log, events := range logs {
		if len(events) == 0 {
			continue
		}
		h.seq[log] = events[len(events)-1].Seq
		h.tails[log] = run.Tail(slices.Concat(h.tails[log], events))
		h.tools.Read(log, events)
	}
}

func (h *heard) bytes() int {
	size := h.tools.Size()
	for _, tail := range h.tails {
		for _, e := range tail {
			size += len(e.Data)
		}
	}
	return size
}

// hear reads what has come in the logs of a capture, and calls use with all that was heard.
func (s *App) hear(ctx context.Context, id string, use func(*heard)) error {
	h := s.relays.heard.of(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	logs, err := s.Store.CaptureSince(ctx, id, h.seq)
	if err != nil {
		return err
	}
	h.read(logs)
	use(h)
	s.relays.heard.keep(id, h.bytes())
	return nil
}

// hearings are what was heard of the captures that were used lately.
type hearings struct {
	mu   sync.Mutex
	m    map[string]*heard
	used []string // the capture that was used longest ago is the first
	size int
}

// of returns what was heard of a capture.
func (l *hearings) of(id string) *heard {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil {
		l.m = map[string]*heard{}
	}
	h := l.m[id]
	if h == nil {
		h = &heard{seq: map[string]int{}, tails: map[string][]playground.Event{}}
		l.m[id] = h
	}
	l.used = append(slices.DeleteFunc(l.used, func(other string) bool { return other == id }), id)
	return h
}

// keep sets the size of what was heard of a capture, and drops what was used longest ago if
// there is too much.
func (l *hearings) keep(id string, size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.m[id]
	if h == nil { // it has ended, or was dropped
		return
	}
	l.size += size - h.size
	h.size = size
	for len(l.used) > 0 && (len(l.used) > mostHeard || l.size > mostHeardBytes) {
		l.drop(l.used[0])
	}
}

// forget drops what was heard of a capture that has ended.
func (l *hearings) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(id)
}

func (l *hearings) drop(id string) {
	if h := l.m[id]; h != nil {
		l.size -= h.size
		delete(l.m, id)
	}
	l.used = slices.DeleteFunc(l.used, func(other string) bool { return other == id })
}
