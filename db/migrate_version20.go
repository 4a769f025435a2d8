package db

import (
	"context"
	"database/sql"
)

// upgradeFrom19 adds the vocabularies by which histories are searched. They are
// empty: every session counts as new, and is put into the vocabulary of its
// workspace after the start, in pieces (index.go). So this takes no longer than to
// make an index of the sessions, and a program that is killed while it fills them
// goes on at its next start.
func upgradeFrom19(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, statements20)
	return failed("upgrade schema", err)
}

const statements20 = `
ALTER TABLE session ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_unindexed ON session (workspace, changed) WHERE indexed = 0;
CREATE INDEX target_connecting ON target (status) WHERE status = 'connecting';
CREATE TABLE vocabulary (
  id        INTEGER PRIMARY KEY,
  workspace TEXT    NOT NULL UNIQUE
                    REFERENCES workspace (id),
  bytes     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE word (
  id         INTEGER PRIMARY KEY,
  vocabulary INTEGER NOT NULL
                     REFERENCES vocabulary (id),
  text       TEXT    NOT NULL,
  sessions   INTEGER NOT NULL,
  common     INTEGER NOT NULL DEFAULT 0,
  UNIQUE (vocabulary, text)
) STRICT;
CREATE TABLE ending (
  vocabulary INTEGER NOT NULL,
  text       TEXT    NOT NULL,
  word       INTEGER NOT NULL,
  PRIMARY KEY (vocabulary, text, word)
) STRICT, WITHOUT ROWID;
CREATE TABLE word_session (
  word    INTEGER NOT NULL,
  session TEXT    NOT NULL,
  PRIMARY KEY (word, session)
) STRICT, WITHOUT ROWID;
CREATE TABLE session_words (
  session TEXT PRIMARY KEY
               REFERENCES session (id) ON DELETE CASCADE,
  words   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER vocabulary_changed AFTER UPDATE OF bytes ON vocabulary BEGIN
  UPDATE workspace SET bytes = bytes + new.bytes - old.bytes WHERE id = new.workspace;
END;
CREATE TRIGGER vocabulary_deleted AFTER DELETE ON vocabulary BEGIN
  UPDATE workspace SET bytes = bytes - old.bytes WHERE id = old.workspace;
END;`

// upgradePostgresFrom19 is upgradeFrom19 on PostgreSQL.
func upgradePostgresFrom19(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, postgres20)
	return failed("upgrade schema", err)
}

const postgres20 = `
ALTER TABLE session ADD COLUMN indexed bigint NOT NULL DEFAULT 0;
CREATE INDEX session_unindexed ON session (workspace, changed) WHERE indexed = 0;
ALTER TABLE session SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX target_connecting ON target (status) WHERE status = 'connecting';
CREATE TABLE vocabulary (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace text   COLLATE "C" NOT NULL UNIQUE
                   REFERENCES workspace (id),
  bytes     bigint NOT NULL DEFAULT 0
);
CREATE TABLE word (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  vocabulary bigint NOT NULL
                    REFERENCES vocabulary (id),
  text       text   COLLATE "C" NOT NULL,
  sessions   bigint NOT NULL,
  common     bigint NOT NULL DEFAULT 0,
  UNIQUE (vocabulary, text)
);
CREATE TABLE ending (
  vocabulary bigint NOT NULL,
  text       text   COLLATE "C" NOT NULL,
  word       bigint NOT NULL,
  PRIMARY KEY (vocabulary, text, word)
);
CREATE TABLE word_session (
  word    bigint NOT NULL,
  session text   COLLATE "C" NOT NULL,
  PRIMARY KEY (word, session)
);
CREATE TABLE session_words (
  session text COLLATE "C" PRIMARY KEY
               REFERENCES session (id) ON DELETE CASCADE,
  words   text COLLATE "C" NOT NULL
);
CREATE FUNCTION count_vocabulary() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET bytes = bytes + CASE TG_OP WHEN 'DELETE' THEN 0 ELSE NEW.bytes END - OLD.bytes
    WHERE id = OLD.workspace;
  RETURN NULL;
END $$;
CREATE TRIGGER vocabulary_counted AFTER UPDATE OF bytes OR DELETE ON vocabulary
  FOR EACH ROW EXECUTE FUNCTION count_vocabulary();`
