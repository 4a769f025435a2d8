package db

import (
	"context"
	"database/sql"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// AddBranch stores a further exchange of a session of the workspace, not sent
// yet. A check takes none: its record is what it reports.
func (s *Store) AddBranch(ctx context.Context, workspace string, x playground.Exchange) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE session SET changed = max(changed, ?) WHERE id = ? AND workspace = ? AND kind <> 'check'`,
			micros(x.Created), x.Session, workspace)
		if err := found("add branch", done, err); err != nil {
			return err
		}
		return addExchange(ctx, tx, x)
	})
}

// addOrigin stores where a branch comes from, and that it is as open as that.
func addOrigin(ctx context.Context, tx *sql.Tx, x playground.Exchange) error {
	if x.Origin == nil {
		return nil
	}
	_, err := tx.ExecContext(ctx, `UPDATE exchange SET parent = ?, parent_round = ?, status = ? WHERE id = ?`,
		x.Origin.Exchange, x.Origin.Round, string(x.Fold().Status), x.ID)
	if err != nil {
		return failed("add origin", err)
	}
	return nil
}

// origin reads the whole line of exchanges that one goes on from; nil for a call
// of its own, which comes from nowhere.
func (s *Store) origin(ctx context.Context, o playground.Origin) (*playground.Origin, error) {
	if o.Exchange == "" {
		return nil, nil
	}
	if o.Round > 0 {
		parent, err := s.Recall(ctx, o.Exchange) // of the same session, so of the same owner
		if err != nil {
			return nil, err
		}
		o.Parent = &parent
	}
	return &o, nil
}

// Mine reports whether the user has said that a server may be sent wrong things.
func (s *Store) Mine(ctx context.Context, workspace, target string) (bool, error) {
	var mine bool
	err := s.read.QueryRowContext(ctx, `SELECT mine FROM target WHERE id = ? AND workspace = ?`, target, workspace).Scan(&mine)
	if err != nil {
		return false, failed("read target", one(err))
	}
	return mine, nil
}

// SetMine remembers that the user has said so.
func (s *Store) SetMine(ctx context.Context, workspace, target string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE target SET mine = 1 WHERE id = ? AND workspace = ?`, target, workspace)
		return found("set target", done, err)
	})
}
