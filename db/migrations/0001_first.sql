-- +goose Up

-- Who owns what: an anonymous owner, known by a cookie. Times are microseconds
-- since 1970, UTC, here and everywhere.
CREATE TABLE workspace (
  id      TEXT PRIMARY KEY,
  created INTEGER NOT NULL
) STRICT;

-- A log is what events belong to: the log of an exchange, or of connecting to
-- a target.
CREATE TABLE log (
  id TEXT PRIMARY KEY
) STRICT;

-- The record itself. Rows are appended and never changed. round is set on
-- decisions that open a Round and nowhere else, so that one Round is opened
-- once, however often a button is pressed.
CREATE TABLE event (
  log   TEXT NOT NULL REFERENCES log (id) ON DELETE CASCADE,
  seq   INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  conn  INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  round INTEGER,
  data  BLOB NOT NULL,
  PRIMARY KEY (log, seq)
) STRICT;
CREATE UNIQUE INDEX event_opens_round_once ON event (log, round) WHERE round IS NOT NULL;

-- A server of the user. What connecting said is folded from the log of the
-- same id; status is its summary.
CREATE TABLE target (
  id           TEXT PRIMARY KEY REFERENCES log (id),
  workspace    TEXT NOT NULL REFERENCES workspace (id),
  name         TEXT NOT NULL,
  url          TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  status       TEXT NOT NULL,
  created      INTEGER NOT NULL
) STRICT;
CREATE INDEX target_of_workspace ON target (workspace, created);

-- What the user keeps: one or more exchanges with a title.
CREATE TABLE session (
  id        TEXT PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspace (id),
  kind      TEXT NOT NULL,
  title     TEXT NOT NULL,
  created   INTEGER NOT NULL,
  changed   INTEGER NOT NULL
) STRICT;
CREATE INDEX session_newest ON session (workspace, changed, id);

-- One call. The target is copied, because an exchange is a record of what was
-- spoken to, whatever becomes of the user's list of servers. status and rounds
-- are summaries for lists, written together with the events they follow from.
CREATE TABLE exchange (
  id           TEXT PRIMARY KEY REFERENCES log (id),
  session      TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  target       TEXT NOT NULL,
  sample       TEXT NOT NULL,
  name         TEXT NOT NULL,
  url          TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  header       TEXT NOT NULL,
  method       TEXT NOT NULL,
  params       BLOB NOT NULL,
  status       TEXT NOT NULL,
  rounds       INTEGER NOT NULL,
  created      INTEGER NOT NULL
) STRICT;
CREATE INDEX exchange_of_session ON exchange (session, created);
CREATE INDEX exchange_running ON exchange (status) WHERE status = 'running';
