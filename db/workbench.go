package db

import (
	"context"
	"database/sql"
	"time"
)

// KeepWorkbench stores what a visitor has on the workbench, encrypted, until it
// expires. Of a workspace the newest records are kept, most of them.
func (s *Store) KeepWorkbench(
	ctx context.Context, workspace, id string, sealed []byte, now, expires time.Time, most int,
) error {
	return s.remove(ctx, func(tx *sql.Tx) error {
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
			`DELETE FROM workbench WHERE id IN (SELECT id FROM workbench WHERE workspace = ?
			   ORDER BY created DESC, id LIMIT -1 OFFSET ?)`, workspace, most)
		if err != nil {
			return failed("delete old workbenches", err)
		}
		return charge(ctx, tx, 256+len(sealed))
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

// DeleteExpiredWorkbenches deletes the records that have expired.
func (s *Store) DeleteExpiredWorkbenches(ctx context.Context, now time.Time) error {
	return s.remove(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM workbench WHERE expires <= ?`, micros(now))
		return failed("delete expired workbenches", err)
	})
}
