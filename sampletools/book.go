package sampletools

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/again"
	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// book remembers names: a ledger, or a shared one.
type book = authserver.Memory

// newBook returns a memory of names for a sample, at most as many as the limit
// of tickets; of shared samples, one caller may put an eighth of them.
func newBook(c Config, sample string) book {
	limit, part := c.Limits.Tickets, serve.PartOf(c.Limits.Tickets, c.Shared)
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
	// Ticket returns the value that was stored with a name, and whether there is one.
	Ticket(ctx context.Context, sample, name string) (value string, ok bool, err error)
	// TicketsOf returns the newest values, at most n, that were stored with names of
	// which a word and a space are the beginning; the oldest of them first.
	TicketsOf(ctx context.Context, sample, word string, n int) ([]string, error)
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

// insist tries an access to the book again while that fails, until bookTime is
// over. Then it returns errBookAway.
func (b sharedBook) insist(access func(context.Context) error) error {
	if err := again.Within(context.Background(), bookTime, access); err != nil {
		b.log.Error("use tickets", "sample", b.sample, "err", err)
		return errBookAway
	}
	return nil
}

// errBookAway is the error of a book that cannot be read or written now.
var errBookAway = errors.New("tickets cannot be read or written now; try again")

// Put adds a name, as a ledger does.
func (b sharedBook) Put(name, value, caller string, ttl time.Duration) (bool, error) {
	var first, full bool
	nonce := rand.Text()
	err := b.insist(func(ctx context.Context) (err error) {
		first, full, err = b.table.PutTicket(ctx, b.sample, name, value, caller, nonce, ttl, b.limit, b.part)
		return err
	})
	if err == nil && full {
		err = authserver.ErrFull
	}
	return first, err
}

// Get returns the value that was stored with a name, as a ledger does.
func (b sharedBook) Get(name string) (value string, found bool, err error) {
	err = b.insist(func(ctx context.Context) (err error) {
		value, found, err = b.table.Ticket(ctx, b.sample, name)
		return err
	})
	return value, found, err
}
