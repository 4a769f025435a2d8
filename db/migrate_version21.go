package db

import (
	"context"
	"database/sql"
)

// upgradePostgresFrom20 adds what processes need that share a database. SQLite serves
// one process, so its schema stays as it is.
func upgradePostgresFrom20(ctx context.Context, tx *sql.Tx) error {
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
CREATE INDEX letter_for ON letter (holder) WHERE taken = 0;
CREATE TABLE sample_task (
  id text COLLATE "C" PRIMARY KEY,
  sample text COLLATE "C" NOT NULL,
  caller text COLLATE "C" NOT NULL,
  worker text COLLATE "C" NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  done smallint NOT NULL DEFAULT 0,
  data bytea NOT NULL,
  changed timestamptz NOT NULL,
  expires timestamptz NOT NULL
);
CREATE INDEX sample_task_of_sample ON sample_task (sample, caller);
CREATE TABLE sample_ticket (
  sample text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  caller text COLLATE "C" NOT NULL,
  nonce text COLLATE "C" NOT NULL,
  expires timestamptz NOT NULL,
 PRIMARY KEY (sample, name)
);`
