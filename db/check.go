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

// Begin stores a further exchange of a check, not sent yet. It returns
// playground.ErrNotFound if the check was deleted meanwhile.
func (s *Store) Begin(ctx context.Context, x playground.Exchange) error {
	return s.change(ctx, ofSession(x.Session), func(ctx context.Context, tx *txn) error {
		return addExchange(ctx, tx, x)
	})
}
