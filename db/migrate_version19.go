package db

import (
	"context"
	"database/sql"
)

// upgradeFrom18 adds what visitors keep on the requestState workbench.
func upgradeFrom18(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, statements19)
	return failed("upgrade schema", err)
}

const statements19 = `
CREATE TABLE workbench (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  sealed    BLOB    NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER NOT NULL
) STRICT;
CREATE INDEX workbench_of_workspace ON workbench (workspace, created);
CREATE INDEX workbench_expires ON workbench (expires);
CREATE TRIGGER workbench_added AFTER INSERT ON workbench BEGIN
  UPDATE workspace SET bytes = bytes + 256 + length(new.sealed) WHERE id = new.workspace;
END;
CREATE TRIGGER workbench_deleted AFTER DELETE ON workbench BEGIN
  UPDATE workspace SET bytes = bytes - 256 - length(old.sealed) WHERE id = old.workspace;
END;`
