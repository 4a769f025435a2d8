package sampletools

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// newNotes returns the notes of the client test for several processes, or nil for one.
func newNotes(c Config) clienttest.Notes {
	if c.Table == nil {
		return nil
	}
	limit, part := c.Limits.Tickets, serve.PartOf(c.Limits.Tickets, c.Shared)
	return sharedNotes{sharedBook{c.Table, ClientTest, limit, part, c.Log}, c.Refuse}
}

// sharedNotes are tickets. The name of each is its id and a random word.
type sharedNotes struct {
	sharedBook
	refuse func(code string)
}

// mostNotes is how many notes of one id are read.
const mostNotes = 64

// Add adds a note, unless there is no room for it.
func (n sharedNotes) Add(remote, id, note string) {
	_, err := n.Put(id+" "+rand.Text(), note, serve.CallerOf(remote), clienttest.NoteLife)
	if errors.Is(err, authserver.ErrFull) {
		n.refuse(refusedTicket)
	}
}

// Of returns the notes of an id, oldest first.
func (n sharedNotes) Of(id string) (notes []string) {
	_ = n.insist(func(ctx context.Context) (err error) { // logs the error
		notes, err = n.table.TicketsOf(ctx, n.sample, id, mostNotes)
		return err
	})
	return notes
}
