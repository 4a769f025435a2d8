package db

import (
	"context"
	"database/sql"
	"fmt"
)

// Version 26 has the tokens of agents.

// upgradeSQLite26 is the step of SQLite.
func upgradeSQLite26(ctx context.Context, tx *sql.Tx) error {
	return upgrade(ctx, tx, agentTokenSQLite26...)
}

// upgradePostgres26 is the step of PostgreSQL.
func upgradePostgres26(ctx context.Context, tx *sql.Tx) error {
	return upgrade(ctx, tx, agentTokenPostgres26...)
}

// weightAgentToken26 is what a row of agent_token counts, for its workspace.
const weightAgentToken26 = `(256 + octet_length(title))`

// agentTokenSQLite26 are the statements for tokens of agents on SQLite.
var agentTokenSQLite26 = []string{
	`CREATE TABLE agent_token (
	   id        TEXT    PRIMARY KEY,
	   workspace TEXT    NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
	   digest    BLOB    NOT NULL,
	   title     TEXT    NOT NULL,
	   created   INTEGER NOT NULL,
	   expires   INTEGER NOT NULL,
	   used      INTEGER NOT NULL
	 ) STRICT`,
	`CREATE UNIQUE INDEX agent_token_at ON agent_token (digest)`,
	`CREATE INDEX agent_token_of_workspace ON agent_token (workspace, created)`,
	`CREATE INDEX agent_token_expires ON agent_token (expires)`,
	`ALTER TABLE agent_token ADD COLUMN bytes INTEGER GENERATED ALWAYS AS ` + weightAgentToken26 + ` VIRTUAL`,
	fmt.Sprintf(added23, "agent_token", "workspace", "workspace"),
	fmt.Sprintf(changed23, "agent_token", "workspace", "workspace"),
	fmt.Sprintf(deleted23, "agent_token", "workspace", "workspace"),
}

// agentTokenPostgres26 are those on PostgreSQL.
var agentTokenPostgres26 = []string{
	`CREATE TABLE agent_token (
	   id        text   COLLATE "C" PRIMARY KEY,
	   workspace text   COLLATE "C" NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
	   digest    bytea  NOT NULL,
	   title     text   COLLATE "C" NOT NULL,
	   created   bigint NOT NULL,
	   expires   bigint NOT NULL,
	   used      bigint NOT NULL
	 )`,
	`CREATE UNIQUE INDEX agent_token_at ON agent_token (digest)`,
	`CREATE INDEX agent_token_of_workspace ON agent_token (workspace, created)`,
	`CREATE INDEX agent_token_expires ON agent_token (expires)`,
	`ALTER TABLE agent_token ADD COLUMN bytes bigint GENERATED ALWAYS AS ` + weightAgentToken26 + ` STORED`,
	`CREATE TRIGGER agent_token_added AFTER INSERT ON agent_token
	   FOR EACH ROW EXECUTE FUNCTION count_row()`,
	`CREATE TRIGGER agent_token_changed AFTER UPDATE ON agent_token
	   FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_row()`,
	`CREATE TRIGGER agent_token_deleted AFTER DELETE ON agent_token REFERENCING OLD TABLE AS deleted
	   FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()`,
}
