package db

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddServed stores a recording that is to be served, with its session, unless the workspace
// has most of them already; then added is false.
func (s *Store) AddServed(ctx context.Context, r mock.Saved, most int) (added bool, err error) {
	err = s.change(ctx, ofWorkspace(r.Workspace), func(ctx context.Context, tx *txn) error {
		var have int
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM recording WHERE workspace = ?`, r.Workspace).
			Scan(&have)
		if added = have < most; err != nil || !added {
			return failed("count recordings", err)
		}
		err = addSession(ctx, tx, r.Workspace, session.Session{
			ID: r.ID, Kind: session.KindRecording, Title: r.Title, Created: r.Created, Changed: r.Created,
		})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO recording (id, workspace, digest, token, ignored, data, created, used)
			 VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			r.ID, r.Workspace, digest(r.Token), r.Token, r.Ignored.String(), r.Data, micros(r.Created),
			micros(r.Created))
		if err != nil {
			return failed("add recording", err)
		}
		if err := charge(ctx, tx, `session WHERE id = ?`, r.ID); err != nil {
			return err
		}
		return charge(ctx, tx, `recording WHERE id = ?`, r.ID)
	})
	return added, err
}

const (
	recordingColumns = `r.id, r.workspace, r.token, s.title, r.ignored, r.created, r.used, r.ended, `
	fromRecordings   = ` FROM recording r JOIN session s ON s.id = r.id`
)

func scanRecording(scan func(...any) error) (mock.Saved, error) {
	var r mock.Saved
	var ignored string
	var created, used, ended int64
	err := scan(&r.ID, &r.Workspace, &r.Token, &r.Title, &ignored, &created, &used, &ended, &r.Data)
	if err != nil {
		return r, err
	}
	r.Created, r.Used = fromMicros(created), fromMicros(used)
	if ended > 0 {
		r.Ended = fromMicros(ended)
	}
	r.Ignored, err = mock.ParseIgnored(ignored)
	return r, err
}

// Served returns a recording of the workspace.
func (s *Store) Served(ctx context.Context, workspace, id string) (mock.Saved, error) {
	r, err := scanRecording(s.read.QueryRowContext(ctx,
		`SELECT `+recordingColumns+`r.data`+fromRecordings+` WHERE r.id = ? AND r.workspace = ?`,
		id, workspace).Scan)
	return r, failed("read recording", notFound(err))
}

// ServedAt returns the recording with a token, of any workspace that is not blocked, open or
// not, without its Data.
func (s *Store) ServedAt(ctx context.Context, token string) (mock.Saved, error) {
	r, err := scanRecording(s.read.QueryRowContext(ctx,
		`SELECT `+recordingColumns+`NULL`+fromRecordings+` WHERE r.digest = ? AND`+notBlocked("r.workspace"),
		digest(token)).Scan)
	return r, failed("read recording", notFound(err))
}

// ServedOf returns the recordings of a workspace that are served, the newest first, without
// their Data.
func (s *Store) ServedOf(ctx context.Context, workspace string) ([]mock.Saved, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+recordingColumns+`NULL`+fromRecordings+
			` WHERE r.workspace = ? ORDER BY r.created DESC, r.id`, workspace)
	if err != nil {
		return nil, failed("read recordings", err)
	}
	defer rows.Close()
	var list []mock.Saved
	for rows.Next() {
		r, err := scanRecording(rows.Scan)
		if err != nil {
			return nil, failed("read recordings", err)
		}
		list = append(list, r)
	}
	return list, failed("read recordings", rows.Err())
}

// SetIgnored changes what does not count when requests are compared with a recording of the
// workspace. What it has answered is forgotten.
func (s *Store) SetIgnored(ctx context.Context, workspace, id string, ignored mock.Ignored) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE recording SET ignored = ? WHERE id = ? AND workspace = ?`,
			ignored.String(), id, workspace)
		if err := changedRow("set what is ignored", result, err); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM recording_turn WHERE recording = ?`, id)
		return failed("forget turns", err)
	})
}

// EndServed ends the address of a recording of the workspace.
func (s *Store) EndServed(ctx context.Context, workspace, id string, at time.Time) error {
	return s.end(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE recording SET ended = ? WHERE id = ? AND workspace = ?`, micros(at), id, workspace)
		return changedRow("end recording", result, err)
	})
}

// RenewServed gives a recording of the workspace another address, which is open.
func (s *Store) RenewServed(ctx context.Context, workspace, id, token string, at time.Time) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE recording SET token = ?, digest = ?, ended = 0, used = ? WHERE id = ? AND workspace = ?`,
			token, digest(token), micros(at), id, workspace)
		return changedRow("renew recording", result, err)
	})
}

// UseServed notes that the address of a recording was called. It writes at most once an
// hour.
func (s *Store) UseServed(ctx context.Context, r mock.Saved, at time.Time) error {
	if at.Sub(r.Used) < time.Hour {
		return nil
	}
	err := s.change(ctx, ofWorkspace(r.Workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE recording SET used = ? WHERE id = ?`, micros(at), r.ID)
		return changedRow("use recording", result, err)
	})
	if errors.Is(err, playground.ErrNotFound) { // deleted meanwhile
		return nil
	}
	return err
}

// ServedTurn counts an answer to a request of a recording of any workspace and returns how
// many it had before.
func (s *Store) ServedTurn(ctx context.Context, r mock.Saved, request string) (n int, err error) {
	err = s.change(ctx, ofWorkspace(r.Workspace), func(ctx context.Context, tx *txn) error {
		err := tx.QueryRowContext(ctx,
			`INSERT INTO recording_turn (recording, request, given) VALUES (?, ?, 1)
			 ON CONFLICT (recording, request) DO UPDATE SET given = recording_turn.given + 1
			 RETURNING given`, r.ID, request).Scan(&n)
		return failed("count answers", err)
	})
	return n - 1, err
}

// BeginServed lets the requests of a recording of any workspace that begin with a prefix begin
// again with their first answers. The prefix ends with a colon.
func (s *Store) BeginServed(ctx context.Context, r mock.Saved, prefix string) error {
	return s.change(ctx, ofWorkspace(r.Workspace), func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`DELETE FROM recording_turn WHERE recording = ? AND request >= ? AND request < ?`,
			r.ID, prefix, strings.TrimSuffix(prefix, ":")+";") // which follows the colon
		return failed("begin answers again", err)
	})
}
