-- A file of version 14, as the program left it that upgraded version13.sql.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
INSERT INTO event VALUES('x-first',1,1795165200123456,0,'decision',1,X'7b22616374696f6e223a227374617274222c22726f756e64223a312c22636f7079223a2261227d',NULL,NULL);
INSERT INTO event VALUES('x-first',2,1795165200123456,1,'sent',NULL,X'504f5354202f6d63702f617a7572652d6465766f70733f636f706965733d613a76312c623a7632266e6578743d6120485454502f312e310d0a0d0a7b226a736f6e727063223a22322e30222c226964223a312c226d6574686f64223a22746f6f6c732f63616c6c227d00ff',NULL,X'010203');
INSERT INTO event VALUES('x-first',3,1795165201123456,1,'received',NULL,X'485454502f312e3120323030204f4b0d0a436f6e74656e742d547970653a206170706c69636174696f6e2f6a736f6e0d0a4d63702d53616d706c652d436f70793a20612f76310d0a0d0a7b226a736f6e727063223a22322e30222c226964223a312c22726573756c74223a7b22726573756c7454797065223a22696e7075745f7265717569726564222c22696e7075745265717565737473223a7b2272223a7b226d6574686f64223a22656c696369746174696f6e2f637265617465222c22706172616d73223a7b226d657373616765223a2257c3a4686c652065696e65204cc39653554e47222c226d6f6465223a22666f726d222c22726571756573746564536368656d61223a7b2274797065223a226f626a656374222c2270726f70657274696573223a7b7d7d7d7d7d7d7d','{"DNS":0,"Connect":0,"TLS":0,"FirstByte":0,"Total":0}',NULL);
INSERT INTO event VALUES('x-branch',1,1795165200123456,0,'decision',2,X'7b22616374696f6e223a22616e73776572222c22726f756e64223a322c22636f7079223a2262222c226578706572696d656e74223a22666c69702d62797465222c226368616e676564223a747275657d',NULL,NULL);
INSERT INTO event VALUES('x-branch',2,1795165200123456,1,'failed',NULL,X'7b22636c617373223a227265736574227d',NULL,NULL);
INSERT INTO event VALUES('t-foreign',1,1795165200123456,1,'sent',NULL,X'504f5354202f20485454502f312e310d0a0d0a',NULL,NULL);
INSERT INTO event VALUES('x-check',1,1795165200123456,0,'decision',1,X'7b22616374696f6e223a227374617274222c22726f756e64223a317d',NULL,NULL);
INSERT INTO event VALUES('x-check',2,1795344388493718,0,'interrupted',NULL,X'',NULL,NULL);
INSERT INTO event VALUES('t-own',1,1795344388511861,0,'interrupted',NULL,X'',NULL,NULL);
INSERT INTO event VALUES('x-first',4,1795344388493718,2,'interrupted',NULL,X'',NULL,NULL);
INSERT INTO event VALUES('x-check',3,1795344388493718,2,'interrupted',NULL,X'',NULL,NULL);
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
  held         INTEGER NOT NULL DEFAULT 0,   -- 1 while it has a request, task or open call that a stop ends
  tool_error   INTEGER NOT NULL DEFAULT 0,   -- 1 when it is complete and its tool reports an error
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
  sealed       BLOB                          -- url, header and params before masking, as event.sealed
, looked INTEGER NOT NULL DEFAULT 0, answers TEXT NOT NULL DEFAULT '', result TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO exchange VALUES('x-first','s-first',1795165200123456,NULL,NULL,'interrupted',0,0,0,'','workItemId: 4522, title: Übergabe','azure devops (sample) tools/call name update_work_item arguments workitemid 4522 title übergabe  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b wähle eine lösung','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7b226e616d65223a20227570646174655f776f726b5f6974656d222c2022617267756d656e7473223a207b22776f726b4974656d4964223a20343532322c20227469746c65223a20225c753030646362657267616265227d7d',X'7b226e616d65223a227570646174655f776f726b5f6974656d227d',90000,NULL,0,'','');
INSERT INTO exchange VALUES('x-branch','s-first',1795165202123456,'x-first',1,'failed',2,0,0,'flip-byte','workItemId: 4522, title: Übergabe','azure devops (sample) tools/call name update_work_item arguments workitemid 4522 title übergabe  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7b226e616d65223a20227570646174655f776f726b5f6974656d222c2022617267756d656e7473223a207b22776f726b4974656d4964223a20343532322c20227469746c65223a20225c753030646362657267616265227d7d',X'7b226e616d65223a227570646174655f776f726b5f6974656d227d',90000,NULL,0,'','');
INSERT INTO exchange VALUES('x-check','s-check',1795165200123456,NULL,NULL,'interrupted',0,0,0,'','text: x','example.com tools/call name print arguments text x  https://example.com/mcp/print?copies=2','t-foreign','','example.com','https://example.com/mcp/print?copies=2','null','{}','tools/call',X'7b226e616d65223a227072696e74222c22617267756d656e7473223a7b2274657874223a2278227d7d',X'7b226e616d65223a227570646174655f776f726b5f6974656d227d',90000,X'07',0,'','');
INSERT INTO exchange VALUES('x-own','s-demo',1795165200123456,NULL,NULL,'ready',0,0,0,'','','azure devops (sample) tools/call name update_work_item arguments  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7b226e616d65223a227570646174655f776f726b5f6974656d222c22617267756d656e7473223a7b7d7d',X'7b226e616d65223a227570646174655f776f726b5f6974656d227d',90000,NULL,0,'','');
INSERT INTO exchange VALUES('x-legacy','s-demo',1795165200123456,NULL,NULL,'ready',0,0,0,'','','azure devops (sample) tools/call name update_work_item arguments  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7b226e616d65223a227570646174655f776f726b5f6974656d222c22617267756d656e7473223a7b7d7d',X'7b226e616d65223a227570646174655f776f726b5f6974656d227d',90000,NULL,0,'','');
INSERT INTO exchange VALUES('x-alone','s-alone',1795165200123456,NULL,NULL,'ready',0,0,0,'','','azure devops (sample) tools/call name update_work_item  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7b226e616d65223a227570646174655f776f726b5f6974656d227d',X'7b226e616d65223a227570646174655f776f726b5f6974656d227d',90000,NULL,0,'','');
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO goose_db_version VALUES(1,0,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(2,1,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(3,2,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(4,3,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(5,4,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(6,5,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(7,6,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(8,7,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(9,8,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(10,9,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(11,10,1,'2026-11-22 02:14:39');
INSERT INTO goose_db_version VALUES(12,11,1,'2026-11-22 10:46:28');
INSERT INTO goose_db_version VALUES(13,12,1,'2026-11-22 12:51:45');
INSERT INTO goose_db_version VALUES(14,13,1,'2026-11-22 17:36:43');
INSERT INTO goose_db_version VALUES(15,14,1,'2026-11-22 19:44:19');
CREATE TABLE log (
  id TEXT PRIMARY KEY  -- of the exchange or target
, workspace TEXT NOT NULL DEFAULT '', payer INTEGER, bytes INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO log VALUES('x-first','w-1',1,1494);
INSERT INTO log VALUES('x-branch','w-1',NULL,939);
INSERT INTO log VALUES('t-own','w-1',NULL,400);
INSERT INTO log VALUES('t-foreign','w-1',NULL,468);
INSERT INTO log VALUES('x-check','w-1',2,697);
INSERT INTO log VALUES('x-own','w-2',NULL,601);
INSERT INTO log VALUES('x-legacy','w-2',NULL,601);
INSERT INTO log VALUES('x-alone','w-2',NULL,576);
CREATE TABLE mark (
  session   TEXT    NOT NULL   -- the stage
                    REFERENCES stage (session) ON DELETE CASCADE,
  step      INTEGER NOT NULL,  -- from 1
  instances TEXT    NOT NULL,  -- the instances behind the load balancer at this step: a:v1,b:dead
  next      TEXT    NOT NULL,  -- the instance that the next request goes to; '' when the balancer chooses
  rounds    INTEGER NOT NULL,  -- how many Rounds of the story's exchange belong to the steps up to this one
  PRIMARY KEY (session, step)
) STRICT;
INSERT INTO mark VALUES('s-demo',1,'a:v1,b:v1','',1);
INSERT INTO mark VALUES('s-demo',2,'a:v1,b:dead','b',2);
INSERT INTO mark VALUES('s-alone',1,'a:v1','',1);
CREATE TABLE session (
  id        TEXT    PRIMARY KEY,          -- random
  workspace TEXT    NOT NULL              -- its owner
                    REFERENCES workspace (id),
  kind      TEXT    NOT NULL,             -- a session.Kind: exchange, check or demo
  title     TEXT    NOT NULL,             -- made from the first call, edited by the user
  note      TEXT    NOT NULL DEFAULT '',  -- written by the user
  search    TEXT    NOT NULL,             -- title and note, normalised for searching
  pinned    INTEGER NOT NULL DEFAULT 0,   -- 1 when it stays at the head of the history
  imported  INTEGER NOT NULL DEFAULT 0,   -- 1 when it came from a file or a link
  created   INTEGER NOT NULL,             -- when its first exchange was made
  changed   INTEGER NOT NULL              -- time of the newest event or step; editing does not count
) STRICT;
INSERT INTO session VALUES('s-first','w-1','exchange','Übung EINS','100% geprüft',replace('übung eins\n100% geprüft','\n',char(10)),1,0,1795165200123456,1795344388493718);
INSERT INTO session VALUES('s-check','w-1','check','Check of print','',replace('check of print\n','\n',char(10)),0,0,1795165200123456,1795344388493760);
INSERT INTO session VALUES('s-demo','w-2','demo','Azure DevOps (demo)','',replace('azure devops (demo)\n','\n',char(10)),0,0,1795165200123456,1795165260123456);
INSERT INTO session VALUES('s-alone','w-2','demo','Rolling upgrade (demo)','',replace('rolling upgrade (demo)\n','\n',char(10)),0,0,1795165200123456,1795165200123456);
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
  image     BLOB    NOT NULL               -- its preview: PNG
) STRICT;
INSERT INTO share VALUES(X'f98103e9217f099208569d295c1b276f1821348636c268c854bb2a086e0037cd','TOKEN','w-1','s-first','Übung EINS',1795165200123456,1827565200123456,1,X'7b2275726c223a22687474703a2f2f3132372e302e302e313a323332322f6d63702f617a7572652d6465766f70733f636f706965733d613a7631227d',X'89504e47');
CREATE TABLE stage (
  session TEXT PRIMARY KEY  -- the session of its exchanges
               REFERENCES session (id) ON DELETE CASCADE,
  story   TEXT NOT NULL,    -- slug of the demo.Story
  own     TEXT NOT NULL     -- the exchange of the story
               REFERENCES exchange (id) ON DELETE CASCADE,
  legacy  TEXT              -- the same call of a server before MRTR; NULL until it is shown
               REFERENCES exchange (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;
INSERT INTO stage VALUES('s-demo','azure-devops','x-own','x-legacy');
INSERT INTO stage VALUES('s-alone','rolling-upgrade','x-alone',NULL);
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
  mine         INTEGER NOT NULL DEFAULT 0,   -- 1 once the user states that the server is theirs
  status       TEXT    NOT NULL,             -- summary of the log: connecting, connected or failed
  server_name  TEXT    NOT NULL DEFAULT '',  -- summary of the log: what the server calls itself, or ''
  created      INTEGER NOT NULL              -- when the user added it
) STRICT;
INSERT INTO target VALUES('t-own','w-1','localhost:2322','http://localhost:2322/mcp/voucher?state=plain&instances=a:v1','null','{}',NULL,0,'failed','',1795165200123456);
INSERT INTO target VALUES('t-foreign','w-1','example.com','https://example.com/mcp/print?copies=2','[{"Name":"Authorization","Value":"Bearer ****"}]','{"sampling":{}}',X'0908',1,'connected','Druckerei Groß',1795165200123456);
CREATE TABLE workspace (
  id      TEXT    PRIMARY KEY,           -- random; in local mode always the same
  created INTEGER NOT NULL,              -- when it got its row
  seen    INTEGER NOT NULL,              -- last visit of the owner, to the day
  roots   TEXT    NOT NULL DEFAULT '[]'  -- JSON array: the answer to roots/list to offer next time
, bytes INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO workspace VALUES('w-1',1795165200123456,1795251600123456,'[]',4919);
INSERT INTO workspace VALUES('w-2',1795165200123456,1795165200123456,'[]',4422);
CREATE TABLE day (
  day  INTEGER PRIMARY KEY,  -- days since 1970, UTC
  salt BLOB    NOT NULL      -- of the hashes of addresses on this day
) STRICT;
CREATE TABLE payer (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: logs keep it
  day   INTEGER NOT NULL                    -- when it stored
                REFERENCES day (day) ON DELETE CASCADE,
  hash  TEXT    NOT NULL,                   -- usage.Hash of the address with the salt of the day
  bytes INTEGER NOT NULL DEFAULT 0, network TEXT NOT NULL DEFAULT '',         -- stored by it that day; deleting does not lower it
  UNIQUE (day, hash)
) STRICT;
CREATE TABLE block (
  kind TEXT    NOT NULL,  -- workspace or address
  id   TEXT    NOT NULL,  -- of the workspace, or the hash of the address
  salt BLOB,              -- that the hash was made with, which outlives its day here; NULL for a workspace
  at   INTEGER NOT NULL,  -- when it was made
  PRIMARY KEY (kind, id)
) STRICT;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('goose_db_version',15);
INSERT INTO sqlite_sequence VALUES('payer',2);
CREATE INDEX workspace_seen ON workspace (seen);
CREATE UNIQUE INDEX event_opens_round_once ON event (log, round) WHERE round IS NOT NULL;
CREATE INDEX target_of_workspace ON target (workspace, created);
CREATE INDEX session_listed ON session (workspace, pinned, changed, id);
CREATE INDEX exchange_of_session ON exchange (session, created);
CREATE INDEX exchange_of_parent ON exchange (parent) WHERE parent IS NOT NULL;
CREATE INDEX exchange_held ON exchange (held) WHERE held = 1;
CREATE INDEX share_of_workspace ON share (workspace, created);
CREATE INDEX share_of_session ON share (session);
CREATE INDEX share_expires ON share (expires);
CREATE INDEX stage_own ON stage (own);
CREATE INDEX stage_legacy ON stage (legacy) WHERE legacy IS NOT NULL;
CREATE TRIGGER event_added AFTER INSERT ON event BEGIN
  UPDATE log SET bytes = bytes + 64 + length(new.data)
    + coalesce(octet_length(new.timing), 0) + coalesce(length(new.sealed), 0)
    WHERE id = new.log;
END;
CREATE TRIGGER event_changed AFTER UPDATE OF data, timing, sealed ON event BEGIN
  UPDATE log SET bytes = bytes + length(new.data) - length(old.data)
    + coalesce(octet_length(new.timing), 0) - coalesce(octet_length(old.timing), 0)
    + coalesce(length(new.sealed), 0) - coalesce(length(old.sealed), 0)
    WHERE id = new.log;
END;
CREATE TRIGGER exchange_added AFTER INSERT ON exchange BEGIN
  UPDATE log SET bytes = bytes + 256 + octet_length(new.search) + octet_length(new.summary)
    + octet_length(new.name) + octet_length(new.url) + octet_length(new.header)
    + octet_length(new.capabilities) + length(new.params)
    + coalesce(length(new.tool), 0) + coalesce(length(new.sealed), 0)
    WHERE id = new.id;
END;
CREATE TRIGGER exchange_changed AFTER UPDATE OF search, sealed ON exchange
  WHEN octet_length(new.search) <> octet_length(old.search) OR length(new.sealed) IS NOT length(old.sealed)
BEGIN
  UPDATE log SET bytes = bytes + octet_length(new.search) - octet_length(old.search)
    + coalesce(length(new.sealed), 0) - coalesce(length(old.sealed), 0)
    WHERE id = new.id;
END;
CREATE TRIGGER target_added AFTER INSERT ON target BEGIN
  UPDATE log SET bytes = bytes + 256 + octet_length(new.name) + octet_length(new.url)
    + octet_length(new.header) + octet_length(new.capabilities) + coalesce(length(new.sealed), 0)
    + octet_length(new.server_name) WHERE id = new.id;
END;
CREATE TRIGGER target_changed
  AFTER UPDATE OF name, url, header, capabilities, sealed, server_name ON target
BEGIN
  UPDATE log SET bytes = bytes + octet_length(new.name) - octet_length(old.name)
    + octet_length(new.url) - octet_length(old.url) + octet_length(new.header) - octet_length(old.header)
    + octet_length(new.capabilities) - octet_length(old.capabilities)
    + coalesce(length(new.sealed), 0) - coalesce(length(old.sealed), 0)
    + octet_length(new.server_name) - octet_length(old.server_name)
    WHERE id = new.id;
END;
CREATE TRIGGER roots_changed AFTER UPDATE OF roots ON workspace BEGIN
  UPDATE workspace SET bytes = bytes + octet_length(new.roots) - octet_length(old.roots) WHERE id = new.id;
END;
CREATE TRIGGER log_changed AFTER UPDATE OF bytes ON log BEGIN
  UPDATE workspace SET bytes = bytes + new.bytes - old.bytes WHERE id = new.workspace;
  UPDATE payer SET bytes = bytes + max(0, new.bytes - old.bytes) WHERE id = new.payer;
END;
CREATE TRIGGER log_deleted AFTER DELETE ON log BEGIN
  UPDATE workspace SET bytes = bytes - old.bytes WHERE id = old.workspace;
END;
CREATE TRIGGER session_added AFTER INSERT ON session BEGIN
  UPDATE workspace SET bytes = bytes + iif(new.kind = 'demo', 1280, 256)
    + octet_length(new.title) + octet_length(new.note) + octet_length(new.search)
    WHERE id = new.workspace;
END;
CREATE TRIGGER session_changed AFTER UPDATE OF title, note, search ON session BEGIN
  UPDATE workspace SET bytes = bytes + octet_length(new.title) - octet_length(old.title)
    + octet_length(new.note) - octet_length(old.note) + octet_length(new.search) - octet_length(old.search)
    WHERE id = new.workspace;
END;
CREATE TRIGGER session_deleted AFTER DELETE ON session BEGIN
  UPDATE workspace SET bytes = bytes - iif(old.kind = 'demo', 1280, 256)
    - octet_length(old.title) - octet_length(old.note) - octet_length(old.search)
    WHERE id = old.workspace;
END;
CREATE TRIGGER share_added AFTER INSERT ON share BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.title) + length(new.data) + length(new.image)
    WHERE id = new.workspace;
END;
CREATE TRIGGER share_deleted AFTER DELETE ON share BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.title) - length(old.data) - length(old.image)
    WHERE id = old.workspace;
END;
CREATE TRIGGER payer_charged AFTER UPDATE OF bytes, network ON payer WHEN new.network <> '' BEGIN
  INSERT INTO payer (day, hash, bytes)
    VALUES (new.day, new.network, new.bytes - iif(new.network = old.network, old.bytes, 0))
    ON CONFLICT (day, hash) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
COMMIT;
