-- A file of version 22 with every kind of row.
BEGIN;
CREATE TABLE goose_db_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version_id INTEGER NOT NULL,
  is_applied INTEGER NOT NULL,
  tstamp TIMESTAMP DEFAULT (datetime('now'))
  );
CREATE TABLE workspace (
  id      TEXT    PRIMARY KEY,
  created INTEGER NOT NULL,
  seen    INTEGER NOT NULL,
  roots   TEXT    NOT NULL DEFAULT '[]',
  bytes   INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE day (
  day  INTEGER PRIMARY KEY,
  salt BLOB    NOT NULL
  ) STRICT;
CREATE TABLE payer (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  day     INTEGER NOT NULL
  REFERENCES day (day) ON DELETE CASCADE,
  hash    TEXT    NOT NULL,
  bytes   INTEGER NOT NULL DEFAULT 0,
  network TEXT    NOT NULL DEFAULT '',
  UNIQUE (day, hash)
  ) STRICT;
CREATE TABLE block (
  kind TEXT    NOT NULL,
  id   TEXT    NOT NULL,
  salt BLOB,
  at   INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
  ) STRICT;
CREATE TABLE log (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL DEFAULT '',
  payer     INTEGER,
  bytes     INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE event (
  log    TEXT    NOT NULL
  REFERENCES log (id) ON DELETE CASCADE,
  seq    INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  conn   INTEGER NOT NULL,
  kind   TEXT    NOT NULL,
  round  INTEGER,
  data   BLOB    NOT NULL,
  timing TEXT,
  sealed BLOB,
  PRIMARY KEY (log, seq)
  ) STRICT;
CREATE TABLE target (
  id           TEXT    PRIMARY KEY
  REFERENCES log (id) ON DELETE CASCADE,
  workspace    TEXT    NOT NULL
  REFERENCES workspace (id),
  name         TEXT    NOT NULL,
  url          TEXT    NOT NULL,
  header       TEXT    NOT NULL,
  capabilities TEXT    NOT NULL,
  sealed       BLOB,
  mine         INTEGER NOT NULL DEFAULT 0,
  status       TEXT    NOT NULL,
  server_name  TEXT    NOT NULL DEFAULT '',
  created      INTEGER NOT NULL
  ) STRICT;
CREATE TABLE certificate (
  target TEXT    PRIMARY KEY
  REFERENCES target (id) ON DELETE CASCADE,
  origin TEXT    NOT NULL,
  sha256 TEXT    NOT NULL,
  der    BLOB    NOT NULL,
  added  INTEGER NOT NULL
  ) STRICT;
CREATE TABLE sign_in (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL
  REFERENCES workspace (id) ON DELETE CASCADE,
  target    TEXT    NOT NULL,
  exchange  TEXT    NOT NULL,
  stage     TEXT    NOT NULL,
  record    TEXT    NOT NULL,
  sealed    BLOB    NOT NULL,
  created   INTEGER NOT NULL
  ) STRICT;
CREATE TABLE token (
  workspace TEXT    NOT NULL
  REFERENCES workspace (id) ON DELETE CASCADE,
  target    TEXT    NOT NULL,
  url       TEXT    NOT NULL,
  sign_in   TEXT    NOT NULL,
  sealed    BLOB    NOT NULL,
  added     INTEGER NOT NULL,
  PRIMARY KEY (workspace, target)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE registration (
  workspace TEXT    NOT NULL
  REFERENCES workspace (id) ON DELETE CASCADE,
  issuer    TEXT    NOT NULL,
  sealed    BLOB    NOT NULL,
  added     INTEGER NOT NULL,
  PRIMARY KEY (workspace, issuer)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE workbench (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL
  REFERENCES workspace (id) ON DELETE CASCADE,
  sealed    BLOB    NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER NOT NULL
  ) STRICT;
CREATE TABLE session (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL
  REFERENCES workspace (id),
  kind      TEXT    NOT NULL,
  title     TEXT    NOT NULL,
  note      TEXT    NOT NULL DEFAULT '',
  search    TEXT    NOT NULL,
  pinned    INTEGER NOT NULL DEFAULT 0,
  imported  INTEGER NOT NULL DEFAULT 0,
  created   INTEGER NOT NULL,
  changed   INTEGER NOT NULL,
  called    TEXT    NOT NULL DEFAULT '',
  indexed   INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE saved_call (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL
  REFERENCES workspace (id) ON DELETE CASCADE,
  title     TEXT    NOT NULL,
  target    TEXT    NOT NULL,
  kind      TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  arguments TEXT    NOT NULL,
  omitted   TEXT    NOT NULL,
  level     TEXT    NOT NULL,
  wait      TEXT    NOT NULL,
  created   INTEGER NOT NULL
  ) STRICT;
CREATE TABLE exchange (
  id           TEXT    PRIMARY KEY
  REFERENCES log (id) ON DELETE CASCADE,
  session      TEXT    NOT NULL
  REFERENCES session (id) ON DELETE CASCADE,
  created      INTEGER NOT NULL,
  parent       TEXT
  REFERENCES exchange (id),
  parent_round INTEGER,
  status       TEXT    NOT NULL,
  rounds       INTEGER NOT NULL DEFAULT 0,
  held         INTEGER NOT NULL DEFAULT 0,
  tool_error   INTEGER NOT NULL DEFAULT 0,
  experiment   TEXT    NOT NULL DEFAULT '',
  summary      TEXT    NOT NULL DEFAULT '',
  search       TEXT    NOT NULL,
  target       TEXT    NOT NULL,
  sample       TEXT    NOT NULL,
  name         TEXT    NOT NULL,
  url          TEXT    NOT NULL,
  header       TEXT    NOT NULL,
  capabilities TEXT    NOT NULL,
  method       TEXT    NOT NULL,
  params       BLOB    NOT NULL,
  tool         BLOB,
  wait         INTEGER NOT NULL DEFAULT 0,
  sealed       BLOB,
  looked       INTEGER NOT NULL DEFAULT 0,
  answers      TEXT    NOT NULL DEFAULT '',
  result       TEXT    NOT NULL DEFAULT ''
  ) STRICT;
CREATE TABLE vocabulary (
  id        INTEGER PRIMARY KEY,
  workspace TEXT    NOT NULL UNIQUE
  REFERENCES workspace (id),
  bytes     INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE word (
  id         INTEGER PRIMARY KEY,
  vocabulary INTEGER NOT NULL
  REFERENCES vocabulary (id),
  text       TEXT    NOT NULL,
  sessions   INTEGER NOT NULL,
  common     INTEGER NOT NULL DEFAULT 0,
  UNIQUE (vocabulary, text)
  ) STRICT;
CREATE TABLE ending (
  vocabulary INTEGER NOT NULL,
  text       TEXT    NOT NULL,
  word       INTEGER NOT NULL,
  PRIMARY KEY (vocabulary, text, word)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE word_session (
  word    INTEGER NOT NULL,
  session TEXT    NOT NULL,
  PRIMARY KEY (word, session)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE session_words (
  session TEXT PRIMARY KEY
  REFERENCES session (id) ON DELETE CASCADE,
  words   TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE share (
  digest    BLOB    PRIMARY KEY,
  token     TEXT    NOT NULL,
  workspace TEXT    NOT NULL
  REFERENCES workspace (id) ON DELETE CASCADE,
  session   TEXT    NOT NULL
  REFERENCES session (id) ON DELETE CASCADE,
  title     TEXT    NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  views     INTEGER NOT NULL DEFAULT 0,
  data      BLOB    NOT NULL,
  image     BLOB    NOT NULL,
  other     TEXT
  REFERENCES session (id) ON DELETE CASCADE
  ) STRICT;
CREATE TABLE stage (
  session TEXT PRIMARY KEY
  REFERENCES session (id) ON DELETE CASCADE,
  story   TEXT NOT NULL,
  own     TEXT NOT NULL
  REFERENCES exchange (id) ON DELETE CASCADE,
  legacy  TEXT
  REFERENCES exchange (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
  ) STRICT;
CREATE TABLE mark (
  session   TEXT    NOT NULL
  REFERENCES stage (session) ON DELETE CASCADE,
  step      INTEGER NOT NULL,
  instances TEXT    NOT NULL,
  next      TEXT    NOT NULL,
  rounds    INTEGER NOT NULL,
  PRIMARY KEY (session, step)
  ) STRICT;
INSERT INTO goose_db_version VALUES (1, 0, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (2, 11, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (3, 12, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (4, 13, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (5, 14, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (6, 15, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (7, 16, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (8, 17, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (9, 18, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (10, 19, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (11, 20, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (12, 21, 1, '2026-11-25 07:47:17');
INSERT INTO goose_db_version VALUES (13, 22, 1, '2026-11-25 07:47:17');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('goose_db_version', 13);
INSERT INTO sqlite_sequence VALUES ('payer', 10);
INSERT INTO workspace VALUES ('one', 1000000, 1000000, '[{"uri":"file:///Übungrrrrrrrrrrrrrrrrrrrr"}]', 13988);
INSERT INTO workspace VALUES ('two', 1000000, 86400000000, '[]', 2870);
INSERT INTO day VALUES (20770, X'FDA456192981E28668B4630DFCEF5490F9E44574322A996E2FBDE019815495D1');
INSERT INTO payer VALUES (1, 20770, 'address', 1241, 'network');
INSERT INTO payer VALUES (2, 20770, 'network', 1241, '');
INSERT INTO block VALUES ('workspace', 'three', NULL, 5000000);
INSERT INTO block VALUES ('address', 'blocked', X'FDA456192981E28668B4630DFCEF5490F9E44574322A996E2FBDE019815495D1', 6000000);
INSERT INTO log VALUES ('x0one', 'one', NULL, 938);
INSERT INTO log VALUES ('b0one', 'one', NULL, 483);
INSERT INTO log VALUES ('t0one', 'one', NULL, 775);
INSERT INTO log VALUES ('c0one', 'one', NULL, 479);
INSERT INTO log VALUES ('c20one', 'one', NULL, 505);
INSERT INTO log VALUES ('d0one', 'one', NULL, 479);
INSERT INTO log VALUES ('l0one', 'one', NULL, 479);
INSERT INTO log VALUES ('i0one', 'one', NULL, 920);
INSERT INTO log VALUES ('words', 'two', NULL, 415);
INSERT INTO log VALUES ('paid', 'one', 1, 960);
INSERT INTO log VALUES ('failed', 'one', NULL, 852);
INSERT INTO log VALUES ('plain', 'one', NULL, 276);
INSERT INTO log VALUES ('alone', 'one', NULL, 461);
INSERT INTO event VALUES ('x0one', 1, 1000000, 0, 'decision', 1, X'7B22616374696F6E223A227374617274222C22726F756E64223A317D', NULL, NULL);
INSERT INTO event VALUES ('x0one', 2, 1000000, 1, 'sent', NULL, X'504F5354202F20C39C62756E6773656E74', NULL, NULL);
INSERT INTO event VALUES ('x0one', 3, 2000000, 1, 'received', NULL, X'485454502F312E3120323030204F4B0D0A436F6E74656E742D547970653A206170706C69636174696F6E2F6A736F6E0D0A0D0A7B226A736F6E727063223A22322E30222C226964223A312C22726573756C74223A7B22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A22C39C62756E67626F64797979797979797979797979797979797979797979227D5D7D7D', NULL, X'C39C62756E676576656E74');
INSERT INTO event VALUES ('t0one', 1, 1000000, 0, 'decision', 1, X'7B22616374696F6E223A227374617274222C22726F756E64223A317D', NULL, NULL);
INSERT INTO event VALUES ('t0one', 2, 1000000, 1, 'sent', NULL, X'504F5354202F20C39C62756E6773656E74', NULL, NULL);
INSERT INTO event VALUES ('t0one', 3, 2000000, 1, 'received', NULL, X'485454502F312E3120323030204F4B0D0A436F6E74656E742D547970653A206170706C69636174696F6E2F6A736F6E0D0A0D0A7B226A736F6E727063223A22322E30222C226964223A312C22726573756C74223A7B22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A22C39C62756E67626F64797979797979797979797979797979797979797979227D5D7D7D', NULL, X'C39C62756E676576656E74');
INSERT INTO event VALUES ('i0one', 1, 1000000, 0, 'decision', 1, X'7B22616374696F6E223A227374617274222C22726F756E64223A317D', NULL, NULL);
INSERT INTO event VALUES ('i0one', 2, 1000000, 1, 'sent', NULL, X'504F5354202F20C39C62756E6773656E74', NULL, NULL);
INSERT INTO event VALUES ('i0one', 3, 2000000, 1, 'received', NULL, X'485454502F312E3120323030204F4B0D0A436F6E74656E742D547970653A206170706C69636174696F6E2F6A736F6E0D0A0D0A7B226A736F6E727063223A22322E30222C226964223A312C22726573756C74223A7B22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A22C39C62756E67626F64797979797979797979797979797979797979797979227D5D7D7D', NULL, X'C39C62756E676576656E74');
INSERT INTO event VALUES ('paid', 1, 1000000, 0, 'decision', 1, X'7B22616374696F6E223A227374617274222C22726F756E64223A317D', NULL, NULL);
INSERT INTO event VALUES ('paid', 2, 1000000, 1, 'sent', NULL, X'504F5354202F207061696473656E74', '{"DNS":1000000,"Connect":0,"TLS":0,"FirstByte":2000000,"Total":0}', NULL);
INSERT INTO event VALUES ('paid', 3, 2000000, 1, 'received', NULL, X'485454502F312E3120323030204F4B0D0A436F6E74656E742D547970653A206170706C69636174696F6E2F6A736F6E0D0A0D0A7B226A736F6E727063223A22322E30222C226964223A312C22726573756C74223A7B22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2270616964626F6479797979227D5D7D7D', NULL, X'706169646576656E74');
INSERT INTO event VALUES ('paid', 4, 4000000, 3, 'repeated', NULL, X'7B226F66223A332C22636F756E74223A327D', NULL, NULL);
INSERT INTO event VALUES ('failed', 1, 1000000, 0, 'decision', 1, X'7B22616374696F6E223A227374617274222C22726F756E64223A317D', NULL, NULL);
INSERT INTO event VALUES ('failed', 2, 1000000, 1, 'sent', NULL, X'504F5354202F2077726F6E6773656E74', NULL, NULL);
INSERT INTO event VALUES ('failed', 3, 2000000, 1, 'received', NULL, X'485454502F312E3120323030204F4B0D0A436F6E74656E742D547970653A206170706C69636174696F6E2F6A736F6E0D0A0D0A7B226A736F6E727063223A22322E30222C226964223A312C22726573756C74223A7B22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277726F6E67626F647979227D5D7D7D', NULL, X'77726F6E676576656E74');
INSERT INTO target VALUES ('t0one', 'one', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', X'C39C62756E67746172676574', 0, 'connected', 'Übungserver', 1000000);
INSERT INTO target VALUES ('plain', 'one', 'plain', 'http://h/', 'null', '{}', NULL, 1, 'connecting', '', 2000000);
INSERT INTO certificate VALUES ('plain', 'https://h:443', 'sha256:352538637f5681f19f60cf784647d89e2fcf9ed486adc6227d1f4465982e27e5', X'646572FF', 3000000);
INSERT INTO sign_in VALUES ('g0one', 'one', 't0one', '', 'done', '"Übungdone"', X'', 1000000);
INSERT INTO token VALUES ('one', 't0one', 'Übungurl', 'g0one', X'C39C62756E67746F6B656E', 1000000);
INSERT INTO registration VALUES ('one', 'Übungissuer', X'C39C62756E67636C69656E74', 1000000);
INSERT INTO workbench VALUES ('w-1', 'one', X'7365616C656400', 1000000, 9000000000000000);
INSERT INTO session VALUES ('s0one', 'one', 'exchange', 'Übungedited', 'Übungnotenn', 'übungedited
übungnotenn', 1, 0, 1000000, 2000000, 'd40b56363ad06226d3c68d5edc995d55', 0);
INSERT INTO session VALUES ('sc0one', 'one', 'check', 'Übungcheck', '', 'übungcheck
', 0, 0, 1000000, 1000000, '', 0);
INSERT INTO session VALUES ('sd0one', 'one', 'demo', 'Übungstage', '', 'übungstage
', 0, 0, 1000000, 3000000, '', 0);
INSERT INTO session VALUES ('si0one', 'one', 'exchange', 'Übungimported', 'Übung', 'übungimported
übung', 0, 1, 1000000, 1000000, '', 0);
INSERT INTO session VALUES ('swords', 'two', 'exchange', 'words', '', 'words
', 0, 0, 1000000, 1000000, '1af6f35480f4ef9cf03fec55ba7a71e0', 1);
INSERT INTO session VALUES ('spaid', 'one', 'exchange', 'paid title', '', 'paid title
', 0, 0, 1000000, 4000000, '787144e4f2da332e495f67dd5541201a', 0);
INSERT INTO session VALUES ('sfailed', 'one', 'exchange', 'wrong', 'edited after indexing', 'wrong
edited after indexing', 0, 0, 1000000, 5000000, '3625c02e5a82a33ff4e3c596cbf6d00a', 0);
INSERT INTO session VALUES ('salone', 'one', 'demo', 'alone', '', 'alone
', 0, 0, 1000000, 1000000, '', 0);
INSERT INTO saved_call VALUES ('v0one', 'one', 'Übungcall', 't0one', 'tool', 'Übungtool', '{"a":"Übungvvvvvvvvvvvvvvvvvvvv"}', '["Übung"]', '', '', 1000000);
INSERT INTO saved_call VALUES ('v-2', 'one', 'saved', 'plain', 'resource', 'file:///x', '', '[]', 'debug', '9', 4000000);
INSERT INTO exchange VALUES ('x0one', 's0one', 1000000, NULL, NULL, 'complete', 1, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxxxxxxxxxxxxx  https://h/übungurl übungbodyyyyyyyyyyyyyyyyyyyyy', 'tx0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', X'7B226E616D65223A22C39C62756E67706172616D737878787878787878787878787878787878787878227D', X'7B226E616D65223A22C39C62756E67746F6F6C227D', 0, X'C39C62756E677365616C6564', 0, '', 'Übungbodyyyyyyyyyyyyyyyyyyyyy');
INSERT INTO exchange VALUES ('b0one', 's0one', 1000000, 'x0one', 1, 'failed', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxx  https://h/übungurl', 'tb0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', X'7B226E616D65223A22C39C62756E67706172616D73787878787878787878227D', X'7B226E616D65223A22C39C62756E67746F6F6C227D', 0, X'C39C62756E677365616C6564', 0, '', '');
INSERT INTO exchange VALUES ('c0one', 'sc0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxx  https://h/übungurl', 'tc0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', X'7B226E616D65223A22C39C62756E67706172616D7378787878787878227D', X'7B226E616D65223A22C39C62756E67746F6F6C227D', 0, X'C39C62756E677365616C6564', 0, '', '');
INSERT INTO exchange VALUES ('c20one', 'sc0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxxxxxxxxxxxxx  https://h/übungurl', 'tc20one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', X'7B226E616D65223A22C39C62756E67706172616D737878787878787878787878787878787878787878227D', X'7B226E616D65223A22C39C62756E67746F6F6C227D', 0, X'C39C62756E677365616C6564', 0, '', '');
INSERT INTO exchange VALUES ('d0one', 'sd0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxx  https://h/übungurl', 'td0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', X'7B226E616D65223A22C39C62756E67706172616D7378787878787878227D', X'7B226E616D65223A22C39C62756E67746F6F6C227D', 0, X'C39C62756E677365616C6564', 0, '', '');
INSERT INTO exchange VALUES ('l0one', 'sd0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxx  https://h/übungurl', 'tl0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', X'7B226E616D65223A22C39C62756E67706172616D7378787878787878227D', X'7B226E616D65223A22C39C62756E67746F6F6C227D', 0, X'C39C62756E677365616C6564', 0, '', '');
INSERT INTO exchange VALUES ('i0one', 'si0one', 1000000, NULL, NULL, 'failed', 1, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxxxx  https://h/übungurl übungbodyyyyyyyyyyyyyyyyyyyyy', 'ti0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', X'7B226E616D65223A22C39C62756E67706172616D737878787878787878787878227D', X'7B226E616D65223A22C39C62756E67746F6F6C227D', 0, X'C39C62756E677365616C6564', 0, '', 'Übungbodyyyyyyyyyyyyyyyyyyyyy');
INSERT INTO exchange VALUES ('words', 'swords', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'wname tools/call name wparams  https://h/wurl', 'twords', '', 'wname', 'https://h/wurl', '[{"Name":"X-A","Value":"wheader"}]', '{"wcapabilities":{}}', 'tools/call', X'7B226E616D65223A2277706172616D73227D', X'7B226E616D65223A2277746F6F6C227D', 0, X'777365616C6564', 0, '', '');
INSERT INTO exchange VALUES ('paid', 'spaid', 1000000, NULL, NULL, 'waiting', 1, 1, 0, '', '', 'paidname tools/call name paidparamsxxx  https://h/paidurl paidbodyyyy', 'tpaid', '', 'paidname', 'https://h/paidurl', '[{"Name":"X-A","Value":"paidheader"}]', '{"paidcapabilities":{}}', 'tools/call', X'7B226E616D65223A2270616964706172616D73787878227D', NULL, 0, NULL, 60000000, '', 'paidbodyyyy');
INSERT INTO exchange VALUES ('failed', 'sfailed', 1000000, NULL, NULL, 'complete', 1, 0, 1, '', '', 'wrongname tools/call name wrongparamsxxx  https://h/wrongurl wrongbodyy', 'tfailed', '', 'wrongname', 'https://h/wrongurl', '[{"Name":"X-A","Value":"wrongheader"}]', '{"wrongcapabilities":{}}', 'tools/call', X'7B226E616D65223A2277726F6E67706172616D73787878227D', X'7B226E616D65223A2277726F6E67746F6F6C227D', 0, X'77726F6E677365616C6564', 0, '', 'wrongbodyy');
INSERT INTO exchange VALUES ('alone', 'salone', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'alonename tools/call name aloneparamsxxx  https://h/aloneurl', 'talone', '', 'alonename', 'https://h/aloneurl', '[{"Name":"X-A","Value":"aloneheader"}]', '{"alonecapabilities":{}}', 'tools/call', X'7B226E616D65223A22616C6F6E65706172616D73787878227D', X'7B226E616D65223A22616C6F6E65746F6F6C227D', 0, X'616C6F6E657365616C6564', 0, '', '');
INSERT INTO vocabulary VALUES (1, 'two', 2188);
INSERT INTO word VALUES (1, 1, 'call', 1, 0);
INSERT INTO word VALUES (2, 1, 'h', 1, 0);
INSERT INTO word VALUES (3, 1, 'https', 1, 0);
INSERT INTO word VALUES (4, 1, 'name', 1, 0);
INSERT INTO word VALUES (5, 1, 'ready', 1, 0);
INSERT INTO word VALUES (6, 1, 'tools', 1, 0);
INSERT INTO word VALUES (7, 1, 'wname', 1, 0);
INSERT INTO word VALUES (8, 1, 'words', 1, 0);
INSERT INTO word VALUES (9, 1, 'wparams', 1, 0);
INSERT INTO word VALUES (10, 1, 'wurl', 1, 0);
INSERT INTO ending VALUES (1, 'ady', 5);
INSERT INTO ending VALUES (1, 'all', 1);
INSERT INTO ending VALUES (1, 'ame', 4);
INSERT INTO ending VALUES (1, 'ame', 7);
INSERT INTO ending VALUES (1, 'ams', 9);
INSERT INTO ending VALUES (1, 'arams', 9);
INSERT INTO ending VALUES (1, 'call', 1);
INSERT INTO ending VALUES (1, 'ds', 8);
INSERT INTO ending VALUES (1, 'dy', 5);
INSERT INTO ending VALUES (1, 'e', 4);
INSERT INTO ending VALUES (1, 'e', 7);
INSERT INTO ending VALUES (1, 'eady', 5);
INSERT INTO ending VALUES (1, 'h', 2);
INSERT INTO ending VALUES (1, 'https', 3);
INSERT INTO ending VALUES (1, 'l', 1);
INSERT INTO ending VALUES (1, 'l', 10);
INSERT INTO ending VALUES (1, 'll', 1);
INSERT INTO ending VALUES (1, 'ls', 6);
INSERT INTO ending VALUES (1, 'me', 4);
INSERT INTO ending VALUES (1, 'me', 7);
INSERT INTO ending VALUES (1, 'ms', 9);
INSERT INTO ending VALUES (1, 'name', 4);
INSERT INTO ending VALUES (1, 'name', 7);
INSERT INTO ending VALUES (1, 'ols', 6);
INSERT INTO ending VALUES (1, 'ools', 6);
INSERT INTO ending VALUES (1, 'ords', 8);
INSERT INTO ending VALUES (1, 'params', 9);
INSERT INTO ending VALUES (1, 'ps', 3);
INSERT INTO ending VALUES (1, 'rams', 9);
INSERT INTO ending VALUES (1, 'rds', 8);
INSERT INTO ending VALUES (1, 'ready', 5);
INSERT INTO ending VALUES (1, 'rl', 10);
INSERT INTO ending VALUES (1, 's', 3);
INSERT INTO ending VALUES (1, 's', 6);
INSERT INTO ending VALUES (1, 's', 8);
INSERT INTO ending VALUES (1, 's', 9);
INSERT INTO ending VALUES (1, 'tools', 6);
INSERT INTO ending VALUES (1, 'tps', 3);
INSERT INTO ending VALUES (1, 'ttps', 3);
INSERT INTO ending VALUES (1, 'url', 10);
INSERT INTO ending VALUES (1, 'wname', 7);
INSERT INTO ending VALUES (1, 'words', 8);
INSERT INTO ending VALUES (1, 'wparams', 9);
INSERT INTO ending VALUES (1, 'wurl', 10);
INSERT INTO ending VALUES (1, 'y', 5);
INSERT INTO word_session VALUES (1, 'swords');
INSERT INTO word_session VALUES (2, 'swords');
INSERT INTO word_session VALUES (3, 'swords');
INSERT INTO word_session VALUES (4, 'swords');
INSERT INTO word_session VALUES (5, 'swords');
INSERT INTO word_session VALUES (6, 'swords');
INSERT INTO word_session VALUES (7, 'swords');
INSERT INTO word_session VALUES (8, 'swords');
INSERT INTO word_session VALUES (9, 'swords');
INSERT INTO word_session VALUES (10, 'swords');
INSERT INTO session_words VALUES ('swords', '[8,7,6,1,4,9,3,2,10,5]');
INSERT INTO share VALUES (X'605AA4BD794A7FE731F054CB849EAE136D1BC4DFC5BDE963A1AE01EF24406A08', 'Übungtoken0one', 'one', 's0one', 'Übungshared', 1000000, 1795596437660527, 0, X'C39C62756E67646174616464646464646464646464646464646464646464', X'C39C62756E67696D6167656969696969696969696969696969696969696969', NULL);
INSERT INTO share VALUES (X'8B26ACF0B4097599D15C382DEDC75E941FB536D02C47C6E65E2C1B7543A2C870', 'two sessions', 'one', 'spaid', 'two', 1000000, 9000000000000000, 1, X'64617461', X'696D616765', 'sfailed');
INSERT INTO stage VALUES ('sd0one', 'azure-devops', 'd0one', 'l0one');
INSERT INTO stage VALUES ('salone', 'load-shedding', 'alone', NULL);
INSERT INTO mark VALUES ('sd0one', 1, 'Übungmark', '', 0);
INSERT INTO mark VALUES ('sd0one', 2, 'Übungmark2', '', 0);
INSERT INTO mark VALUES ('salone', 1, 'a:v1', 'a', 1);
CREATE INDEX workspace_seen ON workspace (seen);
CREATE UNIQUE INDEX event_opens_round_once ON event (log, round) WHERE round IS NOT NULL;
CREATE INDEX target_of_workspace ON target (workspace, created);
CREATE INDEX target_connecting ON target (status) WHERE status = 'connecting';
CREATE INDEX sign_in_of_target ON sign_in (workspace, target, created);
CREATE INDEX workbench_of_workspace ON workbench (workspace, created);
CREATE INDEX workbench_expires ON workbench (expires);
CREATE INDEX session_listed ON session (workspace, pinned, changed, id);
CREATE INDEX session_unindexed ON session (workspace, changed) WHERE indexed = 0;
CREATE INDEX session_called ON session (workspace, called, created) WHERE called <> '';
CREATE INDEX saved_call_of_workspace ON saved_call (workspace, target);
CREATE INDEX exchange_of_session ON exchange (session, created);
CREATE INDEX exchange_of_parent ON exchange (parent) WHERE parent IS NOT NULL;
CREATE INDEX exchange_held ON exchange (held) WHERE held = 1;
CREATE INDEX share_of_workspace ON share (workspace, created);
CREATE INDEX share_of_session ON share (session);
CREATE INDEX share_of_other ON share (other) WHERE other IS NOT NULL;
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
CREATE TRIGGER payer_charged AFTER UPDATE OF bytes, network ON payer WHEN new.network <> '' BEGIN
  INSERT INTO payer (day, hash, bytes)
    VALUES (new.day, new.network, new.bytes - iif(new.network = old.network, old.bytes, 0))
    ON CONFLICT (day, hash) DO UPDATE SET bytes = bytes + excluded.bytes;
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
CREATE TRIGGER saved_call_added AFTER INSERT ON saved_call BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.title) + octet_length(new.name)
    + octet_length(new.arguments) + octet_length(new.omitted) WHERE id = new.workspace;
END;
CREATE TRIGGER saved_call_changed AFTER UPDATE OF title ON saved_call BEGIN
  UPDATE workspace SET bytes = bytes + octet_length(new.title) - octet_length(old.title)
    WHERE id = new.workspace;
END;
CREATE TRIGGER saved_call_deleted AFTER DELETE ON saved_call BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.title) - octet_length(old.name)
    - octet_length(old.arguments) - octet_length(old.omitted) WHERE id = old.workspace;
END;
CREATE TRIGGER sign_in_added AFTER INSERT ON sign_in BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.record) + length(new.sealed)
    WHERE id = new.workspace;
END;
CREATE TRIGGER sign_in_changed AFTER UPDATE OF record, sealed ON sign_in BEGIN
  UPDATE workspace SET bytes = bytes + octet_length(new.record) + length(new.sealed)
    - octet_length(old.record) - length(old.sealed) WHERE id = new.workspace;
END;
CREATE TRIGGER sign_in_deleted AFTER DELETE ON sign_in BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.record) - length(old.sealed)
    WHERE id = old.workspace;
END;
CREATE TRIGGER token_added AFTER INSERT ON token BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.url) + length(new.sealed)
    WHERE id = new.workspace;
END;
CREATE TRIGGER token_deleted AFTER DELETE ON token BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.url) - length(old.sealed)
    WHERE id = old.workspace;
END;
CREATE TRIGGER registration_added AFTER INSERT ON registration BEGIN
  UPDATE workspace SET bytes = bytes + 256 + octet_length(new.issuer) + length(new.sealed)
    WHERE id = new.workspace;
END;
CREATE TRIGGER registration_deleted AFTER DELETE ON registration BEGIN
  UPDATE workspace SET bytes = bytes - 256 - octet_length(old.issuer) - length(old.sealed)
    WHERE id = old.workspace;
END;
CREATE TRIGGER workbench_added AFTER INSERT ON workbench BEGIN
  UPDATE workspace SET bytes = bytes + 256 + length(new.sealed) WHERE id = new.workspace;
END;
CREATE TRIGGER workbench_deleted AFTER DELETE ON workbench BEGIN
  UPDATE workspace SET bytes = bytes - 256 - length(old.sealed) WHERE id = old.workspace;
END;
CREATE TRIGGER vocabulary_changed AFTER UPDATE OF bytes ON vocabulary BEGIN
  UPDATE workspace SET bytes = bytes + new.bytes - old.bytes WHERE id = new.workspace;
END;
CREATE TRIGGER vocabulary_deleted AFTER DELETE ON vocabulary BEGIN
  UPDATE workspace SET bytes = bytes - old.bytes WHERE id = old.workspace;
END;
COMMIT;
