package db

import (
	"context"
	"database/sql"
)

// upgradeFrom12 adds the networks of addresses. Those of addresses that stored
// something earlier on the day are noted when they store something again.
func upgradeFrom12(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, statements13)
	return failed("upgrade schema", err)
}

const statements13 = `
ALTER TABLE payer ADD COLUMN network TEXT NOT NULL DEFAULT '';
CREATE TRIGGER payer_charged AFTER UPDATE OF bytes, network ON payer WHEN new.network <> '' BEGIN
  INSERT INTO payer (day, hash, bytes)
    VALUES (new.day, new.network, new.bytes - iif(new.network = old.network, old.bytes, 0))
    ON CONFLICT (day, hash) DO UPDATE SET bytes = bytes + excluded.bytes;
END;`
