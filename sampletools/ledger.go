package sampletools

import (
	"errors"
	"sync"
	"time"
)

// A ledger remembers names for a time. It is what a backend's database would be: shared by all
// instances, because what must happen only once needs memory (basic/patterns/mrtr, the warning at
// server requirement 5).
type ledger struct {
	now func() time.Time
	max int

	mu      sync.Mutex
	entries map[string]entry
}

type entry struct {
	value   string
	expires time.Time
}

var errLedgerFull = errors.New("too much to remember; try again later")

func newLedger(now func() time.Time, limit int) *ledger {
	return &ledger{now: now, max: limit, entries: map[string]entry{}}
}

// put remembers a name. It reports false if it knew the name already, and fails when full:
// forgetting an entry early would let what it prevents happen again.
func (l *ledger) put(name, value string, ttl time.Duration) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if e, ok := l.entries[name]; ok && now.Before(e.expires) {
		return false, nil
	}
	if len(l.entries) >= l.max {
		l.sweep(now)
	}
	if len(l.entries) >= l.max {
		return false, errLedgerFull
	}
	l.entries[name] = entry{value, now.Add(ttl)}
	return true, nil
}

// get returns what was remembered with the name.
func (l *ledger) get(name string) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[name]
	return e.value, ok && l.now().Before(e.expires)
}

func (l *ledger) sweep(now time.Time) {
	for name, e := range l.entries {
		if !now.Before(e.expires) {
			delete(l.entries, name)
		}
	}
}
