package db

import (
	"context"
	"database/sql"
)

// Version 24 has captures.

// weight24 is what a row of capture counts, for its log.
const weight24 = `(256 + octet_length(token) + octet_length(name) + octet_length(url))`

// upgradeSQLite24 is the step of SQLite.
func upgradeSQLite24(ctx context.Context, tx *sql.Tx) error {
	return upgrade(ctx, tx,
		`CREATE TABLE capture (
		   id        TEXT    PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
		   workspace TEXT    NOT NULL REFERENCES workspace (id),
		   digest    BLOB    NOT NULL,
		   token     TEXT    NOT NULL,
		   target    TEXT    NOT NULL,
		   sample    TEXT    NOT NULL,
		   name      TEXT    NOT NULL,
		   url       TEXT    NOT NULL,
		   created   INTEGER NOT NULL,
		   used      INTEGER NOT NULL,
		   ended     INTEGER NOT NULL DEFAULT 0
		 ) STRICT`,
		`CREATE UNIQUE INDEX capture_at ON capture (digest)`,
		`CREATE INDEX capture_of_workspace ON capture (workspace, created)`,
		`CREATE TABLE capture_log (
		   id      TEXT PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
		   capture TEXT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
		   held    INTEGER NOT NULL DEFAULT 0
		 ) STRICT`,
		`CREATE INDEX capture_log_of_capture ON capture_log (capture)`,
		`CREATE INDEX capture_log_held ON capture_log (held) WHERE held = 1`,
		`ALTER TABLE capture ADD COLUMN bytes INTEGER GENERATED ALWAYS AS `+weight24+` VIRTUAL`,
		`CREATE TRIGGER capture_added AFTER INSERT ON capture BEGIN
  UPDATE log SET bytes = bytes + new.bytes WHERE id = new.id;
END`,
		`CREATE TRIGGER capture_changed AFTER UPDATE ON capture WHEN new.bytes <> old.bytes BEGIN
  UPDATE log SET bytes = bytes + new.bytes - old.bytes WHERE id = new.id;
END`)
}

// upgradePostgres24 is the step of PostgreSQL.
func upgradePostgres24(ctx context.Context, tx *sql.Tx) error {
	return upgrade(ctx, tx,
		`CREATE TABLE capture (
		   id        text     COLLATE "C" PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
		   workspace text     COLLATE "C" NOT NULL REFERENCES workspace (id),
		   digest    bytea    NOT NULL,
		   token     text     COLLATE "C" NOT NULL,
		   target    text     COLLATE "C" NOT NULL,
		   sample    text     COLLATE "C" NOT NULL,
		   name      text     COLLATE "C" NOT NULL,
		   url       text     COLLATE "C" NOT NULL,
		   created   bigint   NOT NULL,
		   used      bigint   NOT NULL,
		   ended     bigint   NOT NULL DEFAULT 0
		 )`,
		`CREATE UNIQUE INDEX capture_at ON capture (digest)`,
		`CREATE INDEX capture_of_workspace ON capture (workspace, created)`,
		`CREATE TABLE capture_log (
		   id      text COLLATE "C" PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
		   capture text COLLATE "C" NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
		   held    smallint NOT NULL DEFAULT 0
		 )`,
		`CREATE INDEX capture_log_of_capture ON capture_log (capture)`,
		`CREATE INDEX capture_log_held ON capture_log (held) WHERE held = 1`,
		`ALTER TABLE capture ADD COLUMN bytes bigint GENERATED ALWAYS AS `+weight24+` STORED`,
		`CREATE TRIGGER capture_added AFTER INSERT ON capture FOR EACH ROW EXECUTE FUNCTION count_head()`,
		`CREATE TRIGGER capture_changed AFTER UPDATE ON capture
		   FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_head()`)
}
