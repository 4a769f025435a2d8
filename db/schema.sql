-- The whole schema: what a new file gets, and what an older one is brought to
-- (migrate.go). Times are microseconds since 1970, UTC. Booleans are 0 or 1.
-- JSON is kept as the text that was given.

-- An anonymous owner, known by a cookie. A workspace has a row once it owns
-- something.
CREATE TABLE workspace (
  id      TEXT PRIMARY KEY,
  created INTEGER NOT NULL,
  seen    INTEGER NOT NULL,              -- last visit of the owner, to the day; idle workspaces of strangers are deleted
  roots   TEXT    NOT NULL DEFAULT '[]'  -- JSON array of the roots answered last, offered when a server asks again
) STRICT;
CREATE INDEX workspace_seen ON workspace (seen);

-- What events belong to: the log of the exchange or target with the same id.
-- Deleting it deletes the events and that exchange or target.
CREATE TABLE log (
  id TEXT PRIMARY KEY
) STRICT;

-- The record: one row per entry of a log. Rows are appended and never changed,
-- but for sealed, which may be emptied.
CREATE TABLE event (
  log    TEXT    NOT NULL REFERENCES log (id) ON DELETE CASCADE,
  seq    INTEGER NOT NULL,  -- from 1, without gaps
  at     INTEGER NOT NULL,
  conn   INTEGER NOT NULL,  -- connection within the log, from 1; 0 for decisions
  kind   TEXT    NOT NULL,  -- a playground.EventKind
  round  INTEGER,           -- the Round that a decision opens; NULL for every other event
  data   BLOB    NOT NULL,  -- by kind; frames are exact bytes with the user's secrets masked
  timing TEXT,              -- JSON, nanoseconds: how long the steps to an answer took; on its first event
  sealed BLOB,              -- data before masking, encrypted with the key in the user's cookie; NULL when nothing was masked
  PRIMARY KEY (log, seq)
) STRICT;
-- A Round is opened once, however often a button is pressed.
CREATE UNIQUE INDEX event_opens_round_once ON event (log, round) WHERE round IS NOT NULL;

-- A server in the user's list. What it offers is folded from its log.
CREATE TABLE target (
  id           TEXT    PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
  workspace    TEXT    NOT NULL REFERENCES workspace (id),
  name         TEXT    NOT NULL,             -- what the user's pages call it: the host
  url          TEXT    NOT NULL,             -- secret values masked
  header       TEXT    NOT NULL,             -- JSON array of extra header fields, secret values masked
  capabilities TEXT    NOT NULL,             -- JSON object: client capabilities declared on every request
  sealed       BLOB,                         -- url and header before masking, encrypted as event.sealed
  mine         INTEGER NOT NULL DEFAULT 0,   -- 1 once the user states that the server is theirs: the Lab may change its state
  status       TEXT    NOT NULL,             -- summary of the log: connecting, connected or failed
  server_name  TEXT    NOT NULL DEFAULT '',  -- summary of the log: what the server calls itself; '' until it was reached
  created      INTEGER NOT NULL
) STRICT;
CREATE INDEX target_of_workspace ON target (workspace, created);

-- What the user keeps: one or more exchanges with a title and a note.
CREATE TABLE session (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL REFERENCES workspace (id),
  kind      TEXT    NOT NULL,             -- a session.Kind: exchange, check or demo
  title     TEXT    NOT NULL,
  note      TEXT    NOT NULL DEFAULT '',
  search    TEXT    NOT NULL,             -- title and note, normalised for searching
  pinned    INTEGER NOT NULL DEFAULT 0,
  imported  INTEGER NOT NULL DEFAULT 0,   -- 1 when it came from a file or a link
  created   INTEGER NOT NULL,
  changed   INTEGER NOT NULL              -- time of the newest event or step; editing does not count
) STRICT;
-- The order of the history, pinned sessions first. A page begins where the
-- last one ended, so that every page costs the same.
CREATE INDEX session_listed ON session (workspace, pinned, changed, id);

-- One call. It keeps its own description of the target, because it records what
-- was called, whatever becomes of the user's list of servers. The columns from
-- status to search are summaries for lists, written in the transaction that
-- makes them true.
CREATE TABLE exchange (
  id           TEXT    PRIMARY KEY REFERENCES log (id) ON DELETE CASCADE,
  session      TEXT    NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  created      INTEGER NOT NULL,
  parent       TEXT    REFERENCES exchange (id),  -- the exchange that a branch continues; NULL for any other exchange
  parent_round INTEGER,                           -- the Round after which it continues; 0 for a branch from the first request
  status       TEXT    NOT NULL,             -- a playground.Status
  rounds       INTEGER NOT NULL DEFAULT 0,   -- how many Rounds its own log has
  held         INTEGER NOT NULL DEFAULT 0,   -- 1 while a process has something that a restart interrupts: a request, a task, an open call
  tool_error   INTEGER NOT NULL DEFAULT 0,   -- 1 when it is complete and its tool reports an error
  experiment   TEXT    NOT NULL DEFAULT '',  -- id of the experiment that its first event was made for
  summary      TEXT    NOT NULL DEFAULT '',  -- the arguments of the call in one line; '' when it has none or they are very long
  search       TEXT    NOT NULL,             -- target, call and what the events say, normalised for searching and cut
  target       TEXT    NOT NULL,             -- sample slug, or id of the user's server, which may be gone from target
  sample       TEXT    NOT NULL,             -- sample slug; '' for a server of the user
  name         TEXT    NOT NULL,             -- name of the target
  url          TEXT    NOT NULL,             -- url, header and capabilities as in target
  header       TEXT    NOT NULL,
  capabilities TEXT    NOT NULL,
  method       TEXT    NOT NULL,             -- tools/call, prompts/get or resources/read
  params       BLOB    NOT NULL,             -- JSON text as it was given, secret values masked
  tool         BLOB,                         -- JSON text: the called tool as its server listed it; NULL when unknown
  wait         INTEGER NOT NULL DEFAULT 0,   -- how long an answer may take, in milliseconds; 0 means the usual limit
  sealed       BLOB                          -- header, url and params before masking, encrypted as event.sealed
) STRICT;
CREATE INDEX exchange_of_session ON exchange (session, created);
CREATE INDEX exchange_of_parent ON exchange (parent) WHERE parent IS NOT NULL;
CREATE INDEX exchange_held ON exchange (held) WHERE held = 1;

-- A redacted snapshot of a session that is read by link. Only views changes.
CREATE TABLE share (
  digest    BLOB    PRIMARY KEY,           -- SHA-256 of the token: finding a wrong one always takes as long
  token     TEXT    NOT NULL,              -- for the list of the owner
  workspace TEXT    NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  session   TEXT    NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  title     TEXT    NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  views     INTEGER NOT NULL DEFAULT 0,    -- how often it was opened
  data      BLOB    NOT NULL,              -- the snapshot: a file of package export
  image     BLOB    NOT NULL               -- its preview: PNG
) STRICT;
CREATE INDEX share_of_workspace ON share (workspace, created);
CREATE INDEX share_of_session ON share (session);
CREATE INDEX share_expires ON share (expires);

-- A story that is being shown: a session of the kind demo.
CREATE TABLE stage (
  session TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  story   TEXT NOT NULL,                                            -- slug of the demo.Story
  own     TEXT NOT NULL REFERENCES exchange (id) ON DELETE CASCADE, -- the exchange of the story
  legacy  TEXT REFERENCES exchange (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED -- the same call of a server before MRTR; NULL until it is shown
) STRICT;
CREATE INDEX stage_own ON stage (own);
CREATE INDEX stage_legacy ON stage (legacy) WHERE legacy IS NOT NULL;

-- A step that a stage has reached. Each is reached once, however often the
-- button is pressed.
CREATE TABLE mark (
  session   TEXT    NOT NULL REFERENCES stage (session) ON DELETE CASCADE,
  step      INTEGER NOT NULL,  -- from 1
  instances TEXT    NOT NULL,  -- the instances behind the load balancer at this step: a:v1,b:dead
  next      TEXT    NOT NULL,  -- the instance that the next request goes to; '' when the balancer chooses
  rounds    INTEGER NOT NULL,  -- how many Rounds of the story's exchange belong to the steps up to this one
  PRIMARY KEY (session, step)
) STRICT;
