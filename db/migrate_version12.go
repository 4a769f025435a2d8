package db

import (
	"context"
	"database/sql"
	_ "embed"
)

// upgradeFrom11 adds when an exchange was last looked at and what counts stored
// bytes, and counts what is stored already.
func upgradeFrom11(ctx context.Context, tx *sql.Tx) error {
	for _, text := range []string{columns12, statements12, addUp} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return failed("upgrade schema", err)
		}
	}
	return nil
}

const columns12 = `
ALTER TABLE workspace ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE log ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
ALTER TABLE log ADD COLUMN payer INTEGER;
ALTER TABLE log ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE exchange ADD COLUMN looked INTEGER NOT NULL DEFAULT 0;`

//go:embed migrate_version12.sql
var statements12 string

// addUp sets the sums of all rows as the triggers of schema_sqlite.sql would have. That
// of workspaces comes last, because those of logs change it.
const addUp = `
UPDATE log SET workspace = coalesce(
  (SELECT s.workspace FROM exchange x JOIN session s ON s.id = x.session WHERE x.id = log.id),
  (SELECT t.workspace FROM target t WHERE t.id = log.id), '');
UPDATE log SET bytes =
  (SELECT coalesce(sum(64 + length(e.data) + coalesce(octet_length(e.timing), 0)
     + coalesce(length(e.sealed), 0)), 0) FROM event e WHERE e.log = log.id)
  + coalesce((SELECT 256 + octet_length(x.search) + octet_length(x.summary) + octet_length(x.name)
     + octet_length(x.url) + octet_length(x.header) + octet_length(x.capabilities) + length(x.params)
     + coalesce(length(x.tool), 0) + coalesce(length(x.sealed), 0) FROM exchange x WHERE x.id = log.id), 0)
  + coalesce((SELECT 256 + octet_length(t.name) + octet_length(t.url) + octet_length(t.header)
     + octet_length(t.capabilities) + coalesce(length(t.sealed), 0) + octet_length(t.server_name)
     FROM target t WHERE t.id = log.id), 0);
CREATE TEMP TABLE stored AS
  SELECT workspace, sum(bytes) AS bytes FROM (
    SELECT workspace, bytes FROM log
    UNION ALL SELECT workspace, iif(kind = 'demo', 1280, 256) + octet_length(title) + octet_length(note)
      + octet_length(search) FROM session
    UNION ALL SELECT workspace, 256 + octet_length(title) + length(data) + length(image) FROM share
    UNION ALL SELECT id, octet_length(roots) - 2 FROM workspace) -- a new one has two brackets
  GROUP BY workspace;
UPDATE workspace SET bytes = coalesce((SELECT bytes FROM stored WHERE stored.workspace = workspace.id), 0);
DROP TABLE stored;`
