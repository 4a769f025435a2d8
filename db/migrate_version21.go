package db

import (
	"context"
	"database/sql"
)

// postgresFrom20 adds what processes need that share a database. SQLite serves
// one process, so its schema stays as it is.
func postgresFrom20(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, statements21)
	return failed("upgrade schema", err)
}

const statements21 = `
CREATE TABLE replica (
  id      text COLLATE "C" PRIMARY KEY,
  expires timestamptz      NOT NULL
);
CREATE TABLE lease (
  id     text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL
);
CREATE INDEX lease_of_holder ON lease (holder);
CREATE TABLE letter (
  id      text COLLATE "C" PRIMARY KEY,
  holder  text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  body    bytea            NOT NULL,
  taken   smallint         NOT NULL DEFAULT 0,
  reply   bytea,
  created timestamptz      NOT NULL
);
CREATE INDEX letter_for ON letter (holder) WHERE taken = 0;`
