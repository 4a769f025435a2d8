-- Version 30 has tests of gateways.

CREATE TABLE gateway (
  id        TEXT    PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL,
  capture   TEXT    NOT NULL,
  server    TEXT    NOT NULL DEFAULT '',
  name      TEXT    NOT NULL DEFAULT '',
  gap       TEXT    NOT NULL DEFAULT '',
  calls     TEXT    NOT NULL DEFAULT '[]',
  created   INTEGER NOT NULL,
  began     INTEGER NOT NULL DEFAULT 0,
  ended     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX gateway_of_workspace ON gateway (workspace, created);
COUNT gateway IN workspace AS
  (256 + octet_length(name) + octet_length(gap) + octet_length(calls));
