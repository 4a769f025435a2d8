package db

import (
	"context"
	"database/sql"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// upgradeFrom13 adds what was answered and what came of it to the summary of
// exchanges.
func upgradeFrom13(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `
ALTER TABLE exchange ADD COLUMN answers TEXT NOT NULL DEFAULT '';
ALTER TABLE exchange ADD COLUMN result TEXT NOT NULL DEFAULT '';`)
	if err != nil {
		return failed("upgrade schema", err)
	}
	return fillResults(ctx, tx)
}

// fillResults sets the answers and the result of all exchanges from their logs.
func fillResults(ctx context.Context, tx *sql.Tx) error {
	ids, err := queryTexts(ctx, tx, `SELECT id FROM exchange`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := fillResult(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

func fillResult(ctx context.Context, tx *sql.Tx, id string) error {
	rows, err := tx.QueryContext(ctx,
		`SELECT kind, data FROM event WHERE log = ? AND kind IN (?, ?, ?) ORDER BY seq`,
		id, string(playground.Decided), string(playground.Received), string(playground.Message))
	if err != nil {
		return failed("read events", err)
	}
	defer rows.Close()
	var g gist
	for rows.Next() {
		var e playground.Event
		if err := rows.Scan(&e.Kind, &e.Data); err != nil {
			return failed("read events", err)
		}
		g.add(e)
	}
	if err := rows.Err(); err != nil {
		return failed("read events", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE exchange SET answers = ?, result = ? WHERE id = ?`,
		g.answers, g.result, id)
	return failed("write summary", err)
}

// gist is what lists show of an exchange besides its status: what the user
// answered, and what came of it.
type gist struct{ answers, result string }

func (g *gist) add(e playground.Event) {
	g.answers = session.JoinAnswers(g.answers, e)
	if text := session.ResultText(e); text != "" {
		g.result = text
	}
}
