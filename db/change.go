package db

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

// owner says which workspace a change belongs to. The order of locks is: the workspace,
// what belongs to it, the payer, the network of the payer.
//
// A change without an owner writes one row, or rows that no owner has: days with
// their payers, and blocks.
type owner = engine.Owner

func ofWorkspace(id string) owner {
	return owner{Query: `SELECT id FROM workspace WHERE id = ?`, ID: id}
}

func ofSession(id string) owner {
	return owner{
		Query: `SELECT id FROM workspace WHERE id = (SELECT workspace FROM session WHERE id = ?)`, ID: id,
	}
}

func ofLog(id string) owner {
	return owner{
		Query: `SELECT id FROM workspace WHERE id = (SELECT workspace FROM log WHERE id = ?)`, ID: id,
	}
}

// txn is the transaction of a change.
type txn struct {
	*engine.Tx
	payer int64 // id of the payer of the change; 0 if it is not known yet
}

// change runs f in one write transaction, of which nothing is left if f fails. See
// engine.Change: f may run again.
func (s *Store) change(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	return s.run(ctx, engine.Change{Owner: o}, f)
}

// remove is change for an f that deletes, maybe much.
func (s *Store) remove(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	return s.run(ctx, engine.Change{Owner: o, Removes: true}, f)
}

// end is change for an f that ends what stores more, with a few bytes.
func (s *Store) end(ctx context.Context, o owner, f func(context.Context, *txn) error) error {
	return s.run(ctx, engine.Change{Owner: o, Ends: true}, f)
}

func (s *Store) run(ctx context.Context, c engine.Change, f func(context.Context, *txn) error) error {
	c.Do = func(ctx context.Context, tx *engine.Tx) error { return f(ctx, &txn{Tx: tx}) }
	return s.db.Change(ctx, c)
}
