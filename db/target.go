package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// AddTarget stores a server of the user, not connected yet.
func (s *Store) AddTarget(ctx context.Context, workspace string, t playground.Target, at time.Time) error {
	header, err := json.Marshal(t.Header)
	if err != nil {
		return failed("encode header", err)
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := addWorkspace(ctx, tx, workspace, at); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO log (id) VALUES (?)`, t.ID); err != nil {
			return failed("add log", err)
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO target (id, workspace, name, url, capabilities, header, sealed, status, created)
			 VALUES (?, ?, ?, ?, ?, ?, ?, 'connecting', ?)`,
			t.ID, workspace, t.Name, t.URL, string(t.Capabilities), string(header), t.Sealed, micros(at))
		if err != nil {
			return failed("add target", err)
		}
		return nil
	})
}

// SetTarget stores another address, other capabilities or other credentials of
// a server. What was said to it before stays on record.
func (s *Store) SetTarget(ctx context.Context, workspace string, t playground.Target) error {
	header, err := json.Marshal(t.Header)
	if err != nil {
		return failed("encode header", err)
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx,
			`UPDATE target SET name = ?, url = ?, capabilities = ?, header = ?, sealed = ? WHERE id = ? AND workspace = ?`,
			t.Name, t.URL, string(t.Capabilities), string(header), t.Sealed, t.ID, workspace)
		return found("set target", done, err)
	})
}

// Target reads a server of the workspace and the log of connecting to it.
func (s *Store) Target(ctx context.Context, workspace, id string) (playground.Target, []playground.Event, error) {
	t := playground.Target{ID: id}
	var capabilities, header string
	err := s.read.QueryRowContext(ctx,
		`SELECT name, url, capabilities, header, sealed FROM target WHERE id = ? AND workspace = ?`, id, workspace).
		Scan(&t.Name, &t.URL, &capabilities, &header, &t.Sealed)
	if err != nil {
		return t, nil, failed("read target", one(err))
	}
	if err := json.Unmarshal([]byte(header), &t.Header); err != nil {
		return t, nil, failed("read target", err)
	}
	t.Capabilities = json.RawMessage(capabilities)
	log, err := s.events(ctx, id)
	return t, log, err
}

// TargetAt is the id of the server of the workspace that was last added with an
// address as it is stored; playground.ErrNotFound when there is none.
func (s *Store) TargetAt(ctx context.Context, workspace, url string) (string, error) {
	var id string
	err := s.read.QueryRowContext(ctx,
		`SELECT id FROM target WHERE workspace = ? AND url = ? ORDER BY created DESC, id LIMIT 1`, workspace, url).Scan(&id)
	if err != nil {
		return "", failed("find target", one(err))
	}
	return id, nil
}

// Targets lists the servers of the workspace, newest first.
func (s *Store) Targets(ctx context.Context, workspace string) ([]server.Row, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id, name, url, status, says FROM target WHERE workspace = ? ORDER BY created DESC, id LIMIT 100`, workspace)
	if err != nil {
		return nil, failed("list targets", err)
	}
	defer rows.Close()
	var list []server.Row
	for rows.Next() {
		var t server.Row
		if err := rows.Scan(&t.ID, &t.Name, &t.URL, &t.Status, &t.Says); err != nil {
			return nil, failed("list targets", err)
		}
		list = append(list, t)
	}
	return list, failed("list targets", rows.Err())
}

// ForgetTarget removes a server from the user's list; exchanges with it stay.
func (s *Store) ForgetTarget(ctx context.Context, workspace, id string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM target WHERE id = ? AND workspace = ?`, id, workspace)
		if err := found("forget target", done, err); err != nil {
			return err
		}
		if err := forgetSealed(ctx, tx, workspace, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM log WHERE id = ?`, id); err != nil {
			return failed("forget log", err)
		}
		return nil
	})
}

// ForgetSecrets removes what was kept encrypted of a server and of everything
// that was called there. The record stays, with its masks.
func (s *Store) ForgetSecrets(ctx context.Context, workspace, id string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx,
			`UPDATE target SET sealed = NULL, header = '[]' WHERE id = ? AND workspace = ?`, id, workspace)
		if err := found("forget secrets", done, err); err != nil {
			return err
		}
		return forgetSealed(ctx, tx, workspace, id)
	})
}

// forgetSealed empties what the logs and exchanges of a server kept encrypted.
// A mask that cannot be opened any more stays a mask: sealed then holds
// one byte that opens for nobody.
func forgetSealed(ctx context.Context, tx *sql.Tx, workspace, target string) error {
	const exchanges = `SELECT x.id FROM exchange x JOIN session s ON s.id = x.session WHERE x.target = ?1 AND s.workspace = ?2`
	for _, q := range []string{
		`UPDATE event SET sealed = x'00' WHERE sealed IS NOT NULL AND (log = ?1 OR log IN (` + exchanges + `))`,
		`UPDATE exchange SET sealed = x'00' WHERE sealed IS NOT NULL AND id IN (` + exchanges + `)`,
	} {
		if _, err := tx.ExecContext(ctx, q, target, workspace); err != nil {
			return failed("forget secrets", err)
		}
	}
	return nil
}
