package db

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// AddStory stores a story of the user. It stores nothing and returns false if the
// workspace has most of them already.
func (s *Store) AddStory(ctx context.Context, workspace string, d demo.Saved, most int) (bool, error) {
	added := false
	err := s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, d.Created); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx,
			`INSERT INTO story (id, workspace, title, text, created, used)
			 SELECT ?, ?, ?, ?, ?, ?
			 WHERE (SELECT count(*) FROM story WHERE workspace = ? AND stage IS NULL) < ?`,
			d.ID, workspace, d.Title, d.Text, micros(d.Created), micros(d.Used), workspace, most)
		if err != nil {
			return failed("add story", err)
		}
		n, err := result.RowsAffected()
		if added = n > 0; err != nil || !added {
			return failed("add story", err)
		}
		return charge(ctx, tx, `story WHERE id = ?`, d.ID)
	})
	return added && err == nil, err
}

// Stories returns the stories of a workspace without their texts, the one used last
// first.
func (s *Store) Stories(ctx context.Context, workspace string) ([]demo.Saved, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id, title, created, used FROM story WHERE workspace = ? AND stage IS NULL
		 ORDER BY used DESC, id`, workspace)
	if err != nil {
		return nil, failed("list stories", err)
	}
	defer rows.Close()
	var list []demo.Saved
	for rows.Next() {
		var d demo.Saved
		var created, used int64
		if err := rows.Scan(&d.ID, &d.Title, &created, &used); err != nil {
			return nil, failed("list stories", err)
		}
		d.Created, d.Used = fromMicros(created), fromMicros(used)
		list = append(list, d)
	}
	return list, failed("list stories", rows.Err())
}

// SavedStory returns a story of the workspace, or playground.ErrNotFound.
func (s *Store) SavedStory(ctx context.Context, workspace, id string) (demo.Saved, error) {
	d := demo.Saved{ID: id}
	var created, used int64
	err := s.read.QueryRowContext(ctx,
		`SELECT title, text, created, used FROM story WHERE id = ? AND workspace = ? AND stage IS NULL`,
		id, workspace).Scan(&d.Title, &d.Text, &created, &used)
	d.Created, d.Used = fromMicros(created), fromMicros(used)
	return d, failed("read story", notFound(err))
}

// SetStory changes the title and the text of a story. The stages that play it do
// not change.
func (s *Store) SetStory(ctx context.Context, workspace string, d demo.Saved) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return chargeGrowth(ctx, tx, `story WHERE id = ?`, []any{d.ID}, func() error {
			result, err := tx.ExecContext(ctx,
				`UPDATE story SET title = ?, text = ?, used = ?
				 WHERE id = ? AND workspace = ? AND stage IS NULL`,
				d.Title, d.Text, micros(d.Used), d.ID, workspace)
			return changedRow("change story", result, err)
		})
	})
}

// DeleteStory deletes a story. The stages that play it stay in the history.
func (s *Store) DeleteStory(ctx context.Context, workspace, id string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`DELETE FROM story WHERE id = ? AND workspace = ? AND stage IS NULL`, id, workspace)
		return changedRow("delete story", result, err)
	})
}
