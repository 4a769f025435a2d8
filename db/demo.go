package db

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddStage stores a stage with its session and the mark of its first step. The
// exchanges have a log if the story is a recorded one, or else nothing is sent yet.
// A user's story is copied.
func (s *Store) AddStage(ctx context.Context, workspace string, st demo.Stage, n session.Session) error {
	n.ID, n.Kind = st.Session, session.KindDemo
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addSession(ctx, tx, workspace, n); err != nil {
			return err
		}
		for _, x := range n.Exchanges {
			add := addRecorded
			if x.Session = n.ID; len(x.Log) == 0 {
				add = addExchange // to be sent
			}
			if err := add(ctx, tx, x); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO stage (session, story, own) VALUES (?, ?, ?)`, st.Session, st.Story, st.Own)
		if err != nil {
			return failed("add stage", err)
		}
		if st.Text != "" {
			if err := playStory(ctx, tx, workspace, st, n); err != nil {
				return err
			}
		}
		if err := addMark(ctx, tx, st.Session, 1, st.Marks[0]); err != nil {
			return err
		}
		return charge(ctx, tx, `session WHERE id = ?`, n.ID)
	})
}

// playStory stores the copy of a story that a stage plays.
func playStory(ctx context.Context, tx *txn, workspace string, st demo.Stage, n session.Session) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO story (id, workspace, stage, title, text, created, used) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		st.Session, workspace, st.Session, n.Title, st.Text, micros(n.Created), micros(n.Created))
	if err != nil {
		return failed("copy story", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE story SET used = ? WHERE id = ? AND workspace = ?`,
		micros(n.Created), st.Story, workspace)
	if err != nil {
		return failed("note use of story", err)
	}
	return charge(ctx, tx, `story WHERE id = ?`, st.Session)
}

// Stage returns a stage of the workspace.
func (s *Store) Stage(ctx context.Context, workspace, session string) (demo.Stage, error) {
	st := demo.Stage{Session: session}
	var started int64
	err := s.read.QueryRowContext(ctx,
		`SELECT t.story, t.own, coalesce(t.legacy, ''), coalesce(c.text, ''), s.created
		 FROM stage t JOIN session s ON s.id = t.session LEFT JOIN story c ON c.stage = t.session
		 WHERE t.session = ? AND s.workspace = ?`, session, workspace).
		Scan(&st.Story, &st.Own, &st.Legacy, &st.Text, &started)
	if err != nil {
		return st, failed("read stage", notFound(err))
	}
	st.Started = fromMicros(started)
	st.Marks, err = s.marks(ctx, session)
	return st, err
}

func (s *Store) marks(ctx context.Context, session string) ([]demo.Mark, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT instances, next, rounds FROM mark WHERE session = ? ORDER BY step`, session)
	if err != nil {
		return nil, failed("read marks", err)
	}
	defer rows.Close()
	var list []demo.Mark
	for rows.Next() {
		var m demo.Mark
		if err := rows.Scan(&m.Instances, &m.Next, &m.Rounds); err != nil {
			return nil, failed("read marks", err)
		}
		list = append(list, m)
	}
	return list, failed("read marks", rows.Err())
}

// AddMark stores that a stage has reached a step. It returns
// playground.ErrNotOpen if the stage reached it before.
func (s *Store) AddMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error {
	return s.change(ctx, ofSession(session), func(ctx context.Context, tx *txn) error {
		if err := addMark(ctx, tx, session, step, m); err != nil {
			return err
		}
		return touchSession(ctx, tx, session, micros(at))
	})
}

func addMark(ctx context.Context, tx *txn, session string, step int, m demo.Mark) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO mark (session, step, instances, next, rounds) VALUES (?, ?, ?, ?, ?)`,
		session, step, m.Instances, m.Next, m.Rounds)
	return failed("add mark", notOpen(notFound(err)))
}

// SetMark changes the instances behind the load balancer at a step.
func (s *Store) SetMark(ctx context.Context, session string, step int, m demo.Mark, at time.Time) error {
	return s.change(ctx, ofSession(session), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE mark SET instances = ?, next = ?, rounds = ? WHERE session = ? AND step = ?`,
			m.Instances, m.Next, m.Rounds, session, step)
		if err := changedRow("set mark", result, err); err != nil {
			return err
		}
		return touchSession(ctx, tx, session, micros(at))
	})
}

// AddLegacy stores the exchange of the story with a server before MRTR, not
// sent yet. It returns playground.ErrNotOpen if the stage has one.
func (s *Store) AddLegacy(ctx context.Context, x playground.Exchange) error {
	return s.change(ctx, ofSession(x.Session), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE stage SET legacy = ? WHERE session = ? AND legacy IS NULL`, x.ID, x.Session)
		if err != nil {
			return failed("add legacy exchange", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return playground.ErrNotOpen
		}
		return addExchange(ctx, tx, x)
	})
}
