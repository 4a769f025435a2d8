package db

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddSession stores a session as it is, with the logs of its exchanges: one
// that came from a file or from a link.
func (s *Store) AddSession(ctx context.Context, workspace string, n session.Session) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := addWorkspace(ctx, tx, workspace, n.Created); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO session (id, workspace, kind, title, note, pinned, imported, created, changed) VALUES (?, ?, 'exchange', ?, ?, ?, 1, ?, ?)`,
			n.ID, workspace, n.Title, n.Note, n.Pinned, micros(n.Created), micros(n.Changed))
		if err != nil {
			return failed("add session", err)
		}
		for _, x := range n.Exchanges {
			x.Session = n.ID
			if err := addExchange(ctx, tx, x); err != nil {
				return err
			}
			if err := appendEvents(ctx, tx, x.ID, x.Log); err != nil {
				return err
			}
			sum := playground.Summarise(x.Log)
			sum.Status = string(x.Fold().Status) // of a branch that nothing was sent on, what it comes from
			if err := summarise(ctx, tx, x.ID, sum); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE session SET changed = ? WHERE id = ?`, micros(n.Changed), n.ID)
		return err
	})
}

// Session reads a session of the workspace with the logs of its exchanges.
func (s *Store) Session(ctx context.Context, workspace, id string) (session.Session, error) {
	n := session.Session{ID: id}
	var created, changed int64
	err := s.read.QueryRowContext(ctx,
		`SELECT kind, title, note, pinned, imported, created, changed FROM session WHERE id = ? AND workspace = ?`, id, workspace).
		Scan(&n.Kind, &n.Title, &n.Note, &n.Pinned, &n.Imported, &created, &changed)
	if err != nil {
		return n, failed("read session", one(err))
	}
	n.Created, n.Changed = fromMicros(created), fromMicros(changed)
	ids, err := s.exchangesOf(ctx, id)
	if err != nil {
		return n, err
	}
	for _, x := range ids {
		exchange, err := s.Exchange(ctx, workspace, x)
		if err != nil {
			return n, err
		}
		n.Exchanges = append(n.Exchanges, exchange)
	}
	n.Exchanges = session.SortByParent(n.Exchanges)
	return n, nil
}

func (s *Store) exchangesOf(ctx context.Context, session string) ([]string, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT id FROM exchange WHERE session = ? ORDER BY created, id`, session)
	if err != nil {
		return nil, failed("list exchanges", err)
	}
	return texts(rows)
}

// texts reads rows of one text.
func texts(rows *sql.Rows) ([]string, error) {
	defer rows.Close()
	var list []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, failed("read rows", err)
		}
		list = append(list, text)
	}
	return list, failed("read ids", rows.Err())
}

// SessionSize is how many bytes the logs of a session have, whoever asks.
func (s *Store) SessionSize(ctx context.Context, id string) (int, error) {
	var size int
	err := s.read.QueryRowContext(ctx,
		`SELECT coalesce(sum(length(e.data)), 0) FROM exchange x JOIN event e ON e.log = x.id WHERE x.session = ?`, id).Scan(&size)
	if err != nil {
		return 0, failed("measure session", err)
	}
	return size, nil
}

// EditSession sets what the user may change of a session.
func (s *Store) EditSession(ctx context.Context, workspace, id, title, note string, pinned bool) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx,
			`UPDATE session SET title = ?, note = ?, pinned = ? WHERE id = ? AND workspace = ?`, title, note, pinned, id, workspace)
		return found("edit session", done, err)
	})
}

// found reports a change that met no row as playground.ErrNotFound.
func found(what string, done sql.Result, err error) error {
	if err != nil {
		return failed(what, err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("%s: %w", what, playground.ErrNotFound)
	}
	return nil
}

// DeleteSession deletes a session with its record and its shares.
func (s *Store) DeleteSession(ctx context.Context, workspace, id string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := deleteRecords(ctx, tx, `SELECT id FROM session WHERE workspace = ? AND id = ?`, workspace, id); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, `DELETE FROM session WHERE id = ? AND workspace = ?`, id, workspace)
		return found("delete session", done, err)
	})
}

// DeleteSessions deletes all sessions of the workspace, as DeleteSession does.
func (s *Store) DeleteSessions(ctx context.Context, workspace string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := deleteRecords(ctx, tx, `SELECT id FROM session WHERE workspace = ?`, workspace); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM session WHERE workspace = ?`, workspace); err != nil {
			return failed("delete sessions", err)
		}
		return nil
	})
}

// deleteRecords deletes the exchanges of the sessions that a query names, and
// their logs, which must outlive them by a moment because exchanges refer to
// them.
func deleteRecords(ctx context.Context, tx *sql.Tx, sessions string, args ...any) error {
	rows, err := tx.QueryContext(ctx, `DELETE FROM exchange WHERE session IN (`+sessions+`) RETURNING id`, args...)
	if err != nil {
		return failed("delete exchanges", err)
	}
	logs, err := texts(rows)
	if err != nil {
		return err
	}
	return deleteLogs(ctx, tx, logs)
}

func deleteLogs(ctx context.Context, tx *sql.Tx, ids []string) error {
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `DELETE FROM log WHERE id = ?`, id); err != nil {
			return failed("delete log", err)
		}
	}
	return nil
}
