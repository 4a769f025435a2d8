package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// addWorkspace stores the workspace of a change unless it is stored already.
func addWorkspace(ctx context.Context, tx *txn, id string, at time.Time) error {
	if tx.Owned() {
		return nil
	}
	added, err := insertWorkspace(ctx, tx, id, at)
	if err == nil && !added { // another change did
		err = failed("add workspace", tx.Retry())
	}
	return err
}

// insertWorkspace stores a workspace, and reports whether it was not stored before.
func insertWorkspace(ctx context.Context, tx *txn, id string, at time.Time) (added bool, err error) {
	result, err := tx.ExecContext(ctx,
		`INSERT INTO workspace (id, created, seen) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		id, micros(at), micros(at))
	if err != nil {
		return false, failed("add workspace", err)
	}
	n, err := result.RowsAffected()
	return n > 0, failed("add workspace", err)
}

// SetSeen stores when the owner of a workspace last visited. A workspace that
// owns nothing is not stored, and SetSeen then does nothing.
func (s *Store) SetSeen(ctx context.Context, workspace string, at time.Time) error {
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx, `UPDATE workspace SET seen = ? WHERE id = ? AND seen < ?`,
			micros(at), workspace, micros(at))
		return failed("set visit", err)
	})
}

// ClaimWorkspace stores a visit to a workspace at a time. The error is
// playground.ErrNotFound if there is no such workspace, or its last visit was not earlier
// than before.
func (s *Store) ClaimWorkspace(ctx context.Context, id string, before, at time.Time) error {
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE workspace SET seen = ? WHERE id = ? AND seen < ?`,
			micros(at), id, micros(before))
		return changedRow("claim workspace", result, err)
	})
}

// Unclaimed returns how many bytes the workspace of local mode has stored while no browser
// has claimed it. In local mode no visits are stored, so only a claim, and the visits
// after it, are later than the workspace itself.
func (s *Store) Unclaimed(ctx context.Context) (int64, error) {
	var bytes int64
	err := s.read.QueryRowContext(ctx, `SELECT bytes FROM workspace WHERE id = ? AND seen <= created`,
		usage.LocalWorkspace).Scan(&bytes)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return bytes, failed("read unclaimed workspace", err)
}

// Roots returns the roots that the workspace answered last, or none for a new
// workspace.
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

// RootsOf returns the roots of the owner of a log, a JSON array: those of Roots.
func (s *Store) RootsOf(ctx context.Context, log string) (json.RawMessage, error) {
	roots := json.RawMessage("[]")
	err := s.read.QueryRowContext(ctx, `SELECT workspace.roots FROM log
		JOIN workspace ON workspace.id = log.workspace WHERE log.id = ?`, log).Scan((*[]byte)(&roots))
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return roots, failed("read roots", err)
}

// SetRoots stores the roots of the owner of a workspace, which it adds if need be.
func (s *Store) SetRoots(
	ctx context.Context, workspace string, roots []question.Root, at time.Time,
) error {
	text, err := json.Marshal(roots)
	if err != nil {
		return failed("encode roots", err)
	}
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, at); err != nil {
			return err
		}
		return chargeGrowth(ctx, tx, `workspace WHERE id = ?`, []any{workspace}, func() error {
			_, err := tx.ExecContext(ctx,
				`UPDATE workspace SET roots = ? WHERE id = ?`, string(text), workspace)
			return failed("write roots", err)
		})
	})
}

// DeleteIdleWorkspaces deletes the workspaces that were not visited since then,
// with everything in them, and returns how many it deleted. That of local mode always
// stays. A workspace stays while something in it runs, and when something in it changed
// since then. Each has a transaction of its own, so that other writers wait for one at
// most.
func (s *Store) DeleteIdleWorkspaces(ctx context.Context, since time.Time) (int, error) {
	return s.deleteIdle(ctx, idleWorkspaces, micros(since))
}

// DeleteGuests does what DeleteIdleWorkspaces does with the workspaces whose ids begin
// with prefix and that have no share.
func (s *Store) DeleteGuests(ctx context.Context, prefix string, since time.Time) (int, error) {
	last := len(prefix) - 1
	return s.deleteIdle(ctx, idleGuests, micros(since), prefix, prefix[:last]+string(prefix[last]+1))
}

// deleteIdle deletes the workspaces that a query selects, whose first argument is since.
func (s *Store) deleteIdle(ctx context.Context, query string, args ...any) (int, error) {
	for n := 0; ; {
		var id string
		err := s.read.QueryRowContext(ctx, query+` LIMIT 1`, args...).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return n, nil
		}
		if err != nil {
			return n, failed("find idle workspace", err)
		}
		deleted, err := s.deleteIdleWorkspace(ctx, id, args[0])
		if err != nil {
			return n, err
		}
		if deleted {
			n++
		}
	}
}

// idleWorkspaces selects the workspaces that DeleteIdleWorkspaces deletes.
const idleWorkspaces = `SELECT w.id FROM workspace w
	WHERE w.seen < ?1 AND w.id <> '` + usage.LocalWorkspace + `'
	AND NOT EXISTS (SELECT 1 FROM person p WHERE p.workspace = w.id)
	AND NOT EXISTS (SELECT 1 FROM session s WHERE s.workspace = w.id AND s.changed >= ?1)
	AND NOT EXISTS (SELECT 1 FROM session s JOIN exchange x ON x.session = s.id
	                WHERE s.workspace = w.id AND x.held = 1)
	AND NOT EXISTS (SELECT 1 FROM capture k JOIN capture_log l ON l.capture = k.id
	                WHERE k.workspace = w.id AND l.held = 1)
	AND NOT EXISTS (SELECT 1 FROM target t WHERE t.workspace = w.id AND t.status = 'connecting')`

// idleGuests selects those of idleWorkspaces that DeleteGuests deletes.
const idleGuests = idleWorkspaces + ` AND w.id >= ?2 AND w.id < ?3
	AND NOT EXISTS (SELECT 1 FROM share h WHERE h.workspace = w.id)`

// deleteIdleWorkspace deletes a workspace unless it was used or deleted since it
// was found to be idle, and reports whether it deleted it.
func (s *Store) deleteIdleWorkspace(ctx context.Context, id string, since any) (deleted bool, err error) {
	idle := func(ctx context.Context, tx *txn) error {
		var found string
		err := tx.QueryRowContext(ctx, idleWorkspaces+` AND w.id = ?2`, since, id).Scan(&found)
		return failed("find idle workspace", notFound(err))
	}
	err = s.inPieces(ctx, id, idle, func() error {
		return s.remove(ctx, ofWorkspace(id), func(ctx context.Context, tx *txn) error {
			if err := idle(ctx, tx); err != nil {
				return err
			}
			return deleteWorkspace(ctx, tx, id)
		})
	})
	if errors.Is(err, playground.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// deleteWorkspace deletes a workspace with its sessions, shares and targets.
func deleteWorkspace(ctx context.Context, tx *txn, id string) error {
	for _, q := range []string{
		`DELETE FROM log WHERE id IN (SELECT x.id FROM exchange x JOIN session s ON s.id = x.session
		                              WHERE s.workspace = ?)`,
		`DELETE FROM log WHERE id IN (SELECT id FROM target WHERE workspace = ?)`,
		`DELETE FROM log WHERE id IN (SELECT l.id FROM capture_log l JOIN capture k ON k.id = l.capture
		                              WHERE k.workspace = ?)`,
		`DELETE FROM session WHERE workspace = ?`,
		`DELETE FROM workspace WHERE id = ?`,
	} {
		if _, err := tx.ExecContext(ctx, q, id); err != nil {
			return failed("delete workspace", err)
		}
	}
	return nil
}
