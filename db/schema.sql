-- The whole schema: what a new database gets, and what an older one is brought to by the
-- steps, step_NN.sql. Times are microseconds since 1970, UTC. JSON is kept as the text
-- that was given.
--
-- It is written for SQLite, and language.go makes that of PostgreSQL from it by a map of
-- types. FLAG is 0 or 1 on both, so that queries are written once. TEXT is compared byte by
-- byte, whatever the database was created with, so that an upgrade of the operating system
-- cannot change the order of an index. What only one of them has follows a line with its
-- name, and the line "--- both" ends that.
--
-- Columns named bytes say how much is stored. A row counts with its texts and bytes and a
-- fixed number for the rest of it, its indexes and the rows that belong to it, such as the
-- marks of a stage. The statement COUNT says what a row counts, and where: in the log with
-- its id, or in its workspace, whose sums it keeps true, so that no statement can forget to.

--- PostgreSQL
-- The functions of COUNT.
CREATE FUNCTION count_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log SET bytes = bytes + NEW.bytes - coalesce(OLD.bytes, 0) WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET bytes = bytes + NEW.bytes - coalesce(OLD.bytes, 0) WHERE id = NEW.workspace;
  RETURN NULL;
END $$;
-- A statement may delete many rows, which are counted at once: each version of the row
-- of a workspace in one transaction makes the next one slower.
CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace w SET bytes = w.bytes - d.bytes
    FROM (SELECT workspace, sum(bytes) AS bytes FROM deleted GROUP BY workspace) d
    WHERE w.id = d.workspace;
  RETURN NULL;
END $$;
--- both

-- An owner: a person, or a browser, known by a cookie alone. A workspace has a row once it owns
-- something. Those that were not visited for long are deleted, but never that of local
-- mode.
CREATE TABLE workspace (
  id      TEXT    PRIMARY KEY,           -- random; in local mode always the same
  created INTEGER NOT NULL,              -- when it got its row
  seen    INTEGER NOT NULL,              -- last visit of the owner, to the day
  roots   TEXT    NOT NULL DEFAULT '[]', -- JSON array: the answer to roots/list to offer next time
  bytes   INTEGER NOT NULL DEFAULT 0     -- stored by it: logs, sessions, shares, saved calls and roots
) STRICT;
CREATE INDEX workspace_seen ON workspace (seen);

-- Someone who signs in. The workspace of a person is theirs in every browser; it has a row
-- once it owns something, and is not deleted while it is idle.
CREATE TABLE person (
  id        TEXT    PRIMARY KEY,        -- random
  issuer    TEXT    NOT NULL,           -- who vouches for them: a people.Identity
  subject   TEXT    NOT NULL,           -- what they are called there, for good
  name      TEXT    NOT NULL,           -- to show
  workspace TEXT    NOT NULL,           -- random
  sealed    BLOB,                       -- the key of their secrets, encrypted with the keys of cookies; or NULL
  created   INTEGER NOT NULL,           -- when they first signed in
  seen      INTEGER NOT NULL,           -- last use, to the day
  removed   INTEGER NOT NULL DEFAULT 0  -- when the operator removed them; 0 for one who may sign in
) STRICT;
CREATE UNIQUE INDEX person_known ON person (issuer, subject);
CREATE UNIQUE INDEX person_of_workspace ON person (workspace);
CREATE INDEX person_listed ON person (seen, id);

-- What works once and was used: the state of a sign-in of a person.
CREATE TABLE spent (
  digest  BLOB    PRIMARY KEY,  -- SHA-256 of it
  expires INTEGER NOT NULL      -- when it would have ended anyway, and is deleted
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_expires ON spent (expires);

-- A day on which something was stored in public mode. Later days delete it.
CREATE TABLE day (
  day  INTEGER PRIMARY KEY,  -- days since 1970, UTC
  salt BLOB    NOT NULL      -- of the hashes of addresses on this day
) STRICT;

-- An address, or a network of addresses, that stored something on a day. It goes
-- with its day. What an address stores is charged to its network too.
CREATE TABLE payer (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: logs keep it
  day     INTEGER NOT NULL                    -- when it stored
                  REFERENCES day (day) ON DELETE CASCADE,
  hash    TEXT    NOT NULL,                   -- usage.Hash of it with the salt of the day
  bytes   INTEGER NOT NULL DEFAULT 0,         -- stored by it that day; deleting does not lower it
  network TEXT    NOT NULL DEFAULT '',        -- hash of the network of an address; '' for one that is
                                              -- charged alone, and for networks
  UNIQUE (day, hash)
) STRICT;

-- A visitor whom the operator has blocked.
CREATE TABLE block (
  kind TEXT    NOT NULL,  -- workspace or address
  id   TEXT    NOT NULL,  -- of the workspace, or the hash of the address
  salt BLOB,              -- that the hash was made with, which outlives its day here; NULL for a workspace
  at   INTEGER NOT NULL,  -- when it was made
  PRIMARY KEY (kind, id)
) STRICT;

-- What events belong to: the log of the exchange or target with the same id.
-- Deleting it deletes the events and that exchange or target.
CREATE TABLE log (
  id        TEXT    PRIMARY KEY,         -- of the exchange or target
  workspace TEXT    NOT NULL DEFAULT '', -- its owner
  payer     INTEGER,                     -- who is charged: id of a payer, which may be gone; or NULL
  bytes     INTEGER NOT NULL DEFAULT 0   -- of its events and of the row of its exchange or target
) STRICT;

-- The record: one row per entry of a log. Rows are appended and never changed,
-- with two exceptions. sealed: its key is in the user's cookie alone, and
-- forgetting the secrets of a server replaces it with one zero byte. A row of
-- the kind repeated, while it is the newest of its log: its at, conn and data
-- count on with each poll that is answered as an earlier one was.
CREATE TABLE event (
  log    TEXT    NOT NULL   -- the log that it is an entry of
                 REFERENCES log (id) ON DELETE CASCADE,
  seq    INTEGER NOT NULL,  -- from 1, without gaps
  at     INTEGER NOT NULL,  -- when it happened
  conn   INTEGER NOT NULL,  -- connection within the log, from 1; 0 for decisions
  kind   TEXT    NOT NULL,  -- a playground.EventKind
  round  INTEGER,           -- the Round that a decision opens; NULL for every other event
  data   BLOB    NOT NULL,  -- by kind; frames are exact bytes with the user's secrets masked
  timing TEXT,              -- JSON, nanoseconds: how long the steps to an answer took; on its first event
  sealed BLOB,              -- data before masking, encrypted; NULL when nothing was masked
  PRIMARY KEY (log, seq)
) STRICT;
-- A Round is opened once, however often a button is pressed.
CREATE UNIQUE INDEX event_opens_round_once ON event (log, round) WHERE round IS NOT NULL;
ALTER TABLE event ADD COLUMN bytes INTEGER GENERATED ALWAYS AS
  (64 + octet_length(data) + coalesce(octet_length(timing), 0)
   + coalesce(octet_length(sealed), 0)) VIRTUAL;

-- A server in the user's list. What it offers is folded from its log.
CREATE TABLE target (
  id           TEXT    PRIMARY KEY           -- random, and the id of its log
                       REFERENCES log (id) ON DELETE CASCADE,
  workspace    TEXT    NOT NULL              -- its owner
                       REFERENCES workspace (id),
  name         TEXT    NOT NULL,             -- what the user's pages call it: the host
  url          TEXT    NOT NULL,             -- secret values masked
  header       TEXT    NOT NULL,             -- JSON array of extra header fields, secret values masked
  capabilities TEXT    NOT NULL,             -- JSON object: client capabilities declared on every request
  sealed       BLOB,                         -- url and header before masking, as event.sealed
  mine         FLAG    NOT NULL DEFAULT 0,   -- 1 once the user states that the server is theirs
  status       TEXT    NOT NULL,             -- summary of the log: connecting, connected or failed
  server_name  TEXT    NOT NULL DEFAULT '',  -- summary of the log: what the server calls itself, or ''
  created      INTEGER NOT NULL              -- when the user added it
) STRICT;
CREATE INDEX target_of_workspace ON target (workspace, created);
CREATE INDEX target_connecting ON target (status) WHERE status = 'connecting';
COUNT target IN log AS
  (256 + octet_length(name) + octet_length(url) + octet_length(header)
   + octet_length(capabilities) + octet_length(server_name) + coalesce(octet_length(sealed), 0));

-- A certificate that the user trusts for one server although no known authority
-- signed it. It is joined to what is read of the server's exchanges, so that
-- removing it counts for them at once; it is never copied into them.
CREATE TABLE certificate (
  target TEXT    PRIMARY KEY        -- the server
                 REFERENCES target (id) ON DELETE CASCADE,
  origin TEXT    NOT NULL,          -- where it is accepted: https://host:port
  sha256 TEXT    NOT NULL,          -- fingerprint of der
  der    BLOB    NOT NULL,          -- the certificate
  added  INTEGER NOT NULL           -- when the user said so
) STRICT;

-- A sign-in to a protected server, with its record, as far as it is.
CREATE TABLE sign_in (
  id        TEXT    PRIMARY KEY,  -- random
  workspace TEXT    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    TEXT    NOT NULL,     -- slug of the sample, or id of the server
  exchange  TEXT    NOT NULL,     -- the exchange whose Round goes on after it, or ''
  stage     TEXT    NOT NULL,     -- an auth.Stage
  record    TEXT    NOT NULL,     -- JSON of an auth.SignIn, which has no secrets
  sealed    BLOB    NOT NULL,     -- encrypted auth.Private; empty when it has ended
  created   INTEGER NOT NULL      -- when it began
) STRICT;
CREATE INDEX sign_in_of_target ON sign_in (workspace, target, created);
COUNT sign_in IN workspace AS
  (256 + octet_length(record) + octet_length(sealed));

-- The access token that the newest sign-in to a server gave, with what refreshes
-- and revokes it.
CREATE TABLE token (
  workspace TEXT    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    TEXT    NOT NULL,     -- slug of the sample, or id of the server
  url       TEXT    NOT NULL,     -- of the server that it is for, without a query
  sign_in   TEXT    NOT NULL,     -- the sign-in that it came from
  sealed    BLOB    NOT NULL,     -- encrypted auth.Token
  added     INTEGER NOT NULL,     -- when it was issued
  PRIMARY KEY (workspace, target)
) STRICT, WITHOUT ROWID;
COUNT token IN workspace AS
  (256 + octet_length(url) + octet_length(sealed));

-- How an authorization server knows this program as the client of a workspace.
CREATE TABLE registration (
  workspace TEXT    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  issuer    TEXT    NOT NULL,     -- of the authorization server
  sealed    BLOB    NOT NULL,     -- encrypted auth.Registration
  added     INTEGER NOT NULL,     -- when it was made
  PRIMARY KEY (workspace, issuer)
) STRICT, WITHOUT ROWID;
COUNT registration IN workspace AS
  (256 + octet_length(issuer) + octet_length(sealed));

-- A requestState on the workbench, as its visitor left it. The newest ones of a
-- workspace are kept, until they expire.
CREATE TABLE workbench (
  id        TEXT    PRIMARY KEY,  -- random
  workspace TEXT    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  sealed    BLOB    NOT NULL,     -- encrypted; its key is in the user's cookie alone
  created   INTEGER NOT NULL,     -- when it was left
  expires   INTEGER NOT NULL      -- when it is deleted
) STRICT;
CREATE INDEX workbench_of_workspace ON workbench (workspace, created);
CREATE INDEX workbench_expires ON workbench (expires);
COUNT workbench IN workspace AS
  (256 + octet_length(sealed));

-- What the user keeps: one or more exchanges with a title and a note.
CREATE TABLE session (
  id        TEXT    PRIMARY KEY,          -- random
  workspace TEXT    NOT NULL              -- its owner
                    REFERENCES workspace (id),
  kind      TEXT    NOT NULL,             -- a session.Kind: exchange, check or demo
  title     TEXT    NOT NULL,             -- made from the first call, edited by the user
  note      TEXT    NOT NULL DEFAULT '',  -- written by the user
  search    TEXT    NOT NULL,             -- title and note, normalised for searching
  pinned    FLAG    NOT NULL DEFAULT 0,   -- 1 when it stays at the head of the history
  imported  FLAG    NOT NULL DEFAULT 0,   -- 1 when it came from a file or a link
  created   INTEGER NOT NULL,             -- when its first exchange was made
  changed   INTEGER NOT NULL,             -- time of the newest event or step; editing does not count
  called    TEXT    NOT NULL DEFAULT ''   -- of a single call, session.CalledKey of it; of a check,
                                          -- session.CheckedKey of its server; '' for others
) STRICT;
-- The order of the history, pinned sessions first. A page begins where the
-- last one ended, so that every page costs the same.
CREATE INDEX session_listed ON session (workspace, pinned, changed, id);
-- The last call of a tool, prompt or resource, and the last check of a server.
CREATE INDEX session_called ON session (workspace, called, created) WHERE called <> '';
COUNT session IN workspace AS
  (CASE kind WHEN 'demo' THEN 1280 ELSE 256 END + octet_length(title) + octet_length(note)
   + octet_length(search));

-- A call that the user keeps under a name, to make it again. It holds no secret:
-- an argument with one is left out.
CREATE TABLE saved_call (
  id        TEXT    PRIMARY KEY,  -- random
  workspace TEXT    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  title     TEXT    NOT NULL,     -- given by the user
  target    TEXT    NOT NULL,     -- slug of the sample, or id of the server
  kind      TEXT    NOT NULL,     -- tool, prompt, resource or template
  name      TEXT    NOT NULL,     -- of the tool or prompt; a URI, or a URI template
  arguments TEXT    NOT NULL,     -- JSON object as it was given; '' for a resource
  omitted   TEXT    NOT NULL,     -- JSON array: names of the arguments that were left out
  level     TEXT    NOT NULL,     -- log level to ask for, or ''
  wait      TEXT    NOT NULL,     -- timeout in seconds; '' for the default
  created   INTEGER NOT NULL      -- when it was saved
) STRICT;
CREATE INDEX saved_call_of_workspace ON saved_call (workspace, target);
-- Their order in the history, as that of the sessions.
CREATE INDEX saved_call_listed ON saved_call (workspace, created, id);
COUNT saved_call IN workspace AS
  (256 + octet_length(title) + octet_length(name) + octet_length(arguments)
   + octet_length(omitted));

-- One call. It keeps its own description of the target, because the record must
-- not change when the user edits or deletes the server. The columns from status
-- to search are summaries for lists, written in the transaction that makes them
-- true.
CREATE TABLE exchange (
  id           TEXT    PRIMARY KEY           -- random, and the id of its log
                       REFERENCES log (id) ON DELETE CASCADE,
  session      TEXT    NOT NULL              -- the session that it is part of
                       REFERENCES session (id) ON DELETE CASCADE,
  created      INTEGER NOT NULL,             -- when it was made; the order within its session
  parent       TEXT                          -- of a branch: the exchange that it continues
                       REFERENCES exchange (id),
  parent_round INTEGER,                      -- of a branch: after which Round; 0 for the beginning
  status       TEXT    NOT NULL,             -- a playground.Status
  rounds       INTEGER NOT NULL DEFAULT 0,   -- how many Rounds its own log has
  held         FLAG    NOT NULL DEFAULT 0,   -- 1 while it has a request, task or open call that a stop ends
  tool_error   FLAG    NOT NULL DEFAULT 0,   -- 1 when it is complete and its tool reports an error
  sign_in      FLAG    NOT NULL DEFAULT 0,   -- 1 when it failed and a sign-in can continue it
  experiment   TEXT    NOT NULL DEFAULT '',  -- id of the experiment that its first event was made for
  summary      TEXT    NOT NULL DEFAULT '',  -- the arguments in one line; '' for none or very long ones
  search       TEXT    NOT NULL,             -- target, call and texts of events, normalised and cut
  target       TEXT    NOT NULL,             -- slug of the sample, or id of the server, also a deleted one
  sample       TEXT    NOT NULL,             -- slug of the sample; '' for a server of the user
  name         TEXT    NOT NULL,             -- name of the target
  url          TEXT    NOT NULL,             -- as in target
  header       TEXT    NOT NULL,             -- as in target
  capabilities TEXT    NOT NULL,             -- as in target
  method       TEXT    NOT NULL,             -- tools/call, prompts/get or resources/read
  params       BLOB    NOT NULL,             -- JSON text as it was given, secret values masked
  tool         BLOB,                         -- JSON text: the tool as listed by its server, or NULL
  wait         INTEGER NOT NULL DEFAULT 0,   -- milliseconds until the call times out; 0 for the default
  sealed       BLOB,                         -- url, header and params before masking, as event.sealed
  looked       INTEGER NOT NULL DEFAULT 0,   -- when its owner last looked at it, to the minute, while it ran
  answers      TEXT    NOT NULL DEFAULT '',  -- what the user answered, in one line and cut
  result       TEXT    NOT NULL DEFAULT ''   -- the text of its result or error, in one line and cut
) STRICT;
CREATE INDEX exchange_of_session ON exchange (session, created);
CREATE INDEX exchange_of_parent ON exchange (parent) WHERE parent IS NOT NULL;
CREATE INDEX exchange_held ON exchange (held) WHERE held = 1;
COUNT exchange IN log AS
  (256 + octet_length(search) + octet_length(summary) + octet_length(name) + octet_length(url)
   + octet_length(header) + octet_length(capabilities) + octet_length(params)
   + coalesce(octet_length(tool), 0) + coalesce(octet_length(sealed), 0));

-- A private address in front of a server. What a foreign client sends to it is recorded
-- in the session with the same id: calls as exchanges, everything else in logs of its own.
CREATE TABLE capture (
  id        TEXT    PRIMARY KEY           -- of its session and its first log
                    REFERENCES log (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL              -- its owner
                    REFERENCES workspace (id),
  digest    BLOB    NOT NULL,             -- SHA-256 of the token, as in share
  token     TEXT    NOT NULL,             -- for the page of the owner
  target    TEXT    NOT NULL,             -- slug of the sample, or id of the server
  sample    TEXT    NOT NULL,             -- slug of the sample; '' for a server of the user
  name      TEXT    NOT NULL,             -- name of the target
  url       TEXT    NOT NULL,             -- that requests are passed on to; it has no secrets
  created   INTEGER NOT NULL,             -- when it was made
  used      INTEGER NOT NULL,             -- newest request, to the minute
  ended     INTEGER NOT NULL DEFAULT 0    -- when it was ended; 0 while it is open
) STRICT;
CREATE UNIQUE INDEX capture_at ON capture (digest);
CREATE INDEX capture_of_workspace ON capture (workspace, created);
COUNT capture IN log AS
  (256 + octet_length(token) + octet_length(name) + octet_length(url));

-- The logs of a capture. Those beside the first are for requests that a replica gets
-- while another one holds the logs before.
CREATE TABLE capture_log (
  id      TEXT    PRIMARY KEY            -- of the log; that of the first is also the capture's
                  REFERENCES log (id) ON DELETE CASCADE,
  capture TEXT    NOT NULL               -- that it belongs to
                  REFERENCES capture (id) ON DELETE CASCADE,
  held    FLAG    NOT NULL DEFAULT 0  -- 1 while a request in it has no response
) STRICT;
CREATE INDEX capture_log_of_capture ON capture_log (capture);
CREATE INDEX capture_log_held ON capture_log (held) WHERE held = 1;

-- A redacted snapshot of a session that is read by link. Only views changes.
CREATE TABLE share (
  digest    BLOB    PRIMARY KEY,           -- SHA-256 of the token: the lookup tells nothing about near misses
  token     TEXT    NOT NULL,              -- for the list of the owner
  workspace TEXT    NOT NULL               -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  session   TEXT    NOT NULL               -- what it is a snapshot of
                    REFERENCES session (id) ON DELETE CASCADE,
  title     TEXT    NOT NULL,              -- of the session when the share was made
  created   INTEGER NOT NULL,              -- when it was made
  expires   INTEGER NOT NULL,              -- from when on it cannot be read
  views     INTEGER NOT NULL DEFAULT 0,    -- how often it was opened
  data      BLOB    NOT NULL,              -- the snapshot: a file of package export
  image     BLOB    NOT NULL,              -- its preview: PNG
  other     TEXT                           -- a second session that it shows; NULL for none
                    REFERENCES session (id) ON DELETE CASCADE
) STRICT;
-- Their order in the history, as that of the sessions.
CREATE INDEX share_listed ON share (workspace, created, digest);
CREATE INDEX share_of_session ON share (session);
CREATE INDEX share_of_other ON share (other) WHERE other IS NOT NULL;
CREATE INDEX share_expires ON share (expires);
COUNT share IN workspace AS
  (256 + octet_length(title) + octet_length(data) + octet_length(image));

-- A story that is being shown: a session of the kind demo.
CREATE TABLE stage (
  session TEXT PRIMARY KEY  -- the session of its exchanges
               REFERENCES session (id) ON DELETE CASCADE,
  story   TEXT NOT NULL,    -- slug of the demo.Story, or id of the user's
  own     TEXT NOT NULL     -- the exchange of the story
               REFERENCES exchange (id) ON DELETE CASCADE,
  legacy  TEXT              -- the same call of a server before MRTR; NULL until it is shown
               REFERENCES exchange (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX stage_own ON stage (own);
CREATE INDEX stage_legacy ON stage (legacy) WHERE legacy IS NOT NULL;

-- A step that a stage has reached. Each is reached once, however often the
-- button is pressed.
CREATE TABLE mark (
  session   TEXT    NOT NULL   -- the stage
                    REFERENCES stage (session) ON DELETE CASCADE,
  step      INTEGER NOT NULL,  -- from 1
  instances TEXT    NOT NULL,  -- the instances behind the load balancer at this step: a:v1,b:dead
  next      TEXT    NOT NULL,  -- the instance that the next request goes to; '' when the balancer chooses
  rounds    INTEGER NOT NULL,  -- how many Rounds of the story's exchange belong to the steps up to this one
  PRIMARY KEY (session, step)
) STRICT;

-- A flow of the user: a tool that asks, which runs at its own address. It has a
-- session of its kind, with which it is listed and deleted.
CREATE TABLE flow (
  id        TEXT    PRIMARY KEY           -- of its session
                    REFERENCES session (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL,             -- its owner
  digest    BLOB    NOT NULL,             -- SHA-256 of the token
  token     TEXT    NOT NULL,             -- of its address
  text      TEXT    NOT NULL,             -- what runs: the newest edition
  draft     TEXT    NOT NULL,             -- what was typed since; '' if nothing was
  number    INTEGER NOT NULL,             -- of the newest edition
  created   INTEGER NOT NULL,             -- when it was made
  changed   INTEGER NOT NULL,             -- when it was last typed into
  used      INTEGER NOT NULL,             -- when its address was last called, to the hour
  ended     INTEGER NOT NULL DEFAULT 0    -- when its owner ended the address; 0 if it is open
) STRICT;
CREATE UNIQUE INDEX flow_at ON flow (digest);
CREATE INDEX flow_of_workspace ON flow (workspace, changed);
COUNT flow IN workspace AS
  (256 + octet_length(token) + octet_length(text) + octet_length(draft));

-- A text of a flow that was saved. The newest are kept.
CREATE TABLE flow_edition (
  flow      TEXT    NOT NULL   -- that it is a text of
                    REFERENCES flow (id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,  -- from 1
  workspace TEXT    NOT NULL,  -- the owner of the flow
  text      TEXT    NOT NULL,  -- as it was saved
  at        INTEGER NOT NULL,  -- when it was saved
  PRIMARY KEY (flow, number)
) STRICT;
COUNT flow_edition IN workspace AS
  (64 + octet_length(text));

-- A recording that is served: what was recorded, at an address of its own. It has a session
-- of its kind, with which it is listed and deleted.
CREATE TABLE recording (
  id        TEXT    PRIMARY KEY           -- of its session
                    REFERENCES session (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL,             -- its owner
  digest    BLOB    NOT NULL,             -- SHA-256 of the token
  token     TEXT    NOT NULL,             -- of its address
  ignored   TEXT    NOT NULL,             -- what does not count when requests are compared
  data      BLOB    NOT NULL,             -- what is served: a file of package export
  created   INTEGER NOT NULL,             -- when it was made
  used      INTEGER NOT NULL,             -- when its address was last called, to the hour
  ended     INTEGER NOT NULL DEFAULT 0    -- when its owner ended the address; 0 if it is open
) STRICT;
CREATE UNIQUE INDEX recording_at ON recording (digest);
CREATE INDEX recording_of_workspace ON recording (workspace, created);
COUNT recording IN workspace AS
  (256 + octet_length(token) + octet_length(data));

-- How many answers were given to a request that has several.
CREATE TABLE recording_turn (
  recording TEXT    NOT NULL   -- that has the request
                    REFERENCES recording (id) ON DELETE CASCADE,
  request   TEXT    NOT NULL,  -- a digest of it
  given     INTEGER NOT NULL,  -- answers since it began anew
  PRIMARY KEY (recording, request)
) STRICT;

-- A test of a gateway. It has a session of its kind, which has the calls of its client; what
-- reached the upstream is in the session of a capture, which may be deleted before it.
CREATE TABLE gateway (
  id        TEXT    PRIMARY KEY               -- of its session
                    REFERENCES session (id) ON DELETE CASCADE,
  workspace TEXT    NOT NULL,                 -- its owner
  capture   TEXT    NOT NULL,                 -- at which the gateway is to be pointed
  server    TEXT    NOT NULL DEFAULT '',      -- the gateway, a target; '' until the test begins
  name      TEXT    NOT NULL DEFAULT '',      -- of the gateway, for people
  gap       TEXT    NOT NULL DEFAULT '',      -- why no call was made
  calls     TEXT    NOT NULL DEFAULT '[]',    -- JSON array: the calls without their logs
  created   INTEGER NOT NULL,                 -- when it was made
  began     INTEGER NOT NULL DEFAULT 0,       -- when its first call was made; 0 before
  ended     INTEGER NOT NULL DEFAULT 0        -- when its last call had ended; 0 before
) STRICT;
CREATE INDEX gateway_of_workspace ON gateway (workspace, created);
COUNT gateway IN workspace AS
  (256 + octet_length(name) + octet_length(gap) + octet_length(calls));

-- A talk: a stage that an audience follows. Nothing of a follower is stored.
CREATE TABLE talk (
  session TEXT    PRIMARY KEY  -- the stage
                  REFERENCES stage (session) ON DELETE CASCADE,
  digest  BLOB    NOT NULL,    -- SHA-256 of the code, as in share
  code    TEXT    NOT NULL,    -- for the page of the presenter
  seen    INTEGER NOT NULL     -- when the presenter was last there, to the minute
) STRICT;
CREATE UNIQUE INDEX talk_at ON talk (digest);

-- A story that the user has written, or the copy of one that a stage plays: what is
-- edited later changes no stage.
CREATE TABLE story (
  id        TEXT    PRIMARY KEY,  -- random; of a copy the id of its stage
  workspace TEXT    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  stage     TEXT                  -- of a copy, the stage that plays it; NULL for a story
                    REFERENCES stage (session) ON DELETE CASCADE,
  title     TEXT    NOT NULL,     -- for lists
  text      TEXT    NOT NULL,     -- YAML or JSON as it was written; a draft may have mistakes
  created   INTEGER NOT NULL,     -- when it was made
  used      INTEGER NOT NULL      -- when it was last edited or played
) STRICT;
CREATE INDEX story_of_workspace ON story (workspace, used) WHERE stage IS NULL;
CREATE INDEX story_of_stage ON story (stage) WHERE stage IS NOT NULL;
COUNT story IN workspace AS
  (256 + octet_length(title) + octet_length(text));

-- A token with which agents put what they find into the history of its workspace. The
-- token itself is not stored, so it cannot be shown again.
CREATE TABLE agent_token (
  id        TEXT    PRIMARY KEY,  -- random; names the token to its owner
  workspace TEXT    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  digest    BLOB    NOT NULL,     -- SHA-256 of the token
  title     TEXT    NOT NULL,     -- given by the user
  created   INTEGER NOT NULL,     -- when it was made
  expires   INTEGER NOT NULL,     -- from when on it is refused
  used      INTEGER NOT NULL      -- when it was last used, to the hour; 0 if it never was
) STRICT;
CREATE UNIQUE INDEX agent_token_at ON agent_token (digest);
CREATE INDEX agent_token_of_workspace ON agent_token (workspace, created);
CREATE INDEX agent_token_expires ON agent_token (expires);
COUNT agent_token IN workspace AS
  (256 + octet_length(title));

-- An event counts for its log, on PostgreSQL with all others of its statement.
--- SQLite
CREATE TRIGGER event_added AFTER INSERT ON event BEGIN
  UPDATE log SET bytes = bytes + new.bytes WHERE id = new.log;
END;
CREATE TRIGGER event_changed AFTER UPDATE ON event WHEN new.bytes <> old.bytes BEGIN
  UPDATE log SET bytes = bytes + new.bytes - old.bytes WHERE id = new.log;
END;
--- PostgreSQL
CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log l SET bytes = l.bytes + a.bytes
    FROM (SELECT log, sum(bytes) AS bytes FROM added GROUP BY log) a
    WHERE l.id = a.log;
  RETURN NULL;
END $$;
CREATE TRIGGER event_added AFTER INSERT ON event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_events();
CREATE FUNCTION count_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log SET bytes = bytes + NEW.bytes - OLD.bytes WHERE id = NEW.log;
  RETURN NULL;
END $$;
CREATE TRIGGER event_changed AFTER UPDATE ON event
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_event();
--- both

-- A log counts for its workspace, and what is added to it for its payer: on PostgreSQL at
-- the commit, because many change the rows of a payer, and of the total, at once.
--- SQLite
CREATE TRIGGER log_changed AFTER UPDATE OF bytes ON log BEGIN
  UPDATE workspace SET bytes = bytes + new.bytes - old.bytes WHERE id = new.workspace;
  UPDATE payer SET bytes = bytes + max(0, new.bytes - old.bytes) WHERE id = new.payer;
END;
CREATE TRIGGER log_deleted AFTER DELETE ON log BEGIN
  UPDATE workspace SET bytes = bytes - old.bytes WHERE id = old.workspace;
END;
--- PostgreSQL
CREATE FUNCTION count_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET bytes = bytes + NEW.bytes - OLD.bytes WHERE id = NEW.workspace;
  IF NEW.payer IS NOT NULL AND NEW.bytes > OLD.bytes THEN
    UPDATE payer SET bytes = bytes + NEW.bytes - OLD.bytes WHERE id = NEW.payer;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER log_changed AFTER UPDATE OF bytes ON log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_log();
CREATE TRIGGER log_deleted AFTER DELETE ON log REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();
--- both

-- What an address stores counts for its network. For a row that is in no log, the function
-- charge adds it.
--- SQLite
CREATE TRIGGER payer_charged AFTER UPDATE OF bytes, network ON payer WHEN new.network <> '' BEGIN
  INSERT INTO payer (day, hash, bytes)
    VALUES (new.day, new.network, new.bytes - iif(new.network = old.network, old.bytes, 0))
    ON CONFLICT (day, hash) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
--- PostgreSQL
CREATE FUNCTION count_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payer AS p (day, hash, bytes)
    VALUES (NEW.day, NEW.network,
      NEW.bytes - CASE WHEN NEW.network = OLD.network THEN OLD.bytes ELSE 0 END)
    ON CONFLICT (day, hash) DO UPDATE SET bytes = p.bytes + excluded.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER payer_charged AFTER UPDATE OF bytes, network ON payer
  FOR EACH ROW WHEN (NEW.network <> '') EXECUTE FUNCTION count_payer();
--- both

-- The roots of a workspace count in its own row.
--- SQLite
CREATE TRIGGER roots_changed AFTER UPDATE OF roots ON workspace BEGIN
  UPDATE workspace SET bytes = bytes + octet_length(new.roots) - octet_length(old.roots) WHERE id = new.id;
END;
--- PostgreSQL
CREATE FUNCTION count_roots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.bytes := NEW.bytes + octet_length(NEW.roots) - octet_length(OLD.roots);
  RETURN NEW;
END $$;
CREATE TRIGGER roots_changed BEFORE UPDATE OF roots ON workspace FOR EACH ROW EXECUTE FUNCTION count_roots();

-- How much is stored in all: the sum of the rows. Each connection counts in one of
-- 64 rows, so that writers do not wait for each other. In the row 0 nothing is
-- counted; /readyz writes to it.
CREATE TABLE total (
  shard INTEGER PRIMARY KEY,  -- from 1, of a connection; 0
  bytes INTEGER NOT NULL      -- that its changes have added; may be negative
);

-- The processes that share the database. One that has not renewed its row, or has
-- none, is taken for dead, or cut off.
CREATE TABLE replica (
  id      TEXT        PRIMARY KEY,  -- random, of a process
  expires timestamptz NOT NULL      -- until when it is alive, by the clock of the database
);

-- What one process does and no other: a log that something is done with, a check
-- that runs, the renewal of a token.
CREATE TABLE lease (
  id     TEXT PRIMARY KEY,  -- of the log; of anything else a name of its own
  holder TEXT NOT NULL      -- the replica
);
CREATE INDEX lease_of_holder ON lease (holder);

-- A message of one replica to the holder of a lease.
CREATE TABLE letter (
  id      TEXT        PRIMARY KEY,         -- random
  holder  TEXT        NOT NULL,            -- the replica that it is for
  subject TEXT        NOT NULL,            -- the lease that it is about
  body    BLOB        NOT NULL,            -- the message; an answer in it is masked as in the log
  taken   FLAG        NOT NULL DEFAULT 0,  -- 1 when the holder has begun to handle it
  reply   BLOB,                            -- NULL until it is handled
  created timestamptz NOT NULL             -- when it was sent
);
CREATE INDEX letter_for ON letter (holder) WHERE taken = 0;

-- What the samples keep for all processes. No workspace has a part in these rows,
-- and they expire.
CREATE TABLE sample_task (
  id      TEXT        PRIMARY KEY,         -- as the sample names the task
  sample  TEXT        NOT NULL,            -- its slug
  caller  TEXT        NOT NULL,            -- address of who made it; '' if that is not known
  worker  TEXT        NOT NULL,            -- the replica that does the work
  version INTEGER     NOT NULL DEFAULT 0,  -- counts the changes
  done    FLAG        NOT NULL DEFAULT 0,  -- 1 when its status is final
  data    BLOB        NOT NULL,            -- JSON: a tasks.Task
  changed timestamptz NOT NULL,            -- when it last did
  expires timestamptz NOT NULL             -- from when on it is deleted
);
CREATE INDEX sample_task_of_sample ON sample_task (sample, caller);

-- What a sample accepts once, such as a voucher, or has stored for a sign-in.
CREATE TABLE sample_ticket (
  sample  TEXT        NOT NULL,  -- its slug
  name    TEXT        NOT NULL,  -- of a voucher, a sign-in or a token
  value   TEXT        NOT NULL,  -- what the sample keeps with it
  caller  TEXT        NOT NULL,  -- as in sample_task
  nonce   TEXT        NOT NULL,  -- random, of who put it: a try whose end was not seen is repeated
  expires timestamptz NOT NULL,  -- from when on it is deleted
  PRIMARY KEY (sample, name)
);

-- A workspace counts in all, at the commit too.
CREATE FUNCTION count_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO total AS t (shard, bytes)
    VALUES (1 + pg_backend_pid() % 64, CASE TG_OP WHEN 'DELETE' THEN 0 ELSE NEW.bytes END - OLD.bytes)
    ON CONFLICT (shard) DO UPDATE SET bytes = t.bytes + excluded.bytes;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER workspace_changed AFTER UPDATE ON workspace
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_workspace();
CREATE TRIGGER workspace_deleted AFTER DELETE ON workspace FOR EACH ROW EXECUTE FUNCTION count_workspace();
