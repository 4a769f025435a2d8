package db

import (
	"context"
	"database/sql"
)

// upgradeFrom15 adds the certificates that the user trusts.
func upgradeFrom15(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, statements16)
	return failed("upgrade schema", err)
}

const statements16 = `
CREATE TABLE certificate (
  target TEXT    PRIMARY KEY
                 REFERENCES target (id) ON DELETE CASCADE,
  origin TEXT    NOT NULL,
  sha256 TEXT    NOT NULL,
  der    BLOB    NOT NULL,
  added  INTEGER NOT NULL
) STRICT;`
