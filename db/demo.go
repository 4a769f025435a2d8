package db

import (
	"context"
	"database/sql"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// AddStage stores a stage with the exchange of its story, not sent yet, and the
// mark of its first step.
func (s *Store) AddStage(ctx context.Context, workspace, title, story string, x playground.Exchange, m demo.Mark) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := addWorkspace(ctx, tx, workspace, x.Created); err != nil {
			return err
		}
		at := micros(x.Created)
		_, err := tx.ExecContext(ctx,
			`INSERT INTO session (id, workspace, kind, title, created, changed) VALUES (?, ?, 'demo', ?, ?, ?)`,
			x.Session, workspace, title, at, at)
		if err != nil {
			return failed("add session", err)
		}
		if err := addExchange(ctx, tx, x); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO stage (session, story, own) VALUES (?, ?, ?)`, x.Session, story, x.ID); err != nil {
			return failed("add stage", err)
		}
		return addMark(ctx, tx, x.Session, 1, m)
	})
}

func addMark(ctx context.Context, tx *sql.Tx, session string, step int, m demo.Mark) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO mark (session, step, copies, next, rounds) VALUES (?, ?, ?, ?, ?)`,
		session, step, m.Instances, m.Next, m.Rounds)
	if isUnique(err) {
		return playground.ErrNotOpen
	}
	if err != nil {
		return failed("add mark", err)
	}
	return nil
}

// Stage reads a stage of the workspace.
func (s *Store) Stage(ctx context.Context, workspace, session string) (demo.Stage, error) {
	st := demo.Stage{Session: session}
	err := s.read.QueryRowContext(ctx,
		`SELECT t.story, t.own, t.past FROM stage t JOIN session s ON s.id = t.session WHERE t.session = ? AND s.workspace = ?`,
		session, workspace).Scan(&st.Story, &st.Own, &st.Legacy)
	if err != nil {
		return st, failed("read stage", one(err))
	}
	rows, err := s.read.QueryContext(ctx, `SELECT copies, next, rounds FROM mark WHERE session = ? ORDER BY step`, session)
	if err != nil {
		return st, failed("read marks", err)
	}
	defer rows.Close()
	for rows.Next() {
		var m demo.Mark
		if err := rows.Scan(&m.Instances, &m.Next, &m.Rounds); err != nil {
			return st, failed("read marks", err)
		}
		st.Marks = append(st.Marks, m)
	}
	return st, failed("read stage", rows.Err())
}

// AddMark stores that a stage has reached a step; playground.ErrNotOpen when
// somebody was faster.
func (s *Store) AddMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := addMark(ctx, tx, session, step, m); err != nil {
			return err
		}
		return touch(ctx, tx, session, at)
	})
}

// SetMark changes who stands behind the balancer at a step.
func (s *Store) SetMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE mark SET copies = ?, next = ?, rounds = ? WHERE session = ? AND step = ?`,
			m.Instances, m.Next, m.Rounds, session, step)
		if err := found("set mark", done, err); err != nil {
			return err
		}
		return touch(ctx, tx, session, at)
	})
}

// AddLegacy stores the exchange of the story before MRTR, not sent yet;
// playground.ErrNotOpen when the stage has one.
func (s *Store) AddLegacy(ctx context.Context, x playground.Exchange) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE stage SET past = ? WHERE session = ? AND past = ''`, x.ID, x.Session)
		if err != nil {
			return failed("add lane", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return playground.ErrNotOpen
		}
		return addExchange(ctx, tx, x)
	})
}

// touch moves a session up in the list.
func touch(ctx context.Context, tx *sql.Tx, session string, at time.Time) error {
	if _, err := tx.ExecContext(ctx, `UPDATE session SET changed = ? WHERE id = ?`, micros(at), session); err != nil {
		return failed("change session", err)
	}
	return nil
}
