package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// Roots are the roots that the workspace answered last; none for a new one.
func (s *Store) Roots(ctx context.Context, workspace string) ([]question.Root, error) {
	var text string
	err := s.read.QueryRowContext(ctx, `SELECT roots FROM workspace WHERE id = ?`, workspace).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("read roots", err)
	}
	var roots []question.Root
	if err := json.Unmarshal([]byte(text), &roots); err != nil {
		return nil, failed("read roots", err)
	}
	return roots, nil
}

// SetRoots remembers roots for the next time.
func (s *Store) SetRoots(ctx context.Context, workspace string, roots []question.Root) error {
	text, err := json.Marshal(roots)
	if err != nil {
		return failed("encode roots", err)
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE workspace SET roots = ? WHERE id = ?`, string(text), workspace)
		if err != nil {
			return failed("write roots", err)
		}
		return nil
	})
}
