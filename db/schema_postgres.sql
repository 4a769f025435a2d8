-- The whole schema on PostgreSQL: what a new database gets, and what an older one
-- is brought to (migrate_postgres.go). It says the same as schema_sqlite.sql. Times
-- are microseconds since 1970, UTC. Booleans are 0 or 1, as in SQLite, so that
-- queries are written once. JSON is kept as the text that was given. A text with
-- bytes that PostgreSQL does not store in one has them escaped
-- (postgres_driver.go).
--
-- Columns named bytes say how much is stored. The end of this file says what a row
-- counts, and keeps the sums true, so that no statement can forget to.

-- An anonymous owner, known by a cookie. A workspace has a row once it owns
-- something. Those that were not visited for long are deleted, but never that of local
-- mode.
CREATE TABLE workspace (
  id      text    PRIMARY KEY,           -- random; in local mode always the same
  created bigint  NOT NULL,              -- when it got its row
  seen    bigint  NOT NULL,              -- last visit of the owner, to the day
  roots   text    NOT NULL DEFAULT '[]',  -- JSON array: the answer to roots/list to offer next time
  bytes   bigint  NOT NULL DEFAULT 0     -- stored by it: logs, sessions, shares, saved calls and roots
);
CREATE INDEX workspace_seen ON workspace (seen);

-- A day on which something was stored in public mode. Later days delete it.
CREATE TABLE day (
  day  bigint  PRIMARY KEY,  -- days since 1970, UTC
  salt bytea   NOT NULL      -- of the hashes of addresses on this day
);

-- An address, or a network of addresses, that stored something on a day. It goes
-- with its day. What an address stores is charged to its network too.
CREATE TABLE payer (
  id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- never used twice: logs keep it
  day     bigint  NOT NULL                    -- when it stored
                  REFERENCES day (day) ON DELETE CASCADE,
  hash    text    NOT NULL,                   -- usage.Hash of it with the salt of the day
  bytes   bigint  NOT NULL DEFAULT 0,         -- stored by it that day; deleting does not lower it
  network text    NOT NULL DEFAULT '',        -- hash of the network of an address; '' for one that is
                                              -- charged alone, and for networks
  UNIQUE (day, hash)
);

-- A visitor whom the operator has blocked.
CREATE TABLE block (
  kind text    NOT NULL,  -- workspace or address
  id   text    NOT NULL,  -- of the workspace, or the hash of the address
  salt bytea,             -- that the hash was made with, which outlives its day here; NULL for a workspace
  at   bigint  NOT NULL,  -- when it was made
  PRIMARY KEY (kind, id)
);

-- What events belong to: the log of the exchange or target with the same id.
-- Deleting it deletes the events and that exchange or target.
CREATE TABLE log (
  id        text    PRIMARY KEY,         -- of the exchange or target
  workspace text    NOT NULL DEFAULT '',  -- its owner
  payer     bigint ,                     -- who is charged: id of a payer, which may be gone; or NULL
  bytes     bigint  NOT NULL DEFAULT 0   -- of its events and of the row of its exchange or target
);

-- The record: one row per entry of a log. Rows are appended and never changed,
-- with two exceptions. sealed: its key is in the user's cookie alone, and
-- forgetting the secrets of a server replaces it with one zero byte. A row of
-- the kind repeated, while it is the newest of its log: its at, conn and data
-- count on with each poll that is answered as an earlier one was.
CREATE TABLE event (
  log    text    NOT NULL   -- the log that it is an entry of
                 REFERENCES log (id) ON DELETE CASCADE,
  seq    bigint  NOT NULL,  -- from 1, without gaps
  at     bigint  NOT NULL,  -- when it happened
  conn   bigint  NOT NULL,  -- connection within the log, from 1; 0 for decisions
  kind   text    NOT NULL,  -- a playground.EventKind
  round  bigint ,           -- the Round that a decision opens; NULL for every other event
  data   bytea   NOT NULL,  -- by kind; frames are exact bytes with the user's secrets masked
  timing text,              -- JSON, nanoseconds: how long the steps to an answer took; on its first event
  sealed bytea,             -- data before masking, encrypted; NULL when nothing was masked
  PRIMARY KEY (log, seq)
);
-- A Round is opened once, however often a button is pressed.
CREATE UNIQUE INDEX event_opens_round_once ON event (log, round) WHERE round IS NOT NULL;

-- A server in the user's list. What it offers is folded from its log.
CREATE TABLE target (
  id           text    PRIMARY KEY           -- random, and the id of its log
                       REFERENCES log (id) ON DELETE CASCADE,
  workspace    text    NOT NULL              -- its owner
                       REFERENCES workspace (id),
  name         text    NOT NULL,             -- what the user's pages call it: the host
  url          text    NOT NULL,             -- secret values masked
  header       text    NOT NULL,             -- JSON array of extra header fields, secret values masked
  capabilities text    NOT NULL,             -- JSON object: client capabilities declared on every request
  sealed       bytea,                        -- url and header before masking, as event.sealed
  mine         smallint NOT NULL DEFAULT 0,  -- 1 once the user states that the server is theirs
  status       text    NOT NULL,             -- summary of the log: connecting, connected or failed
  server_name  text    NOT NULL DEFAULT '',  -- summary of the log: what the server calls itself, or ''
  created      bigint  NOT NULL              -- when the user added it
);
CREATE INDEX target_of_workspace ON target (workspace, created);
CREATE INDEX target_connecting ON target (status) WHERE status = 'connecting';

-- A certificate that the user trusts for one server although no known authority
-- signed it. It is joined to what is read of the server's exchanges, so that
-- removing it counts for them at once; it is never copied into them.
CREATE TABLE certificate (
  target text    PRIMARY KEY        -- the server
                 REFERENCES target (id) ON DELETE CASCADE,
  origin text    NOT NULL,          -- where it is accepted: https://host:port
  sha256 text    NOT NULL,          -- fingerprint of der
  der    bytea   NOT NULL,          -- the certificate
  added  bigint  NOT NULL           -- when the user said so
);

-- A sign-in to a protected server, with its record, as far as it is.
CREATE TABLE sign_in (
  id        text    PRIMARY KEY,  -- random
  workspace text    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    text    NOT NULL,     -- slug of the sample, or id of the server
  exchange  text    NOT NULL,     -- the exchange whose Round goes on after it, or ''
  stage     text    NOT NULL,     -- an auth.Stage
  record    text    NOT NULL,     -- JSON of an auth.SignIn, which has no secrets
  sealed    bytea   NOT NULL,     -- encrypted auth.Private; empty when it has ended
  created   bigint  NOT NULL      -- when it began
);
CREATE INDEX sign_in_of_target ON sign_in (workspace, target, created);

-- The access token that the newest sign-in to a server gave, with what refreshes
-- and revokes it.
CREATE TABLE token (
  workspace text    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    text    NOT NULL,     -- slug of the sample, or id of the server
  url       text    NOT NULL,     -- of the server that it is for, without a query
  sign_in   text    NOT NULL,     -- the sign-in that it came from
  sealed    bytea   NOT NULL,     -- encrypted auth.Token
  added     bigint  NOT NULL,     -- when it was issued
  PRIMARY KEY (workspace, target)
);

-- How an authorization server knows this program as the client of a workspace.
CREATE TABLE registration (
  workspace text    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  issuer    text    NOT NULL,     -- of the authorization server
  sealed    bytea   NOT NULL,     -- encrypted auth.Registration
  added     bigint  NOT NULL,     -- when it was made
  PRIMARY KEY (workspace, issuer)
);

-- A requestState on the workbench, as its visitor left it. The newest ones of a
-- workspace are kept, until they expire.
CREATE TABLE workbench (
  id        text    PRIMARY KEY,  -- random
  workspace text    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  sealed    bytea   NOT NULL,     -- encrypted; its key is in the user's cookie alone
  created   bigint  NOT NULL,     -- when it was left
  expires   bigint  NOT NULL      -- when it is deleted
);
CREATE INDEX workbench_of_workspace ON workbench (workspace, created);
CREATE INDEX workbench_expires ON workbench (expires);

-- What the user keeps: one or more exchanges with a title and a note.
CREATE TABLE session (
  id        text    PRIMARY KEY,          -- random
  workspace text    NOT NULL              -- its owner
                    REFERENCES workspace (id),
  kind      text    NOT NULL,             -- a session.Kind: exchange, check or demo
  title     text    NOT NULL,             -- made from the first call, edited by the user
  note      text    NOT NULL DEFAULT '',  -- written by the user
  search    text    NOT NULL,             -- title and note, normalised for searching
  pinned    smallint NOT NULL DEFAULT 0,  -- 1 when it stays at the head of the history
  imported  smallint NOT NULL DEFAULT 0,  -- 1 when it came from a file or a link
  created   bigint  NOT NULL,             -- when its first exchange was made
  changed   bigint  NOT NULL,             -- time of the newest event or step; editing does not count
  called    text    NOT NULL DEFAULT ''   -- of a single call, session.CalledKey of it; '' for others
);
-- The order of the history, pinned sessions first. A page begins where the
-- last one ended, so that every page costs the same.
CREATE INDEX session_listed ON session (workspace, pinned, changed, id);
-- The last call of a tool, prompt or resource.
CREATE INDEX session_called ON session (workspace, called, created) WHERE called <> '';

-- A call that the user keeps under a name, to make it again. It holds no secret:
-- an argument with one is left out.
CREATE TABLE saved_call (
  id        text    PRIMARY KEY,  -- random
  workspace text    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  title     text    NOT NULL,     -- given by the user
  target    text    NOT NULL,     -- slug of the sample, or id of the server
  kind      text    NOT NULL,     -- tool, prompt, resource or template
  name      text    NOT NULL,     -- of the tool or prompt; a URI, or a URI template
  arguments text    NOT NULL,     -- JSON object as it was given; '' for a resource
  omitted   text    NOT NULL,     -- JSON array: names of the arguments that were left out
  level     text    NOT NULL,     -- log level to ask for, or ''
  wait      text    NOT NULL,     -- timeout in seconds; '' for the default
  created   bigint  NOT NULL      -- when it was saved
);
CREATE INDEX saved_call_of_workspace ON saved_call (workspace, target);

-- One call. It keeps its own description of the target, because the record must
-- not change when the user edits or deletes the server. The columns from status
-- to search are summaries for lists, written in the transaction that makes them
-- true.
CREATE TABLE exchange (
  id           text    PRIMARY KEY           -- random, and the id of its log
                       REFERENCES log (id) ON DELETE CASCADE,
  session      text    NOT NULL              -- the session that it is part of
                       REFERENCES session (id) ON DELETE CASCADE,
  created      bigint  NOT NULL,             -- when it was made; the order within its session
  parent       text                          -- of a branch: the exchange that it continues
                       REFERENCES exchange (id),
  parent_round bigint ,                      -- of a branch: after which Round; 0 for the beginning
  status       text    NOT NULL,             -- a playground.Status
  rounds       bigint  NOT NULL DEFAULT 0,   -- how many Rounds its own log has
  held         smallint NOT NULL DEFAULT 0,  -- 1 while it has a request, task or open call that a stop ends
  tool_error   smallint NOT NULL DEFAULT 0,  -- 1 when it is complete and its tool reports an error
  sign_in      smallint NOT NULL DEFAULT 0,  -- 1 when it failed and a sign-in can continue it
  experiment   text    NOT NULL DEFAULT '',  -- id of the experiment that its first event was made for
  summary      text    NOT NULL DEFAULT '',  -- the arguments in one line; '' for none or very long ones
  search       text    NOT NULL,             -- target, call and texts of events, normalised and cut
  target       text    NOT NULL,             -- slug of the sample, or id of the server, also a deleted one
  sample       text    NOT NULL,             -- slug of the sample; '' for a server of the user
  name         text    NOT NULL,             -- name of the target
  url          text    NOT NULL,             -- as in target
  header       text    NOT NULL,             -- as in target
  capabilities text    NOT NULL,             -- as in target
  method       text    NOT NULL,             -- tools/call, prompts/get or resources/read
  params       bytea   NOT NULL,             -- JSON text as it was given, secret values masked
  tool         bytea,                        -- JSON text: the tool as listed by its server, or NULL
  wait         bigint  NOT NULL DEFAULT 0,   -- milliseconds until the call times out; 0 for the default
  sealed       bytea,                        -- url, header and params before masking, as event.sealed
  looked       bigint  NOT NULL DEFAULT 0,   -- when its owner last looked at it, to the minute, while it ran
  answers      text    NOT NULL DEFAULT '',  -- what the user answered, in one line and cut
  result       text    NOT NULL DEFAULT ''   -- the text of its result or error, in one line and cut
);
CREATE INDEX exchange_of_session ON exchange (session, created);
CREATE INDEX exchange_of_parent ON exchange (parent) WHERE parent IS NOT NULL;
CREATE INDEX exchange_held ON exchange (held) WHERE held = 1;

-- A private address in front of a server. What a foreign client sends to it is recorded
-- in the session with the same id: calls as exchanges, everything else in logs of its own.
CREATE TABLE capture (
  id        text    PRIMARY KEY           -- of its session and its first log
                    REFERENCES log (id) ON DELETE CASCADE,
  workspace text    NOT NULL              -- its owner
                    REFERENCES workspace (id),
  digest    bytea   NOT NULL,             -- SHA-256 of the token, as in share
  token     text    NOT NULL,             -- for the page of the owner
  target    text    NOT NULL,             -- slug of the sample, or id of the server
  sample    text    NOT NULL,             -- slug of the sample; '' for a server of the user
  name      text    NOT NULL,             -- name of the target
  url       text    NOT NULL,             -- that requests are passed on to; it has no secrets
  created   bigint  NOT NULL,             -- when it was made
  used      bigint  NOT NULL,             -- newest request, to the minute
  ended     bigint  NOT NULL DEFAULT 0    -- when it was ended; 0 while it is open
);
CREATE UNIQUE INDEX capture_at ON capture (digest);
CREATE INDEX capture_of_workspace ON capture (workspace, created);

-- The logs of a capture. Those beside the first are for requests that a replica gets
-- while another one holds the logs before.
CREATE TABLE capture_log (
  id      text    PRIMARY KEY            -- of the log; that of the first is also the capture's
                  REFERENCES log (id) ON DELETE CASCADE,
  capture text    NOT NULL               -- that it belongs to
                  REFERENCES capture (id) ON DELETE CASCADE,
  held    smallint NOT NULL DEFAULT 0  -- 1 while a request in it has no response
);
CREATE INDEX capture_log_of_capture ON capture_log (capture);
CREATE INDEX capture_log_held ON capture_log (held) WHERE held = 1;

-- A redacted snapshot of a session that is read by link. Only views changes.
CREATE TABLE share (
  digest    bytea   PRIMARY KEY,           -- SHA-256 of the token: the lookup tells nothing about near misses
  token     text    NOT NULL,              -- for the list of the owner
  workspace text    NOT NULL               -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  session   text    NOT NULL               -- what it is a snapshot of
                    REFERENCES session (id) ON DELETE CASCADE,
  title     text    NOT NULL,              -- of the session when the share was made
  created   bigint  NOT NULL,              -- when it was made
  expires   bigint  NOT NULL,              -- from when on it cannot be read
  views     bigint  NOT NULL DEFAULT 0,    -- how often it was opened
  data      bytea   NOT NULL,              -- the snapshot: a file of package export
  image     bytea   NOT NULL,              -- its preview: PNG
  other     text                           -- a second session that it shows; NULL for none
                    REFERENCES session (id) ON DELETE CASCADE
);
CREATE INDEX share_of_workspace ON share (workspace, created);
CREATE INDEX share_of_session ON share (session);
CREATE INDEX share_of_other ON share (other) WHERE other IS NOT NULL;
CREATE INDEX share_expires ON share (expires);

-- A story that is being shown: a session of the kind demo.
CREATE TABLE stage (
  session text PRIMARY KEY  -- the session of its exchanges
               REFERENCES session (id) ON DELETE CASCADE,
  story   text NOT NULL,    -- slug of the demo.Story, or id of the user's
  own     text NOT NULL     -- the exchange of the story
               REFERENCES exchange (id) ON DELETE CASCADE,
  legacy  text              -- the same call of a server before MRTR; NULL until it is shown
               REFERENCES exchange (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX stage_own ON stage (own);
CREATE INDEX stage_legacy ON stage (legacy) WHERE legacy IS NOT NULL;

-- A step that a stage has reached. Each is reached once, however often the
-- button is pressed.
CREATE TABLE mark (
  session   text    NOT NULL   -- the stage
                    REFERENCES stage (session) ON DELETE CASCADE,
  step      bigint  NOT NULL,  -- from 1
  instances text    NOT NULL,  -- the instances behind the load balancer at this step: a:v1,b:dead
  next      text    NOT NULL,  -- the instance that the next request goes to; '' when the balancer chooses
  rounds    bigint  NOT NULL,  -- how many Rounds of the story's exchange belong to the steps up to this one
  PRIMARY KEY (session, step)
);

-- A talk: a stage that an audience follows. Nothing of a follower is stored.
CREATE TABLE talk (
  session text    PRIMARY KEY  -- the stage
                  REFERENCES stage (session) ON DELETE CASCADE,
  digest  bytea   NOT NULL,    -- SHA-256 of the code, as in share
  code    text    NOT NULL,    -- for the page of the presenter
  seen    bigint  NOT NULL     -- when the presenter was last there, to the minute
);
CREATE UNIQUE INDEX talk_at ON talk (digest);

-- A story that the user has written, or the copy of one that a stage plays: what is
-- edited later changes no stage.
CREATE TABLE story (
  id        text    PRIMARY KEY,  -- random; of a copy the id of its stage
  workspace text    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  stage     text                  -- of a copy, the stage that plays it; NULL for a story
                    REFERENCES stage (session) ON DELETE CASCADE,
  title     text    NOT NULL,     -- for lists
  text      text    NOT NULL,     -- YAML or JSON as it was written; a draft may have mistakes
  created   bigint  NOT NULL,     -- when it was made
  used      bigint  NOT NULL      -- when it was last edited or played
);
CREATE INDEX story_of_workspace ON story (workspace, used) WHERE stage IS NULL;
CREATE INDEX story_of_stage ON story (stage) WHERE stage IS NOT NULL;

-- A token with which agents put what they find into the history of its workspace. The
-- token itself is not stored, so it cannot be shown again.
CREATE TABLE agent_token (
  id        text    PRIMARY KEY,  -- random; names the token to its owner
  workspace text    NOT NULL      -- its owner
                    REFERENCES workspace (id) ON DELETE CASCADE,
  digest    bytea   NOT NULL,     -- SHA-256 of the token
  title     text    NOT NULL,     -- given by the user
  created   bigint  NOT NULL,     -- when it was made
  expires   bigint  NOT NULL,     -- from when on it is refused
  used      bigint  NOT NULL      -- when it was last used, to the hour; 0 if it never was
);
CREATE UNIQUE INDEX agent_token_at ON agent_token (digest);
CREATE INDEX agent_token_of_workspace ON agent_token (workspace, created);
CREATE INDEX agent_token_expires ON agent_token (expires);

-- How much is stored in all: the sum of the rows. Each connection counts in one of
-- 64 rows, so that writers do not wait for each other. In the row 0 nothing is
-- counted; /readyz writes to it.
CREATE TABLE total (
  shard bigint PRIMARY KEY,
  bytes bigint NOT NULL
);

-- The processes that share the database. One that has not renewed its row, or has
-- none, is taken for dead, or cut off.
CREATE TABLE replica (
  id      text        PRIMARY KEY,  -- random, of a process
  expires timestamptz NOT NULL      -- until when it is alive, by the clock of the database
);

-- What one process does and no other: a log that something is done with, a check
-- that runs, the renewal of a token.
CREATE TABLE lease (
  id     text PRIMARY KEY,  -- of the log; of anything else a name of its own
  holder text NOT NULL      -- the replica
);
CREATE INDEX lease_of_holder ON lease (holder);

-- A message of one replica to the holder of a lease.
CREATE TABLE letter (
  id      text        PRIMARY KEY,         -- random
  holder  text        NOT NULL,            -- the replica that it is for
  subject text        NOT NULL,            -- the lease that it is about
  body    bytea       NOT NULL,            -- the message; an answer in it is masked as in the log
  taken   smallint    NOT NULL DEFAULT 0,  -- 1 when the holder has begun to handle it
  reply   bytea,                           -- NULL until it is handled
  created timestamptz NOT NULL
);
CREATE INDEX letter_for ON letter (holder) WHERE taken = 0;

-- What the samples keep for all processes. No workspace has a part in these rows,
-- and they expire.
CREATE TABLE sample_task (
  id      text        PRIMARY KEY,         -- as the sample names the task
  sample  text        NOT NULL,            -- its slug
  caller  text        NOT NULL,            -- address of who made it; '' if that is not known
  worker  text        NOT NULL,            -- the replica that does the work
  version bigint      NOT NULL DEFAULT 0,  -- counts the changes
  done    smallint    NOT NULL DEFAULT 0,  -- 1 when its status is final
  data    bytea       NOT NULL,            -- JSON: a tasks.Task
  changed timestamptz NOT NULL,
  expires timestamptz NOT NULL
);
CREATE INDEX sample_task_of_sample ON sample_task (sample, caller);
CREATE TABLE sample_ticket (
  sample  text        NOT NULL,  -- its slug
  name    text        NOT NULL,  -- of a voucher, a sign-in or a token
  value   text        NOT NULL,
  caller  text        NOT NULL,  -- as in sample_task
  nonce   text        NOT NULL,  -- random, of who put it: a try whose end was not seen is repeated
  expires timestamptz NOT NULL,
  PRIMARY KEY (sample, name)
);

-- A flow of the user: a tool that asks, which runs at its own address. It has a
-- session of its kind, with which it is listed and deleted.
CREATE TABLE flow (
  id        text    PRIMARY KEY           -- of its session
                    REFERENCES session (id) ON DELETE CASCADE,
  workspace text    NOT NULL,             -- its owner
  digest    bytea   NOT NULL,             -- SHA-256 of the token
  token     text    NOT NULL,             -- of its address
  text      text    NOT NULL,             -- what runs: the newest edition
  draft     text    NOT NULL,             -- what was typed since; '' if nothing was
  number    bigint  NOT NULL,             -- of the newest edition
  created   bigint  NOT NULL,             -- when it was made
  changed   bigint  NOT NULL,             -- when it was last typed into
  used      bigint  NOT NULL,             -- when its address was last called, to the hour
  ended     bigint  NOT NULL DEFAULT 0    -- when its owner ended the address; 0 if it is open
);
CREATE UNIQUE INDEX flow_at ON flow (digest);
CREATE INDEX flow_of_workspace ON flow (workspace, changed);

-- A text of a flow that was saved. The newest are kept.
CREATE TABLE flow_edition (
  flow      text    NOT NULL   -- that it is a text of
                    REFERENCES flow (id) ON DELETE CASCADE,
  number    bigint  NOT NULL,  -- from 1
  workspace text    NOT NULL,  -- the owner of the flow
  text      text    NOT NULL,  -- as it was saved
  at        bigint  NOT NULL,  -- when it was saved
  PRIMARY KEY (flow, number)
);

-- Texts are compared byte by byte, as in SQLite, whatever the database was created
-- with. So an upgrade of the operating system cannot change the order of an index.
DO $$
DECLARE
  c record;
BEGIN
  FOR c IN SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = current_schema() AND data_type = 'text' AND table_name IN (
      'workspace', 'payer', 'block', 'log', 'event', 'target', 'certificate', 'sign_in', 'token',
      'registration', 'workbench', 'session', 'saved_call', 'exchange', 'capture', 'capture_log', 'share', 'stage', 'mark',
      'flow', 'flow_edition', 'talk', 'story', 'agent_token',
      'replica', 'lease', 'letter', 'sample_task', 'sample_ticket')
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER %I TYPE text COLLATE "C"', c.table_name, c.column_name);
  END LOOP;
END $$;

-- How much is stored. A row counts with its texts and bytes and a fixed number for
-- the rest of it, its indexes and the rows that belong to it, such as the marks of a
-- stage.
ALTER TABLE event ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (64 + octet_length(data) + coalesce(octet_length(timing), 0)
   + coalesce(octet_length(sealed), 0)) STORED;
ALTER TABLE exchange ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(search) + octet_length(summary) + octet_length(name) + octet_length(url)
   + octet_length(header) + octet_length(capabilities) + octet_length(params)
   + coalesce(octet_length(tool), 0) + coalesce(octet_length(sealed), 0)) STORED;
ALTER TABLE target ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(name) + octet_length(url) + octet_length(header)
   + octet_length(capabilities) + octet_length(server_name) + coalesce(octet_length(sealed), 0)) STORED;
ALTER TABLE capture ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(token) + octet_length(name) + octet_length(url)) STORED;
ALTER TABLE session ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (CASE kind WHEN 'demo' THEN 1280 ELSE 256 END + octet_length(title) + octet_length(note)
   + octet_length(search)) STORED;
ALTER TABLE share ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(title) + octet_length(data) + octet_length(image)) STORED;
ALTER TABLE saved_call ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(title) + octet_length(name) + octet_length(arguments)
   + octet_length(omitted)) STORED;
ALTER TABLE story ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(title) + octet_length(text)) STORED;
ALTER TABLE agent_token ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(title)) STORED;
ALTER TABLE sign_in ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(record) + octet_length(sealed)) STORED;
ALTER TABLE token ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(url) + octet_length(sealed)) STORED;
ALTER TABLE registration ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(issuer) + octet_length(sealed)) STORED;
ALTER TABLE workbench ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(sealed)) STORED;
ALTER TABLE flow ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (256 + octet_length(token) + octet_length(text) + octet_length(draft)) STORED;
ALTER TABLE flow_edition ADD COLUMN bytes bigint GENERATED ALWAYS AS
  (64 + octet_length(text)) STORED;

-- A row of a log counts for the log.
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
CREATE FUNCTION count_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log SET bytes = bytes + NEW.bytes - coalesce(OLD.bytes, 0) WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER exchange_added AFTER INSERT ON exchange FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER exchange_changed AFTER UPDATE ON exchange
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_head();
CREATE TRIGGER target_added AFTER INSERT ON target FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER target_changed AFTER UPDATE ON target
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_head();
CREATE TRIGGER capture_added AFTER INSERT ON capture FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER capture_changed AFTER UPDATE ON capture
  FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_head();

-- A log counts for its workspace, and what is added to it for its payer: at the
-- commit, because many change the rows of a payer, and of the total, at once.
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

-- A statement may delete many rows, which are counted at once: each version of the row
-- of a workspace in one transaction makes the next one slower.
CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace w SET bytes = w.bytes - d.bytes
    FROM (SELECT workspace, sum(bytes) AS bytes FROM deleted GROUP BY workspace) d
    WHERE w.id = d.workspace;
  RETURN NULL;
END $$;
CREATE TRIGGER log_deleted AFTER DELETE ON log REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();

-- What an address stores counts for its network.
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

-- Every other row counts for its workspace. Who pays for it is not in the row: the
-- function charge adds it.
CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET bytes = bytes + NEW.bytes - coalesce(OLD.bytes, 0) WHERE id = NEW.workspace;
  RETURN NULL;
END $$;
DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY
    ARRAY['session', 'share', 'saved_call', 'sign_in', 'token', 'registration', 'workbench',
      'flow', 'flow_edition', 'story', 'agent_token']
  LOOP
    EXECUTE format('CREATE TRIGGER %1$s_added AFTER INSERT ON %1$s
      FOR EACH ROW EXECUTE FUNCTION count_row()', t);
    EXECUTE format('CREATE TRIGGER %1$s_changed AFTER UPDATE ON %1$s
      FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION count_row()', t);
    EXECUTE format('CREATE TRIGGER %1$s_deleted AFTER DELETE ON %1$s REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()', t);
  END LOOP;
END $$;
CREATE FUNCTION count_roots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.bytes := NEW.bytes + octet_length(NEW.roots) - octet_length(OLD.roots);
  RETURN NEW;
END $$;
CREATE TRIGGER roots_changed BEFORE UPDATE OF roots ON workspace FOR EACH ROW EXECUTE FUNCTION count_roots();

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
