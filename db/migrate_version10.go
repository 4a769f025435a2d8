package db

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// upgradeFrom10 moves the rows of a version-10 file into the tables of
// schema_sqlite.sql. Bytes stay as they are, except for the words of the vocabulary:
// the parameter of a sample's URL that names its instances was called copies.
func upgradeFrom10(ctx context.Context, tx *sql.Tx) error {
	for _, text := range []string{moveAside10, schema, copyRows10, dropTables10} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return failed("upgrade schema", err)
		}
	}
	if err := fillSessions(ctx, tx); err != nil {
		return err
	}
	if err := fillExchanges(ctx, tx); err != nil {
		return err
	}
	if err := fillResults(ctx, tx); err != nil {
		return err
	}
	if err := fillCalled(ctx, tx); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, addUp)
	return failed("count bytes", err)
}

// moveAside10 renames the old tables; references among them follow.
const moveAside10 = `
DROP INDEX workspace_seen;
DROP INDEX event_opens_round_once;
DROP INDEX target_of_workspace;
DROP INDEX session_listed;
DROP INDEX exchange_of_session;
DROP INDEX exchange_held;
DROP INDEX share_of_workspace;
DROP INDEX share_of_session;
DROP INDEX share_expires;
ALTER TABLE workspace RENAME TO old_workspace;
ALTER TABLE log       RENAME TO old_log;
ALTER TABLE event     RENAME TO old_event;
ALTER TABLE target    RENAME TO old_target;
ALTER TABLE session   RENAME TO old_session;
ALTER TABLE exchange  RENAME TO old_exchange;
ALTER TABLE share     RENAME TO old_share;
ALTER TABLE stage     RENAME TO old_stage;
ALTER TABLE mark      RENAME TO old_mark;`

// copyRows10 copies the rows. A target is a sample's when it is reached on this
// machine under the path of the samples; its table does not name the sample.
const copyRows10 = `
INSERT INTO workspace (id, created, seen, roots)
  SELECT id, created, seen, roots FROM old_workspace;
INSERT INTO log (id) SELECT id FROM old_log;
INSERT INTO event (log, seq, at, conn, kind, round, data, timing, sealed)
  SELECT log, seq, at, conn, kind, round, data, timing, sealed FROM old_event;
INSERT INTO target (id, workspace, name, url, header, capabilities, sealed, mine, status,
    server_name, created)
  SELECT id, workspace, name, url, header, capabilities, sealed, mine, status, says, created FROM old_target;
UPDATE target SET url = replace(replace(url, '?copies=', '?instances='), '&copies=', '&instances=')
  WHERE url LIKE 'http://localhost:%/mcp/%' OR url LIKE 'http://127.0.0.1:%/mcp/%'
    OR url LIKE 'http://[::1]:%/mcp/%';
INSERT INTO session (id, workspace, kind, title, note, search, pinned, imported, created, changed)
  SELECT id, workspace, kind, title, note, '', pinned, imported, created, changed FROM old_session;
INSERT INTO exchange (id, session, created, parent, parent_round, status, rounds, held, tool_error, search,
    target, sample, name, url, header, capabilities, method, params, tool, wait, sealed)
  SELECT id, session, created, parent, parent_round, status, rounds, held, tool_error, words,
    target, sample, name, url, header, capabilities, method, params, tool, wait, sealed FROM old_exchange;
UPDATE exchange SET url = replace(replace(url, '?copies=', '?instances='), '&copies=', '&instances=')
  WHERE sample <> '';
INSERT INTO share (digest, token, workspace, session, title, created, expires, views, data, image)
  SELECT digest, token, workspace, session, title, created, expires, views, data, image FROM old_share;
INSERT INTO stage (session, story, own, legacy)
  SELECT session, story, own, nullif(past, '') FROM old_stage;
INSERT INTO mark (session, step, instances, next, rounds)
  SELECT session, step, copies, next, rounds FROM old_mark;`

// dropTables10 drops the old tables, those first that refer to others.
const dropTables10 = `
DROP TABLE old_mark;
DROP TABLE old_stage;
DROP TABLE old_share;
DROP TABLE old_exchange;
DROP TABLE old_session;
DROP TABLE old_target;
DROP TABLE old_event;
DROP TABLE old_log;
DROP TABLE old_workspace;`

// fillSessions writes the search column of sessions.
func fillSessions(ctx context.Context, tx *sql.Tx) error {
	ids, err := queryTexts(ctx, tx, `SELECT id FROM session`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		var title, note string
		row := tx.QueryRowContext(ctx, `SELECT title, note FROM session WHERE id = ?`, id)
		if err := row.Scan(&title, &note); err != nil {
			return failed("read session", err)
		}
		_, err := tx.ExecContext(ctx,
			`UPDATE session SET search = ? WHERE id = ?`, sessionSearch(title, note), id)
		if err != nil {
			return failed("write search text", err)
		}
	}
	return nil
}

// fillExchanges writes the columns of exchanges that were worked out for every
// list before.
func fillExchanges(ctx context.Context, tx *sql.Tx) error {
	ids, err := queryTexts(ctx, tx, `SELECT id FROM exchange`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := fillExchange(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

func fillExchange(ctx context.Context, tx *sql.Tx, id string) error {
	var x playground.Exchange
	var params, first []byte
	var words string // of the events, as version 10 kept them
	err := tx.QueryRowContext(ctx,
		`SELECT x.name, x.url, x.method, x.params, x.search, coalesce(e.data, x'')
		 FROM exchange x LEFT JOIN event e ON e.log = x.id AND e.seq = 1 AND e.kind = 'decision'
		 WHERE x.id = ?`, id).
		Scan(&x.Target.Name, &x.Target.URL, &x.Call.Method, &params, &words, &first)
	if err != nil {
		return failed("read exchange", err)
	}
	x.Call.Params = json.RawMessage(params)
	_, err = tx.ExecContext(ctx, `UPDATE exchange SET experiment = ?, summary = ?, search = ? WHERE id = ?`,
		playground.Event{Kind: playground.Decided, Data: first}.Experiment(), callSummary(x.Call),
		session.JoinSearchText(session.ExchangeSearchText(x), session.Normalise(words)), id)
	return failed("write summary", err)
}
