package db

import (
	"context"
	"database/sql"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// AddCheck stores a check with the exchange of its right call, not sent yet.
func (s *Store) AddCheck(ctx context.Context, workspace, title string, x playground.Exchange) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := addWorkspace(ctx, tx, workspace, x.Created); err != nil {
			return err
		}
		at := micros(x.Created)
		_, err := tx.ExecContext(ctx,
			`INSERT INTO session (id, workspace, kind, title, created, changed) VALUES (?, ?, 'check', ?, ?, ?)`,
			x.Session, workspace, title, at, at)
		if err != nil {
			return failed("add session", err)
		}
		return addExchange(ctx, tx, x)
	})
}

// Begin stores a further exchange of a check, not sent yet;
// playground.ErrNotFound when the check was deleted meanwhile.
func (s *Store) Begin(ctx context.Context, x playground.Exchange) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		var kind string
		if err := tx.QueryRowContext(ctx, `SELECT kind FROM session WHERE id = ?`, x.Session).Scan(&kind); err != nil {
			return failed("add probe", one(err))
		}
		return addExchange(ctx, tx, x)
	})
}
