package db

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

// Version 23 says once what a row counts, in a generated column, keeps no words for
// searching, and tells a call that a sign-in can continue from one that failed.

// counted23 are the tables whose rows count what they store, and what a row counts.
var counted23 = []struct{ table, bytes string }{
	{"event", `(64 + octet_length(data) + coalesce(octet_length(timing), 0)
   + coalesce(octet_length(sealed), 0))`},
	{"exchange", `(256 + octet_length(search) + octet_length(summary) + octet_length(name) + octet_length(url)
   + octet_length(header) + octet_length(capabilities) + octet_length(params)
   + coalesce(octet_length(tool), 0) + coalesce(octet_length(sealed), 0))`},
	{"target", `(256 + octet_length(name) + octet_length(url) + octet_length(header)
   + octet_length(capabilities) + octet_length(server_name) + coalesce(octet_length(sealed), 0))`},
	{"session", `(CASE kind WHEN 'demo' THEN 1280 ELSE 256 END + octet_length(title) + octet_length(note)
   + octet_length(search))`},
	{"share", `(256 + octet_length(title) + octet_length(data) + octet_length(image))`},
	{"saved_call", `(256 + octet_length(title) + octet_length(name) + octet_length(arguments)
   + octet_length(omitted))`},
	{"sign_in", `(256 + octet_length(record) + octet_length(sealed))`},
	{"token", `(256 + octet_length(url) + octet_length(sealed))`},
	{"registration", `(256 + octet_length(issuer) + octet_length(sealed))`},
	{"workbench", `(256 + octet_length(sealed))`},
}

// log23 are the columns of the tables of counted23 that name the log of a row. Every
// other row counts for its workspace.
var log23 = map[string]string{"event": "log", "exchange": "id", "target": "id"}

// The triggers of a table on SQLite: of what a row counts for, and the column that
// names it.
const (
	added23 = `CREATE TRIGGER %[1]s_added AFTER INSERT ON %[1]s BEGIN
  UPDATE %[2]s SET bytes = bytes + new.bytes WHERE id = new.%[3]s;
END`
	changed23 = `CREATE TRIGGER %[1]s_changed AFTER UPDATE ON %[1]s WHEN new.bytes <> old.bytes BEGIN
  UPDATE %[2]s SET bytes = bytes + new.bytes - old.bytes WHERE id = new.%[3]s;
END`
	deleted23 = `CREATE TRIGGER %[1]s_deleted AFTER DELETE ON %[1]s BEGIN
  UPDATE %[2]s SET bytes = bytes - old.bytes WHERE id = old.%[3]s;
END`
)

// upgradeSQLite23 is the step of SQLite.
func upgradeSQLite23(ctx context.Context, tx *sql.Tx) error {
	statements := []string{
		`DROP TABLE session_words`, `DROP TABLE word_session`, `DROP TABLE ending`, `DROP TABLE word`,
		`DELETE FROM vocabulary`, // it counts no longer
		`DROP TABLE vocabulary`,
	}
	triggers, err := engine.Texts(ctx, tx, `SELECT name FROM sqlite_schema WHERE type = 'trigger'
		AND tbl_name NOT IN ('log', 'payer', 'workspace', 'vocabulary')`)
	if err != nil {
		return err
	}
	for _, name := range triggers {
		statements = append(statements, `DROP TRIGGER `+name)
	}
	statements = append(statements,
		`DROP INDEX session_unindexed`, `ALTER TABLE session DROP COLUMN indexed`,
		`ALTER TABLE exchange ADD COLUMN sign_in INTEGER NOT NULL DEFAULT 0`)
	for _, c := range counted23 {
		sum, key, kinds := "workspace", "workspace", []string{added23, changed23, deleted23}
		if column := log23[c.table]; column != "" {
			sum, key, kinds = "log", column, kinds[:2] // it goes with its log
		}
		statements = append(statements, fmt.Sprintf(
			`ALTER TABLE %s ADD COLUMN bytes INTEGER GENERATED ALWAYS AS %s VIRTUAL`, c.table, c.bytes))
		for _, kind := range kinds {
			statements = append(statements, fmt.Sprintf(kind, c.table, sum, key))
		}
	}
	return upgrade(ctx, tx, statements...)
}

// upgradePostgres23 is the step of PostgreSQL. The locks are taken in the order in
// which changes take them.
func upgradePostgres23(ctx context.Context, tx *sql.Tx) error {
	statements := []string{
		`LOCK TABLE workspace, session, log, event, exchange, target IN ACCESS EXCLUSIVE MODE`,
		`DROP TABLE session_words, word_session, ending, word`,
		`DELETE FROM vocabulary`,        // it counts no longer
		`SET CONSTRAINTS ALL IMMEDIATE`, // which counts in all
		`DROP TABLE vocabulary`,
		`ALTER TABLE session RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`,
		`ALTER TABLE session DROP COLUMN indexed`,
		`ALTER TABLE exchange ADD COLUMN sign_in smallint NOT NULL DEFAULT 0`,
		`DROP FUNCTION count_row, count_head, count_event, count_events, count_deleted_sessions,
		   count_deleted_logs, count_vocabulary CASCADE`, // and their triggers
	}
	for _, c := range counted23 {
		statements = append(statements, `DROP FUNCTION bytes_of(`+c.table+`)`, fmt.Sprintf(
			`ALTER TABLE %s ADD COLUMN bytes bigint GENERATED ALWAYS AS %s STORED`, c.table, c.bytes))
	}
	return upgrade(ctx, tx, append(statements, triggers23)...)
}

// triggers23 are the functions and triggers that count on PostgreSQL.
const triggers23 = `
CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log l SET bytes = l.bytes + a.bytes
    FROM (SELECT log, sum(bytes) AS bytes FROM added GROUP BY log) a
    WHERE l.id = a.log;
  RETURN NULL;
END $$;
CREATE TRIGGER event_added AFTER INSERT ON event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_events();
CREATE FUNCTION count_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log SET bytes = bytes + NEW.bytes - OLD.bytes WHERE id = NEW.log;
  RETURN NULL;
END $$;
CREATE TRIGGER event_changed AFTER UPDATE ON event
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_event();
CREATE FUNCTION count_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log SET bytes = bytes + NEW.bytes - coalesce(OLD.bytes, 0) WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER exchange_added AFTER INSERT ON exchange FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER exchange_changed AFTER UPDATE ON exchange
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_head();
CREATE TRIGGER target_added AFTER INSERT ON target FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER target_changed AFTER UPDATE ON target
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_head();
CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace w SET bytes = w.bytes - d.bytes
    FROM (SELECT workspace, sum(bytes) AS bytes FROM deleted GROUP BY workspace) d
    WHERE w.id = d.workspace;
  RETURN NULL;
END $$;
CREATE TRIGGER log_deleted AFTER DELETE ON log REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();
CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET bytes = bytes + NEW.bytes - coalesce(OLD.bytes, 0) WHERE id = NEW.workspace;
  RETURN NULL;
END $$;
DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY
    ARRAY['session', 'share', 'saved_call', 'sign_in', 'token', 'registration', 'workbench']
  LOOP
    EXECUTE format('CREATE TRIGGER %1$s_added AFTER INSERT ON %1$s
      FOR EACH ROW EXECUTE FUNCTION count_row()', t);
    EXECUTE format('CREATE TRIGGER %1$s_changed AFTER UPDATE ON %1$s
      FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_row()', t);
    EXECUTE format('CREATE TRIGGER %1$s_deleted AFTER DELETE ON %1$s REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()', t);
  END LOOP;
END $$;
CREATE OR REPLACE FUNCTION count_roots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.bytes := NEW.bytes + octet_length(NEW.roots) - octet_length(OLD.roots);
  RETURN NEW;
END $$;
DROP FUNCTION size_of(text), size_of(bytea);`
