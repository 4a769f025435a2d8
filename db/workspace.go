package db

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

func addWorkspace(ctx context.Context, tx *sql.Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO workspace (id, created, seen) VALUES (?1, ?2, ?2) ON CONFLICT DO NOTHING`, id, micros(at))
	return failed("add workspace", err)
}

// Seen notes that the owner of a workspace was here; one without anything in it
// is not stored, and needs no note.
func (s *Store) Seen(ctx context.Context, workspace string, at time.Time) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE workspace SET seen = max(seen, ?) WHERE id = ?`, micros(at), workspace)
		return failed("note visit", err)
	})
}

// DropIdle deletes the workspaces whose owners were not seen since then, with
// all that is in them, and returns how many. One in which something is under
// way, or went on by itself since then, stays. Each is deleted by itself, so
// that nobody waits long to write.
func (s *Store) DropIdle(ctx context.Context, since time.Time) (int, error) {
	for n := 0; ; n++ {
		if found, err := s.dropOneIdle(ctx, micros(since)); err != nil || !found {
			return n, err
		}
	}
}

func (s *Store) dropOneIdle(ctx context.Context, since int64) (found bool, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		var id string
		err := tx.QueryRowContext(ctx,
			`SELECT id FROM workspace w WHERE seen < ?1
			   AND NOT EXISTS (SELECT 1 FROM session s WHERE s.workspace = w.id AND s.changed >= ?1)
			   AND NOT EXISTS (SELECT 1 FROM session s JOIN exchange x ON x.session = s.id WHERE s.workspace = w.id AND x.held = 1)
			   AND NOT EXISTS (SELECT 1 FROM target t WHERE t.workspace = w.id AND t.status = 'connecting')
			 LIMIT 1`, since).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return failed("find idle workspace", err)
		}
		found = true
		return dropWorkspace(ctx, tx, id)
	})
	return found, err
}

// dropWorkspace deletes a workspace; its shares go with it.
func dropWorkspace(ctx context.Context, tx *sql.Tx, id string) error {
	if err := deleteRecords(ctx, tx, `SELECT id FROM session WHERE workspace = ?`, id); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, `DELETE FROM target WHERE workspace = ? RETURNING id`, id)
	if err != nil {
		return failed("delete targets", err)
	}
	logs, err := texts(rows)
	if err != nil {
		return err
	}
	if err := deleteLogs(ctx, tx, logs); err != nil {
		return err
	}
	for _, q := range []string{`DELETE FROM session WHERE workspace = ?`, `DELETE FROM workspace WHERE id = ?`} {
		if _, err := tx.ExecContext(ctx, q, id); err != nil {
			return failed("delete workspace", err)
		}
	}
	return nil
}
