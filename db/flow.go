package db

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddFlow stores a new flow with its session and its first edition, unless the
// workspace has most flows already; then added is false.
func (s *Store) AddFlow(ctx context.Context, f flow.Saved, most int) (added bool, err error) {
	err = s.change(ctx, ofWorkspace(f.Workspace), func(ctx context.Context, tx *txn) error {
		var have int
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM flow WHERE workspace = ?`, f.Workspace).
			Scan(&have)
		if added = have < most; err != nil || !added {
			return failed("count flows", err)
		}
		err = addSession(ctx, tx, f.Workspace, session.Session{
			ID: f.ID, Kind: session.KindFlow, Title: f.Title, Created: f.Created, Changed: f.Created,
		})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(
			ctx,
			`INSERT INTO flow (id, workspace, digest, token, text, draft, number, created, changed, used)
			 VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`,
			f.ID,
			f.Workspace,
			digest(f.Token),
			f.Token,
			f.Text,
			f.Draft,
			micros(f.Created),
			micros(f.Created),
			micros(f.Created),
		)
		if err != nil {
			return failed("add flow", err)
		}
		first := flow.Edition{Number: 1, Text: f.Text, At: f.Created}
		if err := addEdition(ctx, tx, f.Workspace, f.ID, first); err != nil {
			return err
		}
		if err := charge(ctx, tx, `session WHERE id = ?`, f.ID); err != nil {
			return err
		}
		return charge(ctx, tx, `flow WHERE id = ?`, f.ID)
	})
	return added, err
}

func addEdition(ctx context.Context, tx *txn, workspace, id string, e flow.Edition) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO flow_edition (flow, number, workspace, text, at) VALUES (?, ?, ?, ?, ?)`,
		id, e.Number, workspace, e.Text, micros(e.At))
	if err != nil {
		return failed("add edition of flow", err)
	}
	return charge(ctx, tx, `flow_edition WHERE flow = ? AND number = ?`, id, e.Number)
}

// flowColumns are the columns that scanFlow reads.
const flowColumns = `f.id, f.workspace, f.token, s.title, f.text, f.draft, f.number, f.created, f.changed,
	f.used, f.ended FROM flow f JOIN session s ON s.id = f.id`

func scanFlow(scan func(...any) error) (flow.Saved, error) {
	var f flow.Saved
	var created, changed, used, ended int64
	err := scan(
		&f.ID,
		&f.Workspace,
		&f.Token,
		&f.Title,
		&f.Text,
		&f.Draft,
		&f.Number,
		&created,
		&changed,
		&used,
		&ended,
	)
	f.Created, f.Changed, f.Used = fromMicros(created), fromMicros(changed), fromMicros(used)
	if ended > 0 {
		f.Ended = fromMicros(ended)
	}
	return f, err
}

// Flow returns a flow of the workspace.
func (s *Store) Flow(ctx context.Context, workspace, id string) (flow.Saved, error) {
	f, err := scanFlow(s.read.QueryRowContext(ctx,
		`SELECT `+flowColumns+` WHERE f.id = ? AND f.workspace = ?`, id, workspace).Scan)
	return f, failed("read flow", notFound(err))
}

// FlowAt returns the flow with a token, of any workspace that is not blocked, open or not.
func (s *Store) FlowAt(ctx context.Context, token string) (flow.Saved, error) {
	f, err := scanFlow(s.read.QueryRowContext(ctx,
		`SELECT `+flowColumns+` WHERE f.digest = ? AND`+notBlocked("f.workspace"),
		digest(token)).Scan)
	return f, failed("read flow", notFound(err))
}

// Flows returns the flows of a workspace, the one that changed last first.
func (s *Store) Flows(ctx context.Context, workspace string) ([]flow.Saved, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+flowColumns+` WHERE f.workspace = ? ORDER BY f.changed DESC, f.id`, workspace)
	if err != nil {
		return nil, failed("read flows", err)
	}
	defer rows.Close()
	var list []flow.Saved
	for rows.Next() {
		f, err := scanFlow(rows.Scan)
		if err != nil {
			return nil, failed("read flows", err)
		}
		list = append(list, f)
	}
	return list, failed("read flows", rows.Err())
}

// DraftFlow keeps the unsaved text of a flow.
func (s *Store) DraftFlow(ctx context.Context, workspace, id, draft string, at time.Time) error {
	return s.changeFlow(ctx, workspace, id, func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(
			ctx,
			`UPDATE flow SET draft = ?, changed = ? WHERE id = ? AND workspace = ?`,
			draft,
			micros(at),
			id,
			workspace,
		)
		return changedRow("keep draft of flow", result, err)
	})
}

// changeFlow changes a flow and charges its growth.
func (s *Store) changeFlow(
	ctx context.Context, workspace, id string, change func(context.Context, *txn) error,
) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return chargeGrowth(
			ctx,
			tx,
			`flow WHERE id = ?`,
			[]any{id},
			func() error { return change(ctx, tx) },
		)
	})
}

// SaveFlow makes a text what the address of a flow runs, and a new edition unless
// it is the newest one already. The flow then has no draft. It returns the number
// of the edition.
func (s *Store) SaveFlow(
	ctx context.Context, workspace, id, title, text string, at time.Time,
) (number int, err error) {
	err = s.changeFlow(ctx, workspace, id, func(ctx context.Context, tx *txn) error {
		var newest string
		err := tx.QueryRowContext(ctx,
			`SELECT number, text FROM flow WHERE id = ? AND workspace = ?`, id, workspace).
			Scan(&number, &newest)
		if err != nil {
			return failed("read flow", notFound(err))
		}
		if text != newest {
			number++
			e := flow.Edition{Number: number, Text: text, At: at}
			if err := addEdition(ctx, tx, workspace, id, e); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `DELETE FROM flow_edition WHERE flow = ? AND number <= ?`,
				id, number-flow.MaxEditions)
			if err != nil {
				return failed("delete editions of flow", err)
			}
		}
		_, err = tx.ExecContext(
			ctx,
			`UPDATE flow SET text = ?, draft = '', number = ?, changed = ? WHERE id = ?`,
			text,
			number,
			micros(at),
			id,
		)
		if err != nil {
			return failed("save flow", err)
		}
		return titleSession(ctx, tx, id, title, at)
	})
	return number, err
}

// titleSession gives a session a title.
func titleSession(ctx context.Context, tx *txn, id, title string, at time.Time) error {
	var note string
	if err := tx.QueryRowContext(ctx, `SELECT note FROM session WHERE id = ?`, id).Scan(&note); err != nil {
		return failed("read session", notFound(err))
	}
	return chargeGrowth(ctx, tx, `session WHERE id = ?`, []any{id}, func() error {
		_, err := tx.ExecContext(ctx, `UPDATE session SET title = ?, search = ?, changed = ? WHERE id = ?`,
			title, sessionSearch(title, note), micros(at), id)
		return failed("title session", err)
	})
}

// FlowEditions returns the kept editions of a flow of the workspace, the newest
// first.
func (s *Store) FlowEditions(ctx context.Context, workspace, id string) ([]flow.Edition, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT number, text, at FROM flow_edition WHERE flow = ? AND workspace = ? ORDER BY number DESC`,
		id, workspace)
	if err != nil {
		return nil, failed("read editions of flow", err)
	}
	defer rows.Close()
	var list []flow.Edition
	for rows.Next() {
		var e flow.Edition
		var at int64
		if err := rows.Scan(&e.Number, &e.Text, &at); err != nil {
			return nil, failed("read editions of flow", err)
		}
		e.At = fromMicros(at)
		list = append(list, e)
	}
	return list, failed("read editions of flow", rows.Err())
}

// EndFlow ends the address of a flow of the workspace.
func (s *Store) EndFlow(ctx context.Context, workspace, id string, at time.Time) error {
	return s.end(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE flow SET ended = ? WHERE id = ? AND workspace = ?`, micros(at), id, workspace)
		return changedRow("end flow", result, err)
	})
}

// RenewFlow gives a flow of the workspace another address, which is open.
func (s *Store) RenewFlow(ctx context.Context, workspace, id, token string, at time.Time) error {
	return s.changeFlow(ctx, workspace, id, func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE flow SET token = ?, digest = ?, ended = 0, changed = ? WHERE id = ? AND workspace = ?`,
			token, digest(token), micros(at), id, workspace)
		return changedRow("renew flow", result, err)
	})
}

// UseFlow notes that the address of a flow was called. It writes at most once an
// hour.
func (s *Store) UseFlow(ctx context.Context, f flow.Saved, at time.Time) error {
	if at.Sub(f.Used) < time.Hour {
		return nil
	}
	err := s.change(ctx, ofWorkspace(f.Workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE flow SET used = ? WHERE id = ?`, micros(at), f.ID)
		return changedRow("use flow", result, err)
	})
	if errors.Is(err, playground.ErrNotFound) { // deleted meanwhile
		return nil
	}
	return err
}
