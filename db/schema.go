package db

import (
	"context"
	"database/sql"
	_ "embed"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
)

//go:embed schema_sqlite.sql
var schemaSQLite string

//go:embed schema_postgres.sql
var schemaPostgres string

// schema is what the engines have to know of the nouns.
var schema = engine.Schema{
	SQLite: schemaSQLite, Postgres: schemaPostgres, Steps: steps,
	Tables: []string{"workspace", "log", "event", "exchange"},
	// A session, or a capture, is deleted at once.
	Largest: `SELECT coalesce(max(bytes), 0) FROM (
		SELECT sum(l.bytes) AS bytes FROM exchange x JOIN log l ON l.id = x.id GROUP BY x.session
		UNION ALL
		SELECT sum(l.bytes) FROM capture_log k JOIN log l ON l.id = k.id GROUP BY k.capture)`,
	// The sum of what the workspaces store.
	Total: `(SELECT coalesce(sum(bytes), 0) FROM total)`,
	Touch: `INSERT INTO total (shard, bytes) VALUES (0, 0)
		ON CONFLICT (shard) DO UPDATE SET bytes = total.bytes`,
	Sweep: []string{
		`DELETE FROM sample_task WHERE expires <= clock_timestamp()`,
		`DELETE FROM sample_ticket WHERE expires <= clock_timestamp()`,
	},
}

// steps are the versions of the schema as goose counts them, the same on both
// engines, so that one number stands for one schema. A new database gets the newest
// schema at once and counts as having every step. One of the baseline or later is
// migrated one version at a time: a change of the schema files needs a step that makes
// the same change to existing databases, and must not change what earlier steps do.
var steps = []engine.Step{
	{Version: baseline},
	{Version: 23, SQLite: upgradeSQLite23, Postgres: upgradePostgres23},
	{Version: 24, SQLite: upgradeSQLite24, Postgres: upgradePostgres24},
	{Version: 25, SQLite: upgradeSQLite25, Postgres: upgradePostgres25},
	{Version: 26, SQLite: upgradeSQLite26, Postgres: upgradePostgres26},
}

// baseline is the last development version before the first release.
const baseline = 22

// upgrade runs the statements of a migration.
func upgrade(ctx context.Context, tx *sql.Tx, statements ...string) error {
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return failed("upgrade schema", err)
		}
	}
	return nil
}
