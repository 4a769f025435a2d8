-- Version 25 has flows, talks and stories.

CREATE TABLE flow (
  id        TEXT    PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL,
  digest    BLOB    NOT NULL,
  token     TEXT    NOT NULL,
  text      TEXT    NOT NULL,
  draft     TEXT    NOT NULL,
  number    INTEGER NOT NULL,
  created   INTEGER NOT NULL,
  changed   INTEGER NOT NULL,
  used      INTEGER NOT NULL,
  ended     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX flow_at ON flow (digest);
CREATE INDEX flow_of_workspace ON flow (workspace, changed);
COUNT flow IN workspace AS (256 + octet_length(token) + octet_length(text) + octet_length(draft));

CREATE TABLE flow_edition (
  flow      TEXT    NOT NULL REFERENCES flow (id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  workspace TEXT    NOT NULL,
  text      TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  PRIMARY KEY (flow, number)
) STRICT;
COUNT flow_edition IN workspace AS (64 + octet_length(text));

CREATE TABLE talk (
  session TEXT    PRIMARY KEY REFERENCES stage (session) ON DELETE CASCADE,
  digest  BLOB    NOT NULL,
  code    TEXT    NOT NULL,
  seen    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX talk_at ON talk (digest);

CREATE TABLE story (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  stage     TEXT    REFERENCES stage (session) ON DELETE CASCADE,
  title     TEXT    NOT NULL,
  text      TEXT    NOT NULL,
  created   INTEGER NOT NULL,
  used      INTEGER NOT NULL
) STRICT;
CREATE INDEX story_of_workspace ON story (workspace, used) WHERE stage IS NULL;
CREATE INDEX story_of_stage ON story (stage) WHERE stage IS NOT NULL;
COUNT story IN workspace AS (256 + octet_length(title) + octet_length(text));
