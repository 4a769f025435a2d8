-- Version 24 has captures.

CREATE TABLE capture (
  id        TEXT    PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL REFERENCES workspace (id),
  digest    BLOB    NOT NULL,
  token     TEXT    NOT NULL,
  target    TEXT    NOT NULL,
  sample    TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  url       TEXT    NOT NULL,
  created   INTEGER NOT NULL,
  used      INTEGER NOT NULL,
  ended     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX capture_at ON capture (digest);
CREATE INDEX capture_of_workspace ON capture (workspace, created);

CREATE TABLE capture_log (
  id      TEXT    PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
  capture TEXT    NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
  held    FLAG    NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX capture_log_of_capture ON capture_log (capture);
CREATE INDEX capture_log_held ON capture_log (held) WHERE held = 1;
COUNT capture IN log AS (256 + octet_length(token) + octet_length(name) + octet_length(url));
