package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Append adds events to a log in one transaction and sets the summary of the
// exchange or target that the log belongs to. It returns playground.ErrNotOpen
// for a decision that opens a Round which is open already, and
// playground.ErrNotFound for a log that was deleted; neither changes anything. A
// repeated event with the number of the newest event, if that is one of the
// same poll with a lower count, takes its place; with the number of an older
// event the result is playground.ErrNotOpen.
// It does not stop when ctx ends: an event that happened is recorded even if
// the client that caused it is gone. Events that only end something are recorded on a
// full disk, too.
func (s *Store) Append(
	ctx context.Context, log string, sum playground.Summary, events ...playground.Event,
) error {
	ctx = context.WithoutCancel(ctx)
	store := s.change
	if !slices.ContainsFunc(events, func(e playground.Event) bool { return !e.Ends() }) {
		store = s.end
	}
	return store(ctx, ofLog(log), func(ctx context.Context, tx *txn) error {
		e, err := readEnd(ctx, tx, log)
		if err != nil {
			return err
		}
		return appendLog(ctx, tx, log, e, sum, events)
	})
}

// appendLog adds events behind the end of a log.
func appendLog(
	ctx context.Context, tx *txn, log string, e end, sum playground.Summary, events []playground.Event,
) error {
	if err := setPayer(ctx, tx, log, e.payer); err != nil {
		return err
	}
	rows := eventRows{log: log}
	for _, event := range events {
		if event.Kind == playground.Repeated && event.Seq > 0 && event.Seq <= e.seq {
			if err := rows.insert(ctx, tx); err != nil {
				return err
			}
			if err := countOn(ctx, tx, log, e.seq, event); err != nil {
				return err
			}
			continue
		}
		if e.add(event); e.exact && event.Seq != e.seq {
			return failed("append event", playground.ErrNotOpen)
		}
		if err := rows.add(ctx, tx, e.seq, event); err != nil {
			return err
		}
	}
	if err := rows.insert(ctx, tx); err != nil {
		return err
	}
	switch {
	case e.isCapture:
		return summariseCapture(ctx, tx, log, sum)
	case e.isTarget:
		return summariseTarget(ctx, tx, log, sum)
	}
	return summariseExchange(ctx, tx, log, sum, e)
}

// end is what a log has come to: what the next event changes.
type end struct {
	seq        int // of the newest event; 0 for none
	isTarget   bool
	isCapture  bool
	search     string      // of the exchange
	experiment string      // of the exchange
	gist       gist        // of the exchange
	payer      usage.Payer // who is charged
	exact      bool        // the next event must have the next number; else its number is not read
}

// readEnd returns the end of a log, or playground.ErrNotFound if there is no
// such log.
func readEnd(ctx context.Context, tx *txn, log string) (end, error) {
	var e end
	err := tx.QueryRowContext(ctx, `SELECT `+endColumns+` FROM `+endTables+` WHERE l.id = ?`, log).
		Scan(e.columns()...)
	return e, failed("append event", notFound(err))
}

// endColumns are what the method columns of an end takes, from endTables.
const (
	endColumns = `(SELECT coalesce(max(seq), 0) FROM event WHERE log = l.id), x.id IS NULL, k.id IS NOT NULL,
		coalesce(x.search, ''), coalesce(x.experiment, ''), coalesce(x.answers, ''),
		coalesce(x.result, ''), coalesce(p.day, 0), coalesce(p.hash, ''), coalesce(p.network, '')`
	endTables = `log l LEFT JOIN exchange x ON x.id = l.id LEFT JOIN capture_log k ON k.id = l.id
		LEFT JOIN payer p ON p.id = l.payer`
)

func (e *end) columns() []any {
	return []any{
		&e.seq, &e.isTarget, &e.isCapture, &e.search, &e.experiment, &e.gist.answers, &e.gist.result,
		&e.payer.Day, &e.payer.Hash, &e.payer.Network,
	}
}

func (e *end) add(event playground.Event) {
	e.seq++
	if e.seq == 1 {
		e.experiment = event.Experiment()
	}
	e.search = session.JoinSearchText(e.search, session.SearchText(event))
	e.gist.add(event)
}

// gist is what lists show of an exchange besides its status: what the user
// answered and what came of it.
type gist struct{ answers, result string }

func (g *gist) add(e playground.Event) {
	g.answers = session.JoinAnswers(g.answers, e)
	if text := session.ResultText(e); text != "" {
		g.result = text
	}
}

// eventRows are events of a log that are inserted by one statement.
type eventRows struct {
	log  string
	n    int
	args []any
}

// mostEventRows bounds the length of a statement and the number of different ones.
const mostEventRows = 20

// add adds an event with its number, and inserts all if they are enough.
func (r *eventRows) add(ctx context.Context, tx *txn, seq int, e playground.Event) error {
	opened := e.Opens()
	round := sql.NullInt64{Int64: int64(opened), Valid: opened > 0}
	timing, err := timingColumn(e)
	if err != nil {
		return err
	}
	data := e.Data
	if data == nil {
		data = []byte{} // the column is NOT NULL
	}
	r.n++
	r.args = append(r.args, r.log, seq, micros(e.At), e.Conn, string(e.Kind), round, data, timing, e.Sealed)
	if r.n < mostEventRows {
		return nil
	}
	return r.insert(ctx, tx)
}

// insert inserts what was added since the last time.
func (r *eventRows) insert(ctx context.Context, tx *txn) error {
	if r.n == 0 {
		return nil
	}
	err := tx.Later(ctx, "append event", notOpen,
		`INSERT INTO event (log, seq, at, conn, kind, round, data, timing, sealed)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`+
			strings.Repeat(`, (?, ?, ?, ?, ?, ?, ?, ?, ?)`, r.n-1), r.args...)
	r.n, r.args = 0, r.args[:0]
	return err
}

// countOn replaces the newest event of a log, which has the number newest, by one
// that counts on.
func countOn(ctx context.Context, tx *txn, log string, newest int, e playground.Event) error {
	n, err := e.Repetition()
	if err != nil || e.Seq != newest {
		return failed("count poll", errors.Join(err, playground.ErrNotOpen))
	}
	before := playground.Event{Seq: newest}
	err = tx.QueryRowContext(ctx,
		`SELECT kind, conn, data FROM event WHERE log = ? AND seq = ?`, log, newest).
		Scan(&before.Kind, &before.Conn, &before.Data)
	if err != nil {
		return failed("count poll", err)
	}
	old, err := before.Repetition()
	if err != nil || old.Of != n.Of || old.Count >= n.Count || before.Conn >= e.Conn {
		return failed("count poll", playground.ErrNotOpen) // another holder of the log was faster
	}
	_, err = tx.ExecContext(ctx, `UPDATE event SET at = ?, conn = ?, data = ? WHERE log = ? AND seq = ?`,
		micros(e.At), e.Conn, e.Data, log, newest)
	return failed("count poll", err)
}

// timingColumn returns the timing of an event as JSON, or NULL if it has none.
func timingColumn(e playground.Event) (sql.NullString, error) {
	if e.Timing == nil {
		return sql.NullString{}, nil
	}
	text, err := json.Marshal(e.Timing)
	return sql.NullString{String: string(text), Valid: true}, failed("encode timing", err)
}

func summariseExchange(ctx context.Context, tx *txn, id string, sum playground.Summary, e end) error {
	err := tx.Later(ctx, "write summary", nil,
		`UPDATE exchange SET status = ?, rounds = ?, held = ?, tool_error = ?, sign_in = ?, experiment = ?,
		   search = ?, answers = ?, result = ?
		 WHERE id = ?`,
		sum.Status, sum.Rounds, sum.Held, sum.ToolError, sum.SignIn, e.experiment, e.search,
		e.gist.answers, e.gist.result, id)
	if err != nil {
		return err
	}
	return tx.Later(ctx, "write summary", nil,
		`UPDATE session SET changed = ?1
		 WHERE id = (SELECT session FROM exchange WHERE id = ?2) AND changed < ?1`,
		micros(sum.Changed), id)
}

func summariseTarget(ctx context.Context, tx *txn, id string, sum playground.Summary) error {
	return tx.Later(ctx, "write summary", nil,
		`UPDATE target SET status = ?, server_name = coalesce(nullif(?, ''), server_name) WHERE id = ?`,
		sum.Status, sum.Name, id)
}

// Log returns the events of a log of any workspace.
func (s *Store) Log(ctx context.Context, id string) ([]playground.Event, error) {
	logs, err := s.readLogs(ctx, `log = ?`, id)
	return logs[id], err
}

// readLogs returns the events for which a condition holds, by the id of their log.
func (s *Store) readLogs(
	ctx context.Context, condition string, args ...any,
) (map[string][]playground.Event, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT log, seq, at, conn, kind, data, timing, sealed FROM event
		 WHERE `+condition+` ORDER BY log, seq`, args...)
	if err != nil {
		return nil, failed("read log", err)
	}
	defer rows.Close()
	logs := map[string][]playground.Event{}
	for rows.Next() {
		var log string
		var e playground.Event
		var at int64
		var timing sql.NullString
		err := rows.Scan(&log, &e.Seq, &at, &e.Conn, &e.Kind, &e.Data, &timing, &e.Sealed)
		if err == nil && timing.Valid {
			err = json.Unmarshal([]byte(timing.String), &e.Timing)
		}
		if err != nil {
			return nil, failed("read log", err)
		}
		e.At = fromMicros(at)
		logs[log] = append(logs[log], e)
	}
	return logs, failed("read log", rows.Err())
}

// Looked notes when the owner of an exchange last looked at it. An id that is
// not one of an exchange is no error.
func (s *Store) Looked(ctx context.Context, id string, at time.Time) error {
	return s.db.Exec(ctx, "note look", `UPDATE exchange SET looked = ? WHERE id = ? AND looked < ?`,
		micros(at), id, micros(at))
}

// Unfinished returns the ids of the exchanges, targets and logs of captures whose process
// ended while it held something of them: a request, a task to poll, an open call.
func (s *Store) Unfinished(ctx context.Context) ([]string, error) {
	return engine.Texts(ctx, s.read,
		`SELECT id FROM exchange WHERE held = 1 UNION ALL SELECT id FROM capture_log WHERE held = 1
		 UNION ALL SELECT id FROM target WHERE status = 'connecting'`)
}
