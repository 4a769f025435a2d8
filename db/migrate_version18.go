package db

import (
	"context"
	"database/sql"
)

// upgradeFrom17 adds sign-ins to protected servers, with their tokens and
// registrations.
func upgradeFrom17(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, statements18)
	return failed("upgrade schema", err)
}

const statements18 = `
CREATE TABLE sign_in (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    TEXT    NOT NULL,
  exchange  TEXT    NOT NULL,
  stage     TEXT    NOT NULL,
  record    TEXT    NOT NULL,
  sealed    BLOB    NOT NULL,
  created   INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_of_target ON sign_in (workspace, target, created);
CREATE TABLE token (
  workspace TEXT    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    TEXT    NOT NULL,
  url       TEXT    NOT NULL,
  sign_in   TEXT    NOT NULL,
  sealed    BLOB    NOT NULL,
  added     INTEGER NOT NULL,
  PRIMARY KEY (workspace, target)
) STRICT, WITHOUT ROWID;
CREATE TABLE registration (
  workspace TEXT    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  issuer    TEXT    NOT NULL,
  sealed    BLOB    NOT NULL,
  added     INTEGER NOT NULL,
  PRIMARY KEY (workspace, issuer)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sign_in_added AFTER INSERT ON sign_in BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.record) + length(new.sealed)
    WHERE id = new.workspace;
END;
CREATE TRIGGER sign_in_changed AFTER UPDATE OF record, sealed ON sign_in BEGIN
  UPDATE workspace SET bytes = bytes + octet_length(new.record) + length(new.sealed)
    - octet_length(old.record) - length(old.sealed) WHERE id = new.workspace;
END;
CREATE TRIGGER sign_in_deleted AFTER DELETE ON sign_in BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.record) - length(old.sealed)
    WHERE id = old.workspace;
END;
CREATE TRIGGER token_added AFTER INSERT ON token BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.url) + length(new.sealed)
    WHERE id = new.workspace;
END;
CREATE TRIGGER token_deleted AFTER DELETE ON token BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.url) - length(old.sealed)
    WHERE id = old.workspace;
END;
CREATE TRIGGER registration_added AFTER INSERT ON registration BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.issuer) + length(new.sealed)
    WHERE id = new.workspace;
END;
CREATE TRIGGER registration_deleted AFTER DELETE ON registration BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.issuer) - length(old.sealed)
    WHERE id = old.workspace;
END;`
