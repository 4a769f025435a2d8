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
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, at); err != nil {
			return err
		}
		payer, err := payerID(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO log (id, workspace, payer) VALUES (?, ?, ?)`,
			t.ID, workspace, sql.NullInt64{Int64: payer, Valid: payer > 0})
		if err != nil {
			return failed("add log", err)
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO target (id, workspace, name, url, header, capabilities, sealed, status, created)
			 VALUES (?, ?, ?, ?, ?, ?, ?, 'connecting', ?)`,
			t.ID, workspace, t.Name, t.URL, string(header), string(t.Capabilities), t.Sealed, micros(at))
		return failed("add target", err)
	})
}

// SetTarget changes the URL, the capabilities or the credentials of a server.
// Exchanges with it keep what they were made with.
func (s *Store) SetTarget(ctx context.Context, workspace string, t playground.Target) error {
	header, err := json.Marshal(t.Header)
	if err != nil {
		return failed("encode header", err)
	}
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE target SET name = ?, url = ?, capabilities = ?, header = ?, sealed = ?
			 WHERE id = ? AND workspace = ?`,
			t.Name, t.URL, string(t.Capabilities), string(header), t.Sealed, t.ID, workspace)
		return changedRow("set target", result, err)
	})
}

// Target returns a server of the workspace and the log of connecting to it.
func (s *Store) Target(
	ctx context.Context, workspace, id string,
) (playground.Target, []playground.Event, error) {
	t := playground.Target{ID: id}
	var capabilities, header, trust string
	err := s.read.QueryRowContext(ctx,
		`SELECT name, url, capabilities, header, sealed,
		   coalesce((SELECT sha256 || ' ' || origin FROM certificate c WHERE c.target = target.id), '')
		 FROM target WHERE id = ? AND workspace = ?`, id, workspace).
		Scan(&t.Name, &t.URL, &capabilities, &header, &t.Sealed, &trust)
	if err != nil {
		return t, nil, failed("read target", notFound(err))
	}
	if err := json.Unmarshal([]byte(header), &t.Header); err != nil {
		return t, nil, failed("read target", err)
	}
	t.Capabilities, t.Trust = json.RawMessage(capabilities), server.ParseTrust(trust)
	log, err := s.Log(ctx, id)
	return t, log, err
}

// IsConnecting reports whether something may be connecting to a server, by the status that
// is stored.
func (s *Store) IsConnecting(ctx context.Context, workspace, target string) (bool, error) {
	var status string
	err := s.read.QueryRowContext(ctx, `SELECT status FROM target WHERE id = ? AND workspace = ?`,
		target, workspace).Scan(&status)
	return status == server.Connecting, failed("read target", notFound(err))
}

// TargetAt returns the id of the newest server of the workspace with a URL as
// it is stored, or playground.ErrNotFound if there is none.
func (s *Store) TargetAt(ctx context.Context, workspace, url string) (string, error) {
	var id string
	err := s.read.QueryRowContext(ctx,
		`SELECT id FROM target WHERE workspace = ? AND url = ?
		 ORDER BY created DESC, id LIMIT 1`, workspace, url).Scan(&id)
	return id, failed("find target", notFound(err))
}

// Targets returns the servers of the workspace, newest first.
func (s *Store) Targets(ctx context.Context, workspace string) ([]server.Row, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id, name, url, status, server_name, created FROM target
		 WHERE workspace = ? ORDER BY created DESC, id LIMIT 100`, workspace)
	if err != nil {
		return nil, failed("list targets", err)
	}
	defer rows.Close()
	var list []server.Row
	for rows.Next() {
		var t server.Row
		var created int64
		if err := rows.Scan(&t.ID, &t.Name, &t.URL, &t.Status, &t.ReportedName, &created); err != nil {
			return nil, failed("list targets", err)
		}
		t.Created = fromMicros(created)
		list = append(list, t)
	}
	return list, failed("list targets", rows.Err())
}

// ForgetTarget deletes a server from the user's list, with the calls of it that
// the user saved. Exchanges with it stay.
func (s *Store) ForgetTarget(ctx context.Context, workspace, id string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`DELETE FROM target WHERE id = ? AND workspace = ?`, id, workspace)
		if err := changedRow("forget target", result, err); err != nil {
			return err
		}
		if err := forgetSealed(ctx, tx, workspace, id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM sign_in WHERE target = ? AND workspace = ?`, id, workspace)
		if err != nil {
			return failed("forget target", err)
		}
		_, err = tx.ExecContext(ctx,
			`DELETE FROM saved_call WHERE target = ? AND workspace = ?`, id, workspace)
		if err != nil {
			return failed("forget target", err)
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM log WHERE id = ?`, id)
		return failed("forget target", err)
	})
}

// ForgetSecrets deletes what is stored encrypted of a server and of every call
// of it, with its token. The record stays, with its masks.
func (s *Store) ForgetSecrets(ctx context.Context, workspace, id string) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE target SET sealed = NULL, header = '[]' WHERE id = ? AND workspace = ?`, id, workspace)
		if err := changedRow("forget secrets", result, err); err != nil {
			return err
		}
		return forgetSealed(ctx, tx, workspace, id)
	})
}

// unopenable is a sealed value that no key opens. It replaces forgotten ones,
// so that masked values still count as masked.
var unopenable = []byte{0}

// forgetSealed replaces what the logs and exchanges of a server keep encrypted,
// and deletes its token.
func forgetSealed(ctx context.Context, tx *txn, workspace, target string) error {
	const exchanges = `SELECT x.id FROM exchange x JOIN session s ON s.id = x.session
		WHERE x.target = ? AND s.workspace = ?`
	_, err := tx.ExecContext(ctx,
		`UPDATE event SET sealed = ? WHERE sealed IS NOT NULL AND (log = ? OR log IN (`+exchanges+`))`,
		unopenable, target, target, workspace)
	if err != nil {
		return failed("forget secrets", err)
	}
	_, err = tx.ExecContext(ctx,
		`UPDATE exchange SET sealed = ? WHERE sealed IS NOT NULL AND id IN (`+exchanges+`)`,
		unopenable, target, workspace)
	if err != nil {
		return failed("forget secrets", err)
	}
	_, err = tx.ExecContext(ctx,
		`UPDATE sign_in SET sealed = ? WHERE target = ? AND workspace = ?`, []byte{}, target, workspace)
	if err != nil {
		return failed("forget secrets", err)
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM token WHERE target = ? AND workspace = ?`, target, workspace)
	return failed("forget secrets", err)
}

// Mine reports whether the user stated that a server of the workspace is
// theirs.
func (s *Store) Mine(ctx context.Context, workspace, target string) (bool, error) {
	var mine bool
	err := s.read.QueryRowContext(ctx,
		`SELECT mine FROM target WHERE id = ? AND workspace = ?`, target, workspace).Scan(&mine)
	return mine, failed("read target", notFound(err))
}

// SetMine stores that the user stated so.
func (s *Store) SetMine(ctx context.Context, workspace, target string) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE target SET mine = 1 WHERE id = ? AND workspace = ?`, target, workspace)
		return changedRow("set target", result, err)
	})
}
