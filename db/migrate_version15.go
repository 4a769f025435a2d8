package db

import (
	"context"
	"database/sql"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// upgradeFrom14 adds saved calls, and to sessions what they call, so that the
// last call of a tool is found.
func upgradeFrom14(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, statements15); err != nil {
		return failed("upgrade schema", err)
	}
	return fillCalled(ctx, tx)
}

const statements15 = `
ALTER TABLE session ADD COLUMN called TEXT NOT NULL DEFAULT '';
CREATE INDEX session_called ON session (workspace, called, created) WHERE called <> '';
CREATE TABLE saved_call (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  title     TEXT    NOT NULL,
  target    TEXT    NOT NULL,
  kind      TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  arguments TEXT    NOT NULL,
  omitted   TEXT    NOT NULL,
  level     TEXT    NOT NULL,
  wait      TEXT    NOT NULL,
  created   INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_call_of_workspace ON saved_call (workspace, target);
CREATE TRIGGER saved_call_added AFTER INSERT ON saved_call BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.title) + octet_length(new.name)
    + octet_length(new.arguments) + octet_length(new.omitted) WHERE id = new.workspace;
END;
CREATE TRIGGER saved_call_changed AFTER UPDATE OF title ON saved_call BEGIN
  UPDATE workspace SET bytes = bytes + octet_length(new.title) - octet_length(old.title)
    WHERE id = new.workspace;
END;
CREATE TRIGGER saved_call_deleted AFTER DELETE ON saved_call BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.title) - octet_length(old.name)
    - octet_length(old.arguments) - octet_length(old.omitted) WHERE id = old.workspace;
END;`

// fillCalled sets what the sessions of single calls call.
func fillCalled(ctx context.Context, tx *sql.Tx) error {
	ids, err := queryTexts(ctx, tx,
		`SELECT x.id FROM exchange x JOIN session s ON s.id = x.session
		 WHERE s.kind = 'exchange' AND s.imported = 0 AND x.parent IS NULL AND x.target <> ''`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		var in, target string
		var call playground.Call
		err := tx.QueryRowContext(ctx,
			`SELECT session, target, method, params FROM exchange WHERE id = ?`, id).
			Scan(&in, &target, &call.Method, (*[]byte)(&call.Params))
		if err != nil {
			return failed("read call", err)
		}
		_, err = tx.ExecContext(ctx, `UPDATE session SET called = ? WHERE id = ?`,
			session.CalledKey(target, call), in)
		if err != nil {
			return failed("write call", err)
		}
	}
	return nil
}
