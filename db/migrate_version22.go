package db

import (
	"context"
	"database/sql"
)

// upgradePostgresFrom21 counts what is stored with fewer statements, and locks what
// the changes of many count for only while they commit. SQLite has one writer, so
// its schema stays as it is.
func upgradePostgresFrom21(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, statements22)
	return failed("upgrade schema", err)
}

// The locks are taken in the order in which changes take them.
const statements22 = `
LOCK TABLE workspace, log, event IN ACCESS EXCLUSIVE MODE;
DROP TRIGGER event_added ON event;
CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log l SET bytes = l.bytes + a.bytes
    FROM (SELECT e.log, sum(bytes_of(ROW(e.*)::event)) AS bytes FROM added e GROUP BY e.log) a
    WHERE l.id = a.log;
  RETURN NULL;
END $$;
CREATE TRIGGER event_added AFTER INSERT ON event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_events();
CREATE OR REPLACE FUNCTION count_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint := bytes_of(NEW) - bytes_of(OLD);
BEGIN
  IF added <> 0 THEN
    UPDATE log SET bytes = bytes + added WHERE id = NEW.log;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER log_changed ON log;
CREATE CONSTRAINT TRIGGER log_changed AFTER UPDATE OF bytes ON log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_log();
DROP TRIGGER workspace_changed ON workspace;
CREATE CONSTRAINT TRIGGER workspace_changed AFTER UPDATE ON workspace
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes)
  EXECUTE FUNCTION count_workspace();`
