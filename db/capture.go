package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddCapture stores a new address with its empty session, unless the workspace has
// most open ones already; then added is false.
func (s *Store) AddCapture(ctx context.Context, c capture.Capture, most int) (added bool, err error) {
	err = s.change(ctx, ofWorkspace(c.Workspace), func(ctx context.Context, tx *txn) error {
		var open int
		err := tx.QueryRowContext(ctx,
			`SELECT count(*) FROM capture WHERE workspace = ? AND ended = 0 AND used > ?`,
			c.Workspace, micros(c.Created.Add(-capture.Life))).Scan(&open)
		if added = open < most; err != nil || !added {
			return failed("count captures", err)
		}
		err = addSession(ctx, tx, c.Workspace, session.Session{
			ID: c.ID, Kind: session.KindCapture, Title: c.Target.Name, Created: c.Created, Changed: c.Created,
		})
		if err != nil {
			return err
		}
		if err := addCapture(ctx, tx, c); err != nil {
			return err
		}
		return charge(ctx, tx, `session WHERE id = ?`, c.ID)
	})
	return added, err
}

// addCapture stores the row of a capture, and the first log for what belongs to no call.
func addCapture(ctx context.Context, tx *txn, c capture.Capture) error {
	payer, err := payerID(ctx, tx)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO log (id, workspace, payer) VALUES (?, ?, ?)`,
		c.ID, c.Workspace, sql.NullInt64{Int64: payer, Valid: payer > 0})
	if err != nil {
		return failed("add log", err)
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO capture (id, workspace, digest, token, target, sample, name, url, created, used)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.Workspace, digest(c.Token), c.Token, c.Target.ID, c.Target.Sample, c.Target.Name,
		c.Target.URL, micros(c.Created), micros(c.Created))
	if err != nil {
		return failed("add capture", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO capture_log (id, capture) VALUES (?1, ?1)`, c.ID)
	return failed("add log of capture", err)
}

// AddRecording stores what another program recorded, as a capture that has ended: its calls
// with their logs, and the log of everything that belongs to no call.
func (s *Store) AddRecording(ctx context.Context, c capture.Capture, n session.Session) error {
	n.ID, n.Kind, n.Imported = c.ID, session.KindCapture, true
	return s.change(ctx, ofWorkspace(c.Workspace), func(ctx context.Context, tx *txn) error {
		if err := addSession(ctx, tx, c.Workspace, n); err != nil {
			return err
		}
		if err := addCapture(ctx, tx, c); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE capture SET ended = ? WHERE id = ?`, micros(c.Ended), c.ID)
		if err != nil {
			return failed("end capture", err)
		}
		for _, x := range n.Exchanges {
			x.Session = n.ID
			if err := addRecorded(ctx, tx, x); err != nil {
				return err
			}
		}
		e, err := readEnd(ctx, tx, c.ID)
		if err != nil {
			return err
		}
		if err := appendLog(ctx, tx, c.ID, e, playground.Summary{}, n.Others); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE session SET changed = ? WHERE id = ?`, micros(n.Changed), n.ID)
		if err != nil {
			return failed("add session", err)
		}
		return charge(ctx, tx, `session WHERE id = ?`, n.ID)
	})
}

// CaptureLog returns the id of a log of a capture of any workspace: the first if n is 0. A
// further one is made when it is first asked for.
func (s *Store) CaptureLog(ctx context.Context, of string, n int) (id string, err error) {
	if n == 0 {
		return of, nil
	}
	id = fmt.Sprintf("%s.%d", of, n)
	return id, s.change(ctx, ofLog(of), func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO log (id, workspace, payer) SELECT ?, workspace, payer FROM log WHERE id = ?
			 ON CONFLICT (id) DO NOTHING`, id, of)
		if err != nil {
			return failed("add log", err)
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO capture_log (id, capture) SELECT id, ? FROM log WHERE id = ?
			 ON CONFLICT (id) DO NOTHING`, of, id)
		return failed("add log of capture", err)
	})
}

// CaptureSince returns what came in the logs of a capture of any workspace after the events
// with these numbers, by log.
func (s *Store) CaptureSince(
	ctx context.Context, id string, after map[string]int,
) (map[string][]playground.Event, error) {
	ids, err := engine.Texts(ctx, s.read, `SELECT id FROM capture_log WHERE capture = ?`, id)
	logs := map[string][]playground.Event{}
	for _, log := range ids {
		came, wrong := s.readLogs(ctx, `log = ? AND seq > ?`, log, after[log])
		if wrong != nil {
			return nil, wrong
		}
		logs[log] = came[log]
	}
	return logs, err
}

// CaptureEvents returns the events of all logs of a capture of any workspace, as
// capture.Merge orders them.
func (s *Store) CaptureEvents(ctx context.Context, id string) ([]playground.Event, error) {
	logs, err := s.readLogs(ctx, `log IN (SELECT id FROM capture_log WHERE capture = ?)`, id)
	list := make([][]playground.Event, 0, len(logs))
	for _, id := range slices.Sorted(maps.Keys(logs)) {
		list = append(list, logs[id])
	}
	return capture.Merge(list...), err
}

// captureColumns are the columns that scanCapture reads.
const captureColumns = `id, workspace, token, target, sample, name, url, created, used, ended,
	coalesce((SELECT c.sha256 || ' ' || c.origin FROM certificate c WHERE c.target = capture.target), '')`

func scanCapture(scan func(...any) error) (capture.Capture, error) {
	var c capture.Capture
	var created, used, ended int64
	var trust string
	err := scan(&c.ID, &c.Workspace, &c.Token, &c.Target.ID, &c.Target.Sample, &c.Target.Name, &c.Target.URL,
		&created, &used, &ended, &trust)
	c.Created, c.Used = fromMicros(created), fromMicros(used)
	if ended > 0 {
		c.Ended = fromMicros(ended)
	}
	c.Target.Trust = server.ParseTrust(trust)
	return c, err
}

// CaptureAt returns the capture with a token, of any workspace that is not blocked.
func (s *Store) CaptureAt(ctx context.Context, token string) (capture.Capture, error) {
	c, err := scanCapture(s.read.QueryRowContext(ctx,
		`SELECT `+captureColumns+` FROM capture WHERE digest = ? AND`+notBlocked("workspace"),
		digest(token)).Scan)
	return c, failed("read capture", notFound(err))
}

// Capture returns a capture of the workspace.
func (s *Store) Capture(ctx context.Context, workspace, id string) (capture.Capture, error) {
	c, err := scanCapture(s.read.QueryRowContext(ctx,
		`SELECT `+captureColumns+` FROM capture WHERE id = ? AND workspace = ?`, id, workspace).Scan)
	return c, failed("read capture", notFound(err))
}

// Captures returns the captures of the workspace, newest first, at most 100.
func (s *Store) Captures(ctx context.Context, workspace string) ([]capture.Capture, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+captureColumns+` FROM capture WHERE workspace = ? ORDER BY created DESC, id LIMIT 100`,
		workspace)
	if err != nil {
		return nil, failed("list captures", err)
	}
	defer rows.Close()
	var list []capture.Capture
	for rows.Next() {
		c, err := scanCapture(rows.Scan)
		if err != nil {
			return nil, failed("list captures", err)
		}
		list = append(list, c)
	}
	return list, failed("list captures", rows.Err())
}

// UseCapture notes that a request came, at most once a minute.
func (s *Store) UseCapture(ctx context.Context, id string, at time.Time) error {
	return s.db.Exec(ctx, "note use", `UPDATE capture SET used = ? WHERE id = ? AND used < ?`,
		micros(at), id, micros(at.Add(-time.Minute)))
}

// EndCapture closes the address of a capture of the workspace. Its record stays.
func (s *Store) EndCapture(ctx context.Context, workspace, id string, at time.Time) error {
	return s.end(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE capture SET ended = CASE ended WHEN 0 THEN ? ELSE ended END
			 WHERE id = ? AND workspace = ?`,
			micros(at), id, workspace)
		return changedRow("end capture", result, err)
	})
}

// OpenOfCapture returns the Exchanges of a capture that a request can continue, with their
// logs.
func (s *Store) OpenOfCapture(ctx context.Context, id string) (capture.Open, error) {
	ended, err := s.readExchanges(ctx,
		`SELECT id FROM exchange WHERE session = ? AND status IN ('failed', 'cancelled', 'interrupted')
		 ORDER BY created DESC LIMIT ?`, id, capture.MostEnded)
	if err != nil {
		return capture.Open{}, err
	}
	open, err := s.readExchanges(ctx,
		`SELECT id FROM exchange WHERE session = ? AND status IN ('waiting', 'running')
		 ORDER BY created DESC LIMIT ?`, id, capture.MostOpen+1)
	return capture.NewOpen(open, ended), err
}

// captureProgress is how much a capture c has recorded.
const captureProgress = `
	(SELECT sum(l.bytes) FROM log l JOIN capture_log k ON k.id = l.id WHERE k.capture = c.id)
	+ (SELECT coalesce(sum(l.bytes), 0) FROM log l JOIN exchange x ON x.id = l.id WHERE x.session = c.id)`

// CaptureProgress returns a number that grows with each event of a capture of any
// workspace.
func (s *Store) CaptureProgress(ctx context.Context, id string) (int64, error) {
	var n int64
	err := s.read.QueryRowContext(ctx, `SELECT`+captureProgress+` FROM capture c WHERE c.id = ?`, id).Scan(&n)
	return n, failed("read capture", notFound(err))
}

// summariseCapture sets what a log of a capture has come to.
func summariseCapture(ctx context.Context, tx *txn, id string, sum playground.Summary) error {
	err := tx.Later(ctx, "write summary", nil, `UPDATE capture_log SET held = ? WHERE id = ?`, sum.Held, id)
	return errors.Join(err, tx.Later(ctx, "write summary", nil,
		`UPDATE session SET changed = ?1
		 WHERE id = (SELECT capture FROM capture_log WHERE id = ?2) AND changed < ?1`,
		micros(sum.Changed), id))
}
