package db

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

// KeepWorkbench stores what a visitor has on the workbench, encrypted, until it
// expires. Of a workspace the newest records are kept, most of them.
func (s *Store) KeepWorkbench(
	ctx context.Context, workspace, id string, sealed []byte, now, expires time.Time, most int,
) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, now); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO workbench (id, workspace, sealed, created, expires) VALUES (?, ?, ?, ?, ?)`,
			id, workspace, sealed, micros(now), micros(expires))
		if err != nil {
			return failed("keep workbench", err)
		}
		_, err = tx.ExecContext(ctx,
			`DELETE FROM workbench WHERE workspace = ?1 AND id NOT IN (SELECT id FROM workbench
			   WHERE workspace = ?1 ORDER BY created DESC, id LIMIT ?2)`, workspace, most)
		if err != nil {
			return failed("delete old workbenches", err)
		}
		return charge(ctx, tx, `workbench WHERE id = ?`, id)
	})
}

// Workbench returns a record of the workspace. One that has expired is not
// found, even if it was not deleted yet.
func (s *Store) Workbench(ctx context.Context, workspace, id string, now time.Time) ([]byte, error) {
	var sealed []byte
	err := s.read.QueryRowContext(ctx,
		`SELECT sealed FROM workbench WHERE id = ? AND workspace = ? AND expires > ?`,
		id, workspace, micros(now)).Scan(&sealed)
	return sealed, failed("read workbench", notFound(err))
}

// DeleteExpiredWorkbenches deletes the records that have expired, each workspace
// in a transaction of its own.
func (s *Store) DeleteExpiredWorkbenches(ctx context.Context, now time.Time) error {
	workspaces, err := engine.Texts(ctx, s.read,
		`SELECT DISTINCT workspace FROM workbench WHERE expires <= ?`, micros(now))
	for _, id := range workspaces {
		err = errors.Join(err, s.remove(ctx, ofWorkspace(id), func(ctx context.Context, tx *txn) error {
			_, err := tx.ExecContext(ctx,
				`DELETE FROM workbench WHERE workspace = ? AND expires <= ?`, id, micros(now))
			return failed("delete expired workbenches", err)
		}))
	}
	return err
}
