-- A file of version 11, as the program left it that upgraded version10.sql.
PRAGMA foreign_keys = OFF;
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
INSERT INTO "event" VALUES('x-first',1,1795165200123456,0,'decision',1,X'7B22616374696F6E223A227374617274222C22726F756E64223A312C22636F7079223A2261227D',NULL,NULL);
INSERT INTO "event" VALUES('x-first',2,1795165200123456,1,'sent',NULL,X'504F5354202F6D63702F617A7572652D6465766F70733F636F706965733D613A76312C623A7632266E6578743D6120485454502F312E310D0A0D0A7B226A736F6E727063223A22322E30222C226964223A312C226D6574686F64223A22746F6F6C732F63616C6C227D00FF',NULL,X'010203');
INSERT INTO "event" VALUES('x-first',3,1795165201123456,1,'received',NULL,X'485454502F312E3120323030204F4B0D0A436F6E74656E742D547970653A206170706C69636174696F6E2F6A736F6E0D0A4D63702D53616D706C652D436F70793A20612F76310D0A0D0A7B226A736F6E727063223A22322E30222C226964223A312C22726573756C74223A7B22726573756C7454797065223A22696E7075745F7265717569726564222C22696E7075745265717565737473223A7B2272223A7B226D6574686F64223A22656C696369746174696F6E2F637265617465222C22706172616D73223A7B226D657373616765223A2257C3A4686C652065696E65204CC39653554E47222C226D6F6465223A22666F726D222C22726571756573746564536368656D61223A7B2274797065223A226F626A656374222C2270726F70657274696573223A7B7D7D7D7D7D7D7D','{"DNS":0,"Connect":0,"TLS":0,"FirstByte":0,"Total":0}',NULL);
INSERT INTO "event" VALUES('x-branch',1,1795165200123456,0,'decision',2,X'7B22616374696F6E223A22616E73776572222C22726F756E64223A322C22636F7079223A2262222C226578706572696D656E74223A22666C69702D62797465222C226368616E676564223A747275657D',NULL,NULL);
INSERT INTO "event" VALUES('x-branch',2,1795165200123456,1,'failed',NULL,X'7B22636C617373223A227265736574227D',NULL,NULL);
INSERT INTO "event" VALUES('t-foreign',1,1795165200123456,1,'sent',NULL,X'504F5354202F20485454502F312E310D0A0D0A',NULL,NULL);
INSERT INTO "event" VALUES('x-check',1,1795165200123456,0,'decision',1,X'7B22616374696F6E223A227374617274222C22726F756E64223A317D',NULL,NULL);
INSERT INTO "event" VALUES('x-check',2,1795344388493718,0,'interrupted',NULL,X'',NULL,NULL);
INSERT INTO "event" VALUES('t-own',1,1795344388511861,0,'interrupted',NULL,X'',NULL,NULL);
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
) STRICT;
INSERT INTO "exchange" VALUES('x-first','s-first',1795165200123456,NULL,NULL,'waiting',1,0,0,'','workItemId: 4522, title: Übergabe','azure devops (sample) tools/call name update_work_item arguments workitemid 4522 title übergabe  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b wähle eine lösung','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7B226E616D65223A20227570646174655F776F726B5F6974656D222C2022617267756D656E7473223A207B22776F726B4974656D4964223A20343532322C20227469746C65223A20225C753030646362657267616265227D7D',X'7B226E616D65223A227570646174655F776F726B5F6974656D227D',90000,NULL);
INSERT INTO "exchange" VALUES('x-branch','s-first',1795165202123456,'x-first',1,'failed',2,0,0,'flip-byte','workItemId: 4522, title: Übergabe','azure devops (sample) tools/call name update_work_item arguments workitemid 4522 title übergabe  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7B226E616D65223A20227570646174655F776F726B5F6974656D222C2022617267756D656E7473223A207B22776F726B4974656D4964223A20343532322C20227469746C65223A20225C753030646362657267616265227D7D',X'7B226E616D65223A227570646174655F776F726B5F6974656D227D',90000,NULL);
INSERT INTO "exchange" VALUES('x-check','s-check',1795165200123456,NULL,NULL,'interrupted',1,0,0,'','text: x','example.com tools/call name print arguments text x  https://example.com/mcp/print?copies=2','t-foreign','','example.com','https://example.com/mcp/print?copies=2','null','{}','tools/call',X'7B226E616D65223A227072696E74222C22617267756D656E7473223A7B2274657874223A2278227D7D',X'7B226E616D65223A227570646174655F776F726B5F6974656D227D',90000,X'07');
INSERT INTO "exchange" VALUES('x-own','s-demo',1795165200123456,NULL,NULL,'ready',0,0,0,'','','azure devops (sample) tools/call name update_work_item arguments  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7B226E616D65223A227570646174655F776F726B5F6974656D222C22617267756D656E7473223A7B7D7D',X'7B226E616D65223A227570646174655F776F726B5F6974656D227D',90000,NULL);
INSERT INTO "exchange" VALUES('x-legacy','s-demo',1795165200123456,NULL,NULL,'ready',0,0,0,'','','azure devops (sample) tools/call name update_work_item arguments  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7B226E616D65223A227570646174655F776F726B5F6974656D222C22617267756D656E7473223A7B7D7D',X'7B226E616D65223A227570646174655F776F726B5F6974656D227D',90000,NULL);
INSERT INTO "exchange" VALUES('x-alone','s-alone',1795165200123456,NULL,NULL,'ready',0,0,0,'','','azure devops (sample) tools/call name update_work_item  http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','azure-devops','azure-devops','Azure DevOps (sample)','http://127.0.0.1:2322/mcp/azure-devops?instances=a:v1,b:v2&next=b','[{"Name":"X-Tenant","Value":"copies=1"}]','{"elicitation": {}}','tools/call',X'7B226E616D65223A227570646174655F776F726B5F6974656D227D',X'7B226E616D65223A227570646174655F776F726B5F6974656D227D',90000,NULL);
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO "goose_db_version" VALUES(1,0,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(2,1,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(3,2,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(4,3,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(5,4,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(6,5,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(7,6,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(8,7,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(9,8,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(10,9,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(11,10,1,'2026-11-22 02:14:39');
INSERT INTO "goose_db_version" VALUES(12,11,1,'2026-11-22 10:46:28');
CREATE TABLE log (
  id TEXT PRIMARY KEY  -- of the exchange or target
) STRICT;
INSERT INTO "log" VALUES('x-first');
INSERT INTO "log" VALUES('x-branch');
INSERT INTO "log" VALUES('t-own');
INSERT INTO "log" VALUES('t-foreign');
INSERT INTO "log" VALUES('x-check');
INSERT INTO "log" VALUES('x-own');
INSERT INTO "log" VALUES('x-legacy');
INSERT INTO "log" VALUES('x-alone');
CREATE TABLE mark (
  session   TEXT    NOT NULL   -- the stage
                    REFERENCES stage (session) ON DELETE CASCADE,
  step      INTEGER NOT NULL,  -- from 1
  instances TEXT    NOT NULL,  -- the instances behind the load balancer at this step: a:v1,b:dead
  next      TEXT    NOT NULL,  -- the instance that the next request goes to; '' when the balancer chooses
  rounds    INTEGER NOT NULL,  -- how many Rounds of the story's exchange belong to the steps up to this one
  PRIMARY KEY (session, step)
) STRICT;
INSERT INTO "mark" VALUES('s-demo',1,'a:v1,b:v1','',1);
INSERT INTO "mark" VALUES('s-demo',2,'a:v1,b:dead','b',2);
INSERT INTO "mark" VALUES('s-alone',1,'a:v1','',1);
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
INSERT INTO "session" VALUES('s-first','w-1','exchange','Übung EINS','100% geprüft','übung eins
100% geprüft',1,0,1795165200123456,1795165203123456);
INSERT INTO "session" VALUES('s-check','w-1','check','Check of print','','check of print
',0,0,1795165200123456,1795344388493760);
INSERT INTO "session" VALUES('s-demo','w-2','demo','Azure DevOps (demo)','','azure devops (demo)
',0,0,1795165200123456,1795165260123456);
INSERT INTO "session" VALUES('s-alone','w-2','demo','Rolling upgrade (demo)','','rolling upgrade (demo)
',0,0,1795165200123456,1795165200123456);
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
INSERT INTO "share" VALUES(X'F98103E9217F099208569D295C1B276F1821348636C268C854BB2A086E0037CD','TOKEN','w-1','s-first','Übung EINS',1795165200123456,1827565200123456,1,X'7B2275726C223A22687474703A2F2F3132372E302E302E313A323332322F6D63702F617A7572652D6465766F70733F636F706965733D613A7631227D',X'89504E47');
CREATE TABLE stage (
  session TEXT PRIMARY KEY  -- the session of its exchanges
               REFERENCES session (id) ON DELETE CASCADE,
  story   TEXT NOT NULL,    -- slug of the demo.Story
  own     TEXT NOT NULL     -- the exchange of the story
               REFERENCES exchange (id) ON DELETE CASCADE,
  legacy  TEXT              -- the same call of a server before MRTR; NULL until it is shown
               REFERENCES exchange (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;
INSERT INTO "stage" VALUES('s-demo','azure-devops','x-own','x-legacy');
INSERT INTO "stage" VALUES('s-alone','rolling-upgrade','x-alone',NULL);
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
INSERT INTO "target" VALUES('t-own','w-1','localhost:2322','http://localhost:2322/mcp/voucher?state=plain&instances=a:v1','null','{}',NULL,0,'failed','',1795165200123456);
INSERT INTO "target" VALUES('t-foreign','w-1','example.com','https://example.com/mcp/print?copies=2','[{"Name":"Authorization","Value":"Bearer ****"}]','{"sampling":{}}',X'0908',1,'connected','Druckerei Groß',1795165200123456);
CREATE TABLE workspace (
  id      TEXT    PRIMARY KEY,           -- random; in local mode always the same
  created INTEGER NOT NULL,              -- when it got its row
  seen    INTEGER NOT NULL,              -- last visit of the owner, to the day
  roots   TEXT    NOT NULL DEFAULT '[]'  -- JSON array: the answer to roots/list to offer next time
) STRICT;
INSERT INTO "workspace" VALUES('w-1',1795165200123456,1795251600123456,'[]');
INSERT INTO "workspace" VALUES('w-2',1795165200123456,1795165200123456,'[]');
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('goose_db_version',12);
COMMIT;
