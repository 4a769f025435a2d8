package sampletools

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"
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

var errLedgerFull = errors.New("too many tickets are in use; try again tomorrow")

// book remembers names: a ledger, or a shared one.
type book interface {
	Put(name, value, caller string, ttl time.Duration) (bool, error)
	Get(name string) (string, bool)
}

// newBook returns what remembers names for a sample, at most as many as the limit
// of tickets; of shared samples, one caller may put an eighth of them.
func newBook(c Config, sample string) book {
	limit, part := c.Limits.Tickets, partOf(c.Limits.Tickets, c.Shared)
	if c.Table != nil {
		return sharedBook{c.Table, sample, limit, part, c.Log}
	}
	return &ledger{now: c.Now, max: limit, part: part, entries: map[string]entry{}, held: map[string]int{}}
}

// tickets keeps names where several processes find them.
type tickets interface {
	// PutTicket adds a name for some time. It reports false if the name is
	// present, unless the same nonce put it, and full if there is no room for it.
	PutTicket(ctx context.Context, sample, name, value, caller, nonce string, ttl time.Duration,
		limit, part int) (first, full bool, err error)
	// Ticket returns the value that was stored with a name.
	Ticket(ctx context.Context, sample, name string) (value string, ok bool, err error)
}

// sharedBook is a book of several processes.
type sharedBook struct {
	table       tickets
	sample      string
	limit, part int
	log         *slog.Logger
}

// bookTime is how long one look into a shared book may take, with all tries.
const bookTime = 10 * time.Second

// bookPause is the time between two tries.
const bookPause = 200 * time.Millisecond

// insist tries an access to the book again while that fails, such as when the
// database restarts.
func (b sharedBook) insist(access func(context.Context) error) error {
	ctx, stop := context.WithTimeout(context.Background(), bookTime)
	defer stop()
	for {
		err := access(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(bookPause):
		case <-ctx.Done():
			b.log.Error("use tickets", "sample", b.sample, "err", err)
			return errBookAway
		}
	}
}

// errBookAway is the error of a book that cannot be read or written now.
var errBookAway = errors.New("the tickets cannot be read now; try again")

// Put adds a name, as a ledger does.
func (b sharedBook) Put(name, value, caller string, ttl time.Duration) (bool, error) {
	var first, full bool
	nonce := rand.Text()
	err := b.insist(func(ctx context.Context) (err error) {
		first, full, err = b.table.PutTicket(ctx, b.sample, name, value, caller, nonce, ttl, b.limit, b.part)
		return err
	})
	if err == nil && full {
		err = errLedgerFull
	}
	return first, err
}

// Get returns the value that was stored with a name, as a ledger does.
func (b sharedBook) Get(name string) (string, bool) {
	var value string
	var ok bool
	err := b.insist(func(ctx context.Context) (err error) {
		value, ok, err = b.table.Ticket(ctx, b.sample, name)
		return err
	})
	return value, ok && err == nil
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
		return false, errLedgerFull
	}
	l.entries[name] = entry{value, caller, now.Add(ttl)}
	l.held[caller]++
	return true, nil
}

// Get returns the value that was stored with the name.
func (l *ledger) Get(name string) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[name]
	return e.value, ok && l.now().Before(e.expires)
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
