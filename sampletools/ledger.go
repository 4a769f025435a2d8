package sampletools

import (
	"errors"
	"sync"
	"time"
)

// ledger remembers names for a limited time. It stands for a backend's database
// and is shared by all instances: single use needs memory on the server
// (basic/patterns/mrtr, the warning at server requirement 5).
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

var errLedgerFull = errors.New("too many entries; try again later")

// newLedger returns a ledger for at most limit names.
func newLedger(now func() time.Time, limit int) *ledger {
	return &ledger{now: now, max: limit, entries: map[string]entry{}}
}

// put adds a name. It reports false if the name is present already. It fails
// when the ledger is full: dropping an entry early would permit a second use.
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

// get returns the value that was stored with the name.
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
