package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// AddTarget stores a server of the user, not connected yet.
func (s *Store) AddTarget(ctx context.Context, workspace string, t playground.Target, at time.Time) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := addWorkspace(ctx, tx, workspace, at); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO log (id) VALUES (?)`, t.ID); err != nil {
			return fmt.Errorf("add log: %w", err)
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO target (id, workspace, name, url, capabilities, status, created) VALUES (?, ?, ?, ?, ?, 'connecting', ?)`,
			t.ID, workspace, t.Name, t.URL, string(t.Capabilities), micros(at))
		if err != nil {
			return fmt.Errorf("add target: %w", err)
		}
		return nil
	})
}

// Target reads a server of the workspace and the log of connecting to it.
func (s *Store) Target(ctx context.Context, workspace, id string) (playground.Target, []playground.Event, error) {
	t := playground.Target{ID: id}
	var capabilities string
	err := s.read.QueryRowContext(ctx,
		`SELECT name, url, capabilities FROM target WHERE id = ? AND workspace = ?`, id, workspace).
		Scan(&t.Name, &t.URL, &capabilities)
	if err != nil {
		return t, nil, fmt.Errorf("read target: %w", one(err))
	}
	t.Capabilities = json.RawMessage(capabilities)
	log, err := s.events(ctx, id)
	return t, log, err
}

// Targets lists the servers of the workspace, newest first.
func (s *Store) Targets(ctx context.Context, workspace string) ([]playground.TargetLine, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id, name, url, status FROM target WHERE workspace = ? ORDER BY created DESC, id LIMIT 100`, workspace)
	if err != nil {
		return nil, fmt.Errorf("list targets: %w", err)
	}
	defer rows.Close()
	var list []playground.TargetLine
	for rows.Next() {
		var t playground.TargetLine
		if err := rows.Scan(&t.ID, &t.Name, &t.URL, &t.Status); err != nil {
			return nil, fmt.Errorf("list targets: %w", err)
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

// ForgetTarget removes a server from the user's list; exchanges with it stay.
func (s *Store) ForgetTarget(ctx context.Context, workspace, id string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM target WHERE id = ? AND workspace = ?`, id, workspace)
		if err != nil {
			return fmt.Errorf("forget target: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("forget target: %w", playground.ErrNotFound)
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM log WHERE id = ?`, id); err != nil {
			return fmt.Errorf("forget log: %w", err)
		}
		return nil
	})
}
