package db

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/talk"
)

// StartTalk makes a stage of the workspace a talk. If it is one already, the talk
// keeps its code.
func (s *Store) StartTalk(ctx context.Context, t talk.Talk, now time.Time) error {
	return s.change(ctx, ofWorkspace(t.Workspace), func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM talk WHERE session = ? AND seen <= ?`,
			t.Session, talkEnd(now))
		if err != nil {
			return failed("delete ended talk", err)
		}
		result, err := tx.ExecContext(ctx,
			`INSERT INTO talk (session, digest, code, seen)
			 SELECT t.session, ?, ?, ? FROM stage t JOIN session s ON s.id = t.session
			 WHERE t.session = ? AND s.workspace = ?
			 ON CONFLICT (session) DO UPDATE SET seen = excluded.seen`,
			digest(t.Code), t.Code, micros(now), t.Session, t.Workspace)
		return changedRow("start talk", result, err)
	})
}

// talkEnd returns the time of the presenter's last look at a talk that ends now.
func talkEnd(now time.Time) int64 { return micros(now.Add(-talk.Life)) }

// Talk returns the talk with a code, of any workspace that is not blocked. A talk that has
// ended is not found.
func (s *Store) Talk(ctx context.Context, code string, now time.Time) (talk.Talk, error) {
	t := talk.Talk{Code: code}
	err := s.read.QueryRowContext(ctx,
		`SELECT s.workspace, s.id FROM talk t JOIN session s ON s.id = t.session
		 WHERE t.digest = ? AND t.seen > ? AND`+notBlocked("s.workspace"),
		digest(code), talkEnd(now)).Scan(&t.Workspace, &t.Session)
	return t, failed("read talk", notFound(err))
}

// TalkOf returns the talk that a stage of the workspace is, and notes that its
// presenter is there, to the minute.
func (s *Store) TalkOf(ctx context.Context, workspace, session string, now time.Time) (talk.Talk, error) {
	t := talk.Talk{Workspace: workspace, Session: session}
	var seen int64
	err := s.read.QueryRowContext(ctx,
		`SELECT t.code, t.seen FROM talk t JOIN session s ON s.id = t.session
		 WHERE t.session = ? AND s.workspace = ? AND t.seen > ?`,
		session, workspace, talkEnd(now)).Scan(&t.Code, &seen)
	if err != nil || seen > micros(now.Add(-time.Minute)) {
		return t, failed("read talk", notFound(err))
	}
	return t, s.db.Exec(ctx, "note presenter", `UPDATE talk SET seen = ? WHERE session = ? AND seen < ?`,
		micros(now), session, micros(now))
}

// MoveTalk makes the talk of one stage that of another, which has none, so that a
// story that is started over keeps its followers. It does nothing if the first stage
// of the workspace is no talk.
func (s *Store) MoveTalk(ctx context.Context, workspace, from, to string, now time.Time) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`UPDATE talk SET session = ?1, seen = ?2 WHERE session = ?3 AND seen > ?4
			 AND (SELECT count(*) FROM session WHERE id IN (?1, ?3) AND workspace = ?5) = 2`,
			to, micros(now), from, talkEnd(now), workspace)
		return failed("move talk", err)
	})
}

// EndTalk ends the talk that a stage of the workspace is.
func (s *Store) EndTalk(ctx context.Context, workspace, session string) error {
	return s.end(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`DELETE FROM talk WHERE session = (SELECT id FROM session WHERE id = ? AND workspace = ?)`,
			session, workspace)
		return failed("end talk", err)
	})
}

// DeleteEndedTalks deletes the talks whose presenters have been away for too long.
func (s *Store) DeleteEndedTalks(ctx context.Context, now time.Time) error {
	return s.db.Exec(ctx, "delete ended talks", `DELETE FROM talk WHERE seen <= ?`, talkEnd(now))
}
