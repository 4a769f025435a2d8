-- Version 29 has recordings that are served.

CREATE TABLE recording (
  id        TEXT    PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL,
  digest    BLOB    NOT NULL,
  token     TEXT    NOT NULL,
  ignored   TEXT    NOT NULL,
  data      BLOB    NOT NULL,
  created   INTEGER NOT NULL,
  used      INTEGER NOT NULL,
  ended     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX recording_at ON recording (digest);
CREATE INDEX recording_of_workspace ON recording (workspace, created);
COUNT recording IN workspace AS
  (256 + octet_length(token) + octet_length(data));
CREATE TABLE recording_turn (
  recording TEXT    NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
  request   TEXT    NOT NULL,
  given     INTEGER NOT NULL,
  PRIMARY KEY (recording, request)
) STRICT;
