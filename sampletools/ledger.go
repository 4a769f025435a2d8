package sampletools

import (
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
)

// ledger remembers names for a limited time. It stands for a backend's database
// and is shared by all instances: single use needs memory on the server
// (basic/patterns/mrtr, the warning at server requirement 5).
type ledger struct {
	now       func() time.Time
	max, part int

	mu      sync.Mutex
	entries map[string]entry
	held    map[string]int // by caller
}

type entry struct {
	value, caller string
	expires       time.Time
}

// Put adds a name. It reports false if the name is present already. It fails
// when the ledger or the caller's part of it is full: dropping an entry early
// would permit a second use.
func (l *ledger) Put(name, value, caller string, ttl time.Duration) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if e, ok := l.entries[name]; ok && now.Before(e.expires) {
		return false, nil
	}
	if l.isFull(caller) {
		l.sweep(now)
	}
	if l.isFull(caller) {
		return false, authserver.ErrFull
	}
	l.entries[name] = entry{value, caller, now.Add(ttl)}
	l.held[caller]++
	return true, nil
}

// Get returns the value that was stored with the name, and whether there is one.
func (l *ledger) Get(name string) (value string, found bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[name]
	return e.value, ok && l.now().Before(e.expires), nil
}

func (l *ledger) sweep(now time.Time) {
	for name, e := range l.entries {
		if !now.Before(e.expires) {
			delete(l.entries, name)
			if l.held[e.caller]--; l.held[e.caller] == 0 {
				delete(l.held, e.caller)
			}
		}
	}
}

// isFull reports whether there is no room for a caller. l.mu must be held.
func (l *ledger) isFull(caller string) bool {
	return len(l.entries) >= l.max || caller != "" && l.held[caller] >= l.part
}
