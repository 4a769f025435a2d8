-- Version 28 has the people who sign in.

CREATE TABLE person (
  id        TEXT    PRIMARY KEY,
  issuer    TEXT    NOT NULL,
  subject   TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  workspace TEXT    NOT NULL,
  sealed    BLOB,
  created   INTEGER NOT NULL,
  seen      INTEGER NOT NULL,
  removed   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX person_known ON person (issuer, subject);
CREATE UNIQUE INDEX person_of_workspace ON person (workspace);
CREATE INDEX person_listed ON person (seen, id);
CREATE TABLE spent (
  digest  BLOB    PRIMARY KEY,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_expires ON spent (expires);
