package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// Version 25 has flows, talks and stories.

// What a row of flow and of flow_edition counts, for its workspace.
const (
	weightFlow25    = `(256 + octet_length(token) + octet_length(text) + octet_length(draft))`
	weightEdition25 = `(64 + octet_length(text))`
)

// upgradeSQLite25 is the step of SQLite.
func upgradeSQLite25(ctx context.Context, tx *sql.Tx) error {
	statements := []string{
		`CREATE TABLE flow (
		   id        TEXT    PRIMARY KEY
		                     REFERENCES session (id) ON DELETE CASCADE,
		   workspace TEXT    NOT NULL,
		   digest    BLOB    NOT NULL,
		   token     TEXT    NOT NULL,
		   text      TEXT    NOT NULL,
		   draft     TEXT    NOT NULL,
		   number    INTEGER NOT NULL,
		   created   INTEGER NOT NULL,
		   changed   INTEGER NOT NULL,
		   used      INTEGER NOT NULL,
		   ended     INTEGER NOT NULL DEFAULT 0
		 ) STRICT`,
		`CREATE UNIQUE INDEX flow_at ON flow (digest)`,
		`CREATE INDEX flow_of_workspace ON flow (workspace, changed)`,
		`CREATE TABLE flow_edition (
		   flow      TEXT    NOT NULL
		                     REFERENCES flow (id) ON DELETE CASCADE,
		   number    INTEGER NOT NULL,
		   workspace TEXT    NOT NULL,
		   text      TEXT    NOT NULL,
		   at        INTEGER NOT NULL,
		   PRIMARY KEY (flow, number)
		 ) STRICT`,
		`ALTER TABLE flow ADD COLUMN bytes INTEGER GENERATED ALWAYS AS ` + weightFlow25 + ` VIRTUAL`,
		`ALTER TABLE flow_edition ADD COLUMN bytes INTEGER
		   GENERATED ALWAYS AS ` + weightEdition25 + ` VIRTUAL`,
	}
	for _, table := range []string{"flow", "flow_edition"} {
		statements = append(statements,
			`CREATE TRIGGER `+table+`_added AFTER INSERT ON `+table+` BEGIN
  UPDATE workspace SET bytes = bytes + new.bytes WHERE id = new.workspace;
END`,
			`CREATE TRIGGER `+table+`_changed AFTER UPDATE ON `+table+` WHEN new.bytes <> old.bytes BEGIN
  UPDATE workspace SET bytes = bytes + new.bytes - old.bytes WHERE id = new.workspace;
END`,
			`CREATE TRIGGER `+table+`_deleted AFTER DELETE ON `+table+` BEGIN
  UPDATE workspace SET bytes = bytes - old.bytes WHERE id = old.workspace;
END`)
	}
	return upgrade(ctx, tx, slices.Concat(statements, talkSQLite25, storySQLite25)...)
}

// upgradePostgres25 is the step of PostgreSQL.
func upgradePostgres25(ctx context.Context, tx *sql.Tx) error {
	statements := []string{
		`CREATE TABLE flow (
		   id        text     COLLATE "C" PRIMARY KEY
		                     REFERENCES session (id) ON DELETE CASCADE,
		   workspace text     COLLATE "C" NOT NULL,
		   digest    bytea    NOT NULL,
		   token     text     COLLATE "C" NOT NULL,
		   text      text     COLLATE "C" NOT NULL,
		   draft     text     COLLATE "C" NOT NULL,
		   number    bigint   NOT NULL,
		   created   bigint   NOT NULL,
		   changed   bigint   NOT NULL,
		   used      bigint   NOT NULL,
		   ended     bigint   NOT NULL DEFAULT 0
		 )`,
		`CREATE UNIQUE INDEX flow_at ON flow (digest)`,
		`CREATE INDEX flow_of_workspace ON flow (workspace, changed)`,
		`CREATE TABLE flow_edition (
		   flow      text     COLLATE "C" NOT NULL
		                     REFERENCES flow (id) ON DELETE CASCADE,
		   number    bigint   NOT NULL,
		   workspace text     COLLATE "C" NOT NULL,
		   text      text     COLLATE "C" NOT NULL,
		   at        bigint   NOT NULL,
		   PRIMARY KEY (flow, number)
		 )`,
		`ALTER TABLE flow ADD COLUMN bytes bigint GENERATED ALWAYS AS ` + weightFlow25 + ` STORED`,
		`ALTER TABLE flow_edition ADD COLUMN bytes bigint GENERATED ALWAYS AS ` + weightEdition25 + ` STORED`,
	}
	for _, table := range []string{"flow", "flow_edition"} {
		statements = append(statements,
			`CREATE TRIGGER `+table+`_added AFTER INSERT ON `+table+`
		   FOR EACH ROW EXECUTE FUNCTION count_row()`,
			`CREATE TRIGGER `+table+`_changed AFTER UPDATE ON `+table+`
		   FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_row()`,
			`CREATE TRIGGER `+table+`_deleted AFTER DELETE ON `+table+` REFERENCING OLD TABLE AS deleted
		   FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()`)
	}
	return upgrade(ctx, tx, slices.Concat(statements, talkPostgres25, storyPostgres25)...)
}

// talkSQLite25 are the statements for talks on SQLite.
var talkSQLite25 = []string{
	`CREATE TABLE talk (
	   session TEXT    PRIMARY KEY REFERENCES stage (session) ON DELETE CASCADE,
	   digest  BLOB    NOT NULL,
	   code    TEXT    NOT NULL,
	   seen    INTEGER NOT NULL
	 ) STRICT`,
	`CREATE UNIQUE INDEX talk_at ON talk (digest)`,
}

// talkPostgres25 are those on PostgreSQL.
var talkPostgres25 = []string{
	`CREATE TABLE talk (
	   session text   COLLATE "C" PRIMARY KEY REFERENCES stage (session) ON DELETE CASCADE,
	   digest  bytea  NOT NULL,
	   code    text   COLLATE "C" NOT NULL,
	   seen    bigint NOT NULL
	 )`,
	`CREATE UNIQUE INDEX talk_at ON talk (digest)`,
}

// weightStory25 is what a row of story counts, for its workspace.
const weightStory25 = `(256 + octet_length(title) + octet_length(text))`

// storySQLite25 are the statements for stories on SQLite.
var storySQLite25 = []string{
	`CREATE TABLE story (
	   id        TEXT    PRIMARY KEY,
	   workspace TEXT    NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
	   stage     TEXT    REFERENCES stage (session) ON DELETE CASCADE,
	   title     TEXT    NOT NULL,
	   text      TEXT    NOT NULL,
	   created   INTEGER NOT NULL,
	   used      INTEGER NOT NULL
	 ) STRICT`,
	`CREATE INDEX story_of_workspace ON story (workspace, used) WHERE stage IS NULL`,
	`CREATE INDEX story_of_stage ON story (stage) WHERE stage IS NOT NULL`,
	`ALTER TABLE story ADD COLUMN bytes INTEGER GENERATED ALWAYS AS ` + weightStory25 + ` VIRTUAL`,
	fmt.Sprintf(added23, "story", "workspace", "workspace"),
	fmt.Sprintf(changed23, "story", "workspace", "workspace"),
	fmt.Sprintf(deleted23, "story", "workspace", "workspace"),
}

// storyPostgres25 are those on PostgreSQL.
var storyPostgres25 = []string{
	`CREATE TABLE story (
	   id        text   COLLATE "C" PRIMARY KEY,
	   workspace text   COLLATE "C" NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
	   stage     text   COLLATE "C" REFERENCES stage (session) ON DELETE CASCADE,
	   title     text   COLLATE "C" NOT NULL,
	   text      text   COLLATE "C" NOT NULL,
	   created   bigint NOT NULL,
	   used      bigint NOT NULL
	 )`,
	`CREATE INDEX story_of_workspace ON story (workspace, used) WHERE stage IS NULL`,
	`CREATE INDEX story_of_stage ON story (stage) WHERE stage IS NOT NULL`,
	`ALTER TABLE story ADD COLUMN bytes bigint GENERATED ALWAYS AS ` + weightStory25 + ` STORED`,
	`CREATE TRIGGER story_added AFTER INSERT ON story FOR EACH ROW EXECUTE FUNCTION count_row()`,
	`CREATE TRIGGER story_changed AFTER UPDATE ON story
	   FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_row()`,
	`CREATE TRIGGER story_deleted AFTER DELETE ON story REFERENCING OLD TABLE AS deleted
	   FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()`,
}
