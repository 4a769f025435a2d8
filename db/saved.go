package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddSavedCall stores a call that the user keeps. It stores nothing and returns
// false if the workspace has most of them already.
func (s *Store) AddSavedCall(
	ctx context.Context, workspace string, c session.SavedCall, most int,
) (bool, error) {
	omitted, err := json.Marshal(append([]string{}, c.Omitted...))
	if err != nil {
		return false, failed("encode saved call", err)
	}
	added := false
	err = s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, c.Created); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx,
			`INSERT INTO saved_call (id, workspace, title, target, kind, name, arguments, omitted, level,
			   wait, created)
			 SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
			 WHERE (SELECT count(*) FROM saved_call WHERE workspace = ?) < ?`,
			c.ID, workspace, c.Title, c.Target, c.Kind, c.Name, string(c.Arguments), string(omitted), c.Level,
			c.Wait, micros(c.Created), workspace, most)
		if err != nil {
			return failed("save call", err)
		}
		n, err := result.RowsAffected()
		if added = n > 0; err != nil || !added {
			return failed("save call", err)
		}
		return charge(ctx, tx, `saved_call WHERE id = ?`, c.ID)
	})
	return added && err == nil, err
}

const savedCallColumns = `c.id, c.title, c.target, c.kind, c.name, c.arguments, c.omitted, c.level, c.wait,
	c.created, coalesce(nullif(t.server_name, ''), t.name, '')
	FROM saved_call c LEFT JOIN target t ON t.id = c.target AND t.workspace = c.workspace`

// SavedCalls returns the saved calls of a workspace by title: of one server, or
// of all if target is "".
func (s *Store) SavedCalls(ctx context.Context, workspace, target string) ([]session.SavedCall, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+savedCallColumns+`
		WHERE c.workspace = ?1 AND (?2 = '' OR c.target = ?2) ORDER BY lower(c.title), c.created, c.id`,
		workspace, target)
	if err != nil {
		return nil, failed("list saved calls", err)
	}
	defer rows.Close()
	var list []session.SavedCall
	for rows.Next() {
		c, err := scanSavedCall(rows)
		if err != nil {
			return nil, failed("list saved calls", err)
		}
		list = append(list, c)
	}
	return list, failed("list saved calls", rows.Err())
}

// SavedCall returns a saved call of the workspace, or playground.ErrNotFound.
func (s *Store) SavedCall(ctx context.Context, workspace, id string) (session.SavedCall, error) {
	c, err := scanSavedCall(s.read.QueryRowContext(ctx,
		`SELECT `+savedCallColumns+` WHERE c.id = ? AND c.workspace = ?`, id, workspace))
	return c, failed("read saved call", notFound(err))
}

func scanSavedCall(row interface{ Scan(into ...any) error }) (session.SavedCall, error) {
	var c session.SavedCall
	var arguments, omitted string
	var created int64
	err := row.Scan(&c.ID, &c.Title, &c.Target, &c.Kind, &c.Name, &arguments, &omitted, &c.Level, &c.Wait,
		&created, &c.Server)
	if err != nil {
		return c, err
	}
	c.Created = fromMicros(created)
	if arguments != "" {
		c.Arguments = json.RawMessage(arguments)
	}
	if strings.Trim(omitted, "[]") == "" {
		return c, nil
	}
	return c, json.Unmarshal([]byte(omitted), &c.Omitted)
}

// RenameSavedCall changes the title of a saved call.
func (s *Store) RenameSavedCall(ctx context.Context, workspace, id, title string) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return chargeGrowth(ctx, tx, `saved_call WHERE id = ?`, []any{id}, func() error {
			result, err := tx.ExecContext(ctx,
				`UPDATE saved_call SET title = ? WHERE id = ? AND workspace = ?`, title, id, workspace)
			return changedRow("rename saved call", result, err)
		})
	})
}

// DeleteSavedCall deletes a saved call. What it called stays in the history.
func (s *Store) DeleteSavedCall(ctx context.Context, workspace, id string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`DELETE FROM saved_call WHERE id = ? AND workspace = ?`, id, workspace)
		return changedRow("delete saved call", result, err)
	})
}

// LastCall returns the id of the first exchange of the newest session that
// called the same, by session.CalledKey. It is "" if there is none.
func (s *Store) LastCall(ctx context.Context, workspace, called string) (string, error) {
	var id string
	err := s.read.QueryRowContext(ctx,
		`SELECT x.id FROM session s JOIN exchange x ON x.session = s.id
		 WHERE s.workspace = ? AND s.called = ? AND s.called <> '' AND x.parent IS NULL
		 ORDER BY s.created DESC, x.created LIMIT 1`, workspace, called).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, failed("find last call", err)
}
