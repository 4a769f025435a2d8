package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Append adds events to a log in one transaction and sets the summary of what
// the log belongs to. A decision that opens a Round which is open already
// gives playground.ErrNotOpen and changes nothing. What happened is kept whoever
// has left meanwhile, so the driver needs no goroutines that watch for that.
func (s *Store) Append(ctx context.Context, log string, sum playground.Summary, events ...playground.Event) error {
	ctx = context.WithoutCancel(ctx)
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := appendEvents(ctx, tx, log, events); err != nil {
			return err
		}
		return summarise(ctx, tx, log, sum)
	})
}

func appendEvents(ctx context.Context, tx *sql.Tx, log string, events []playground.Event) error {
	words := ""
	for _, e := range events {
		words = session.JoinSearchText(words, session.SearchText(e))
		data := e.Data
		if data == nil {
			data = []byte{} // NULL means something else
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO event (log, seq, at, conn, kind, round, data, timing, sealed)
			 VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE log = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
			log, micros(e.At), e.Conn, string(e.Kind), opens(e), data, timing(e), e.Sealed)
		if isUnique(err) {
			return playground.ErrNotOpen
		}
		if err != nil {
			return failed("append event", err)
		}
	}
	return addSearchText(ctx, tx, log, words)
}

// addSearchText lets an exchange be found by what its newest events say.
func addSearchText(ctx context.Context, tx *sql.Tx, log, more string) error {
	if more == "" {
		return nil
	}
	var have string
	err := tx.QueryRowContext(ctx, `SELECT words FROM exchange WHERE id = ?`, log).Scan(&have)
	if errors.Is(err, sql.ErrNoRows) || len(have) >= session.MaxSearchText {
		return nil // the log of a target, or one that says enough
	}
	if err != nil {
		return failed("read words", err)
	}
	if _, err := tx.ExecContext(ctx, `UPDATE exchange SET words = ? WHERE id = ?`, session.JoinSearchText(have, more), log); err != nil {
		return failed("write words", err)
	}
	return nil
}

// opens is the Round that the event opens; NULL when none.
func opens(e playground.Event) sql.NullInt64 {
	n := e.Opens()
	return sql.NullInt64{Int64: int64(n), Valid: n > 0}
}

// timing is how long the steps took, as JSON; NULL when not known.
func timing(e playground.Event) sql.NullString {
	if e.Timing == nil {
		return sql.NullString{}
	}
	text, err := json.Marshal(e.Timing)
	return sql.NullString{String: string(text), Valid: err == nil}
}

// summarise sets the summary of the exchange or target that the log belongs to.
func summarise(ctx context.Context, tx *sql.Tx, log string, sum playground.Summary) error {
	result, err := tx.ExecContext(ctx, `UPDATE exchange SET status = ?, rounds = ?, held = ?, tool_error = ? WHERE id = ?`,
		sum.Status, sum.Rounds, sum.Held, sum.ToolError, log)
	if err != nil {
		return failed("write summary", err)
	}
	if n, err := result.RowsAffected(); err == nil && n > 0 {
		_, err = tx.ExecContext(ctx,
			`UPDATE session SET changed = max(changed, ?2) WHERE id = (SELECT session FROM exchange WHERE id = ?1)`,
			log, micros(sum.Changed))
		return failed("write summary", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE target SET status = ?, says = coalesce(nullif(?, ''), says) WHERE id = ?`, sum.Status, sum.Name, log)
	return failed("write summary", err)
}

// events reads a whole log.
func (s *Store) events(ctx context.Context, log string) ([]playground.Event, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT seq, at, conn, kind, data, timing, sealed FROM event WHERE log = ? ORDER BY seq`, log)
	if err != nil {
		return nil, failed("read log", err)
	}
	defer rows.Close()
	var list []playground.Event
	for rows.Next() {
		var e playground.Event
		var at int64
		var timing sql.NullString
		if err := rows.Scan(&e.Seq, &at, &e.Conn, &e.Kind, &e.Data, &timing, &e.Sealed); err != nil {
			return nil, failed("read log", err)
		}
		if timing.Valid {
			if err := json.Unmarshal([]byte(timing.String), &e.Timing); err != nil {
				return nil, failed("read log", err)
			}
		}
		e.At = fromMicros(at)
		list = append(list, e)
	}
	return list, failed("read log", rows.Err())
}

// Unfinished lists the logs of exchanges and targets whose process ended while
// it held something of them: a request, a task to poll for, an open call.
func (s *Store) Unfinished(ctx context.Context) ([]string, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id FROM exchange WHERE held = 1 UNION ALL SELECT id FROM target WHERE status = 'connecting'`)
	if err != nil {
		return nil, failed("list unfinished logs", err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, failed("list unfinished logs", err)
		}
		ids = append(ids, id)
	}
	return ids, failed("list unfinished logs", rows.Err())
}

// Log reads the events of a log by its id alone, for the program itself.
func (s *Store) Log(ctx context.Context, id string) ([]playground.Event, error) {
	return s.events(ctx, id)
}
