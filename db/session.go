package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

func addWorkspace(ctx context.Context, tx *sql.Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO workspace (id, created) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, micros(at))
	if err != nil {
		return fmt.Errorf("add workspace: %w", err)
	}
	return nil
}

// Sessions lists the newest sessions of the workspace.
func (s *Store) Sessions(ctx context.Context, workspace string, most int) ([]playground.SessionLine, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT s.id, s.title, s.changed, x.id, x.name, x.method, x.status, x.rounds
		 FROM session s JOIN exchange x ON x.session = s.id
		 WHERE s.workspace = ? ORDER BY s.changed DESC, s.id DESC LIMIT ?`, workspace, most)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	var list []playground.SessionLine
	for rows.Next() {
		var l playground.SessionLine
		var changed int64
		if err := rows.Scan(&l.ID, &l.Title, &changed, &l.Exchange, &l.Target, &l.Method, &l.Status, &l.Rounds); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		l.Changed = fromMicros(changed)
		list = append(list, l)
	}
	return list, rows.Err()
}
