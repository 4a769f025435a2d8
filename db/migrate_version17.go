package db

import (
	"context"
	"database/sql"
)

// upgradeFrom16 adds the second session of a share.
func upgradeFrom16(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `
ALTER TABLE share ADD COLUMN other TEXT REFERENCES session (id) ON DELETE CASCADE;
CREATE INDEX share_of_other ON share (other) WHERE other IS NOT NULL;`)
	return failed("upgrade schema", err)
}
