package db

import (
	"context"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// addSessionOf stores a new exchange with its session, and the workspace if it has
// nothing yet.
func addSessionOf(
	ctx context.Context, tx *txn, workspace string,
	kind session.Kind, title string, x playground.Exchange,
) error {
	err := addSession(ctx, tx, workspace, session.Session{
		ID: x.Session, Kind: kind, Title: title, Created: x.Created, Changed: x.Created,
	})
	if err == nil {
		called := session.CalledKey(x.Target.ID, x.Call)
		if kind == session.KindCheck {
			called = session.CheckedKey(x.Target.ID)
		}
		err = tx.Later(ctx, "add session", nil,
			`UPDATE session SET called = ? WHERE id = ?`, called, x.Session)
	}
	if err != nil {
		return err
	}
	if err := addExchange(ctx, tx, x); err != nil {
		return err
	}
	return charge(ctx, tx, `session WHERE id = ?`, x.Session)
}

// addSession stores a session without its exchanges, and the workspace if it
// has nothing yet.
func addSession(ctx context.Context, tx *txn, workspace string, n session.Session) error {
	if err := addWorkspace(ctx, tx, workspace, n.Created); err != nil {
		return err
	}
	return tx.Later(ctx, "add session", nil,
		`INSERT INTO session (id, workspace, kind, title, note, search, pinned, imported, created, changed)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		n.ID, workspace, string(n.Kind), n.Title, n.Note, sessionSearch(n.Title, n.Note),
		n.Pinned, n.Imported, micros(n.Created), micros(n.Changed))
}

// sessionSearch returns the search column of a session.
func sessionSearch(title, note string) string { return session.Normalise(title + "\n" + note) }

// AddSession stores a session that came from a file or a link, with the logs of
// its exchanges.
func (s *Store) AddSession(ctx context.Context, workspace string, n session.Session) error {
	n.Kind, n.Imported = session.KindExchange, true
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addSession(ctx, tx, workspace, n); err != nil {
			return err
		}
		for _, x := range n.Exchanges {
			x.Session = n.ID
			if err := addRecorded(ctx, tx, x); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE session SET changed = ? WHERE id = ?`, micros(n.Changed), n.ID)
		if err != nil {
			return failed("add session", err)
		}
		return charge(ctx, tx, `session WHERE id = ?`, n.ID)
	})
}

// addRecorded stores an exchange with its log.
func addRecorded(ctx context.Context, tx *txn, x playground.Exchange) error {
	if err := addExchange(ctx, tx, x); err != nil {
		return err
	}
	sum := playground.Summarise(x.Log)
	// A recording has no server to sign in to.
	sum.SignIn = false
	sum.Status = string(x.Fold().Status) // of a branch without events, the status of its origin
	e, err := readEnd(ctx, tx, x.ID)
	if err != nil {
		return err
	}
	return appendLog(ctx, tx, x.ID, e, sum, x.Log)
}

// Session returns a session of the workspace with its exchanges, a branch
// behind the exchange that it continues. It takes two queries, however many
// exchanges there are. The error is playground.ErrNotFound if the workspace has
// no such session.
func (s *Store) Session(ctx context.Context, workspace, id string) (session.Session, error) {
	n := session.Session{ID: id}
	var created, changed int64
	rows, err := s.read.QueryContext(ctx,
		`SELECT s.kind, s.title, s.note, s.pinned, s.imported, s.created, s.changed, `+exchangeColumns+`
		 FROM session s LEFT JOIN exchange x ON x.session = s.id
		 WHERE s.id = ? AND s.workspace = ? ORDER BY x.created, x.id`, id, workspace)
	if err != nil {
		return n, failed("read session", err)
	}
	list, err := scanExchanges(rows,
		&n.Kind, &n.Title, &n.Note, &n.Pinned, &n.Imported, &created, &changed)
	if err != nil {
		return n, failed("read session", err)
	}
	if len(list) == 0 {
		return n, failed("read session", playground.ErrNotFound)
	}
	n.Created, n.Changed = fromMicros(created), fromMicros(changed)
	if list[0].ID == "" { // the row of a session without exchanges
		return n, nil
	}
	list, err = s.addLogs(ctx, list, `SELECT id FROM exchange WHERE session = ?`, id)
	n.Exchanges = session.SortByParent(list)
	return n, err
}

// HasSession returns nil if the workspace has the session.
func (s *Store) HasSession(ctx context.Context, workspace, id string) error {
	var found int
	err := s.read.QueryRowContext(ctx, `SELECT 1 FROM session WHERE id = ? AND workspace = ?`, id, workspace).
		Scan(&found)
	return failed("find session", notFound(err))
}

// SessionSize returns how many bytes the logs of a session of any workspace
// have.
func (s *Store) SessionSize(ctx context.Context, id string) (int, error) {
	var size int
	err := s.read.QueryRowContext(ctx, `SELECT `+sizeOfSession, id).Scan(&size)
	return size, failed("measure session", err)
}

// sizeOfSession is how many bytes the logs of the session or capture ?1 have.
const sizeOfSession = `(SELECT coalesce(sum(length(data)), 0) FROM event
	WHERE log IN (SELECT id FROM exchange WHERE session = ?1
	              UNION ALL SELECT id FROM capture_log WHERE capture = ?1))`

// EditSession sets what the user may change of a session.
func (s *Store) EditSession(ctx context.Context, workspace, id, title, note string, pinned bool) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return chargeGrowth(ctx, tx, `session WHERE id = ?`, []any{id}, func() error {
			result, err := tx.ExecContext(ctx,
				`UPDATE session SET title = ?, note = ?, search = ?, pinned = ?
				 WHERE id = ? AND workspace = ?`,
				title, note, sessionSearch(title, note), pinned, id, workspace)
			return changedRow("edit session", result, err)
		})
	})
}

// touchSession sets when a session changed, which moves it up in the history.
func touchSession(ctx context.Context, tx *txn, id string, at int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE session SET changed = ? WHERE id = ?`, at, id)
	return failed("touch session", err)
}

// PinSession pins a session to the head of the history, or no longer.
func (s *Store) PinSession(ctx context.Context, workspace, id string, pinned bool) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE session SET pinned = ? WHERE id = ? AND workspace = ?`, pinned, id, workspace)
		return changedRow("pin session", result, err)
	})
}

// DeleteSession deletes a session of the workspace with its record and its
// shares.
func (s *Store) DeleteSession(ctx context.Context, workspace, id string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return deleteSession(ctx, tx, workspace, id)
	})
}

func deleteSession(ctx context.Context, tx *txn, workspace, id string) error {
	_, err := tx.ExecContext(ctx,
		`DELETE FROM log WHERE id IN (SELECT x.id FROM exchange x JOIN session s ON s.id = x.session
		                              WHERE s.id = ?1 AND s.workspace = ?2
		                              UNION ALL SELECT l.id FROM capture_log l
		                              JOIN capture k ON k.id = l.capture
		                              WHERE k.id = ?1 AND k.workspace = ?2)`, id, workspace)
	if err != nil {
		return failed("delete log", err)
	}
	result, err := tx.ExecContext(ctx, `DELETE FROM session WHERE id = ? AND workspace = ?`, id, workspace)
	return changedRow("delete session", result, err)
}

// DeleteSessions deletes all sessions of the workspace as DeleteSession does.
func (s *Store) DeleteSessions(ctx context.Context, workspace string) error {
	always := func(context.Context, *txn) error { return nil }
	return s.inPieces(ctx, workspace, always, func() error { return s.deleteSessions(ctx, workspace) })
}

// inPieces runs remove, which deletes all sessions of a workspace, and maybe more, in one
// transaction. If a full disk has no room for that, it first deletes one session after the
// other, each unless may returns an error in its transaction.
func (s *Store) inPieces(
	ctx context.Context, workspace string, may func(context.Context, *txn) error, remove func() error,
) error {
	err := remove()
	if !errors.Is(err, playground.ErrFull) {
		return err
	}
	ids, err := engine.Texts(ctx, s.read, `SELECT id FROM session WHERE workspace = ?`, workspace)
	for _, id := range ids {
		deleted := s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
			if err := may(ctx, tx); err != nil {
				return err
			}
			return deleteSession(ctx, tx, workspace, id)
		})
		if !errors.Is(deleted, playground.ErrNotFound) {
			err = errors.Join(err, deleted)
		}
	}
	if err != nil {
		return err
	}
	return remove()
}

// deleteSessions deletes all sessions of the workspace at once.
func (s *Store) deleteSessions(ctx context.Context, workspace string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`DELETE FROM log WHERE id IN (SELECT x.id FROM exchange x JOIN session s ON s.id = x.session
			                              WHERE s.workspace = ?1
			                              UNION ALL SELECT l.id FROM capture_log l
			                              JOIN capture k ON k.id = l.capture
			                              WHERE k.workspace = ?1)`, workspace)
		if err != nil {
			return failed("delete logs", err)
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM session WHERE workspace = ?`, workspace)
		return failed("delete sessions", err)
	})
}
