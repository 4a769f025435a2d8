package db

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddCheck stores a check with the exchange of its unchanged call, not sent
// yet.
func (s *Store) AddCheck(ctx context.Context, workspace, title string, x playground.Exchange) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return addSessionOf(ctx, tx, workspace, session.KindCheck, title, x)
	})
}

// Begin stores a further exchange of a check or a capture, not sent yet. It returns
// playground.ErrNotFound if that was deleted meanwhile.
func (s *Store) Begin(ctx context.Context, x playground.Exchange) error {
	return s.change(ctx, ofSession(x.Session), func(ctx context.Context, tx *txn) error {
		return addExchange(ctx, tx, x)
	})
}

// Discard deletes an exchange of any workspace that has no events.
func (s *Store) Discard(ctx context.Context, id string) error {
	return s.remove(ctx, ofLog(id), func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`DELETE FROM log WHERE id = ?1 AND EXISTS (SELECT 1 FROM exchange WHERE id = ?1)
			   AND NOT EXISTS (SELECT 1 FROM event WHERE log = ?1)`, id)
		return failed("discard exchange", err)
	})
}
