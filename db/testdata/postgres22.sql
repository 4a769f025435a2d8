-- A database of version 22 with every kind of row.
CREATE TABLE workspace (
  id      text    PRIMARY KEY,
  created bigint  NOT NULL,
  seen    bigint  NOT NULL,
  roots   text    NOT NULL DEFAULT '[]',
  bytes   bigint  NOT NULL DEFAULT 0
);
CREATE INDEX workspace_seen ON workspace (seen);
CREATE TABLE day (
  day  bigint  PRIMARY KEY,
  salt bytea   NOT NULL
);
CREATE TABLE payer (
  id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day     bigint  NOT NULL
                  REFERENCES day (day) ON DELETE CASCADE,
  hash    text    NOT NULL,
  bytes   bigint  NOT NULL DEFAULT 0,
  network text    NOT NULL DEFAULT '',
  UNIQUE (day, hash)
);
CREATE TABLE block (
  kind text    NOT NULL,
  id   text    NOT NULL,
  salt bytea,
  at   bigint  NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE TABLE log (
  id        text    PRIMARY KEY,
  workspace text    NOT NULL DEFAULT '',
  payer     bigint ,
  bytes     bigint  NOT NULL DEFAULT 0
);
CREATE TABLE event (
  log    text    NOT NULL
                 REFERENCES log (id) ON DELETE CASCADE,
  seq    bigint  NOT NULL,
  at     bigint  NOT NULL,
  conn   bigint  NOT NULL,
  kind   text    NOT NULL,
  round  bigint ,
  data   bytea   NOT NULL,
  timing text,
  sealed bytea,
  PRIMARY KEY (log, seq)
);
CREATE UNIQUE INDEX event_opens_round_once ON event (log, round) WHERE round IS NOT NULL;
CREATE TABLE target (
  id           text    PRIMARY KEY
                       REFERENCES log (id) ON DELETE CASCADE,
  workspace    text    NOT NULL
                       REFERENCES workspace (id),
  name         text    NOT NULL,
  url          text    NOT NULL,
  header       text    NOT NULL,
  capabilities text    NOT NULL,
  sealed       bytea,
  mine         smallint NOT NULL DEFAULT 0,
  status       text    NOT NULL,
  server_name  text    NOT NULL DEFAULT '',
  created      bigint  NOT NULL
);
CREATE INDEX target_of_workspace ON target (workspace, created);
CREATE INDEX target_connecting ON target (status) WHERE status = 'connecting';
CREATE TABLE certificate (
  target text    PRIMARY KEY
                 REFERENCES target (id) ON DELETE CASCADE,
  origin text    NOT NULL,
  sha256 text    NOT NULL,
  der    bytea   NOT NULL,
  added  bigint  NOT NULL
);
CREATE TABLE sign_in (
  id        text    PRIMARY KEY,
  workspace text    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    text    NOT NULL,
  exchange  text    NOT NULL,
  stage     text    NOT NULL,
  record    text    NOT NULL,
  sealed    bytea   NOT NULL,
  created   bigint  NOT NULL
);
CREATE INDEX sign_in_of_target ON sign_in (workspace, target, created);
CREATE TABLE token (
  workspace text    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  target    text    NOT NULL,
  url       text    NOT NULL,
  sign_in   text    NOT NULL,
  sealed    bytea   NOT NULL,
  added     bigint  NOT NULL,
  PRIMARY KEY (workspace, target)
);
CREATE TABLE registration (
  workspace text    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  issuer    text    NOT NULL,
  sealed    bytea   NOT NULL,
  added     bigint  NOT NULL,
  PRIMARY KEY (workspace, issuer)
);
CREATE TABLE workbench (
  id        text    PRIMARY KEY,
  workspace text    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  sealed    bytea   NOT NULL,
  created   bigint  NOT NULL,
  expires   bigint  NOT NULL
);
CREATE INDEX workbench_of_workspace ON workbench (workspace, created);
CREATE INDEX workbench_expires ON workbench (expires);
CREATE TABLE session (
  id        text    PRIMARY KEY,
  workspace text    NOT NULL
                    REFERENCES workspace (id),
  kind      text    NOT NULL,
  title     text    NOT NULL,
  note      text    NOT NULL DEFAULT '',
  search    text    NOT NULL,
  pinned    smallint NOT NULL DEFAULT 0,
  imported  smallint NOT NULL DEFAULT 0,
  created   bigint  NOT NULL,
  changed   bigint  NOT NULL,
  called    text    NOT NULL DEFAULT '',
  indexed   bigint  NOT NULL DEFAULT 0
);
CREATE INDEX session_listed ON session (workspace, pinned, changed, id);
CREATE INDEX session_unindexed ON session (workspace, changed) WHERE indexed = 0;
ALTER TABLE session SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX session_called ON session (workspace, called, created) WHERE called <> '';
CREATE TABLE saved_call (
  id        text    PRIMARY KEY,
  workspace text    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  title     text    NOT NULL,
  target    text    NOT NULL,
  kind      text    NOT NULL,
  name      text    NOT NULL,
  arguments text    NOT NULL,
  omitted   text    NOT NULL,
  level     text    NOT NULL,
  wait      text    NOT NULL,
  created   bigint  NOT NULL
);
CREATE INDEX saved_call_of_workspace ON saved_call (workspace, target);
CREATE TABLE exchange (
  id           text    PRIMARY KEY
                       REFERENCES log (id) ON DELETE CASCADE,
  session      text    NOT NULL
                       REFERENCES session (id) ON DELETE CASCADE,
  created      bigint  NOT NULL,
  parent       text
                       REFERENCES exchange (id),
  parent_round bigint ,
  status       text    NOT NULL,
  rounds       bigint  NOT NULL DEFAULT 0,
  held         smallint NOT NULL DEFAULT 0,
  tool_error   smallint NOT NULL DEFAULT 0,
  experiment   text    NOT NULL DEFAULT '',
  summary      text    NOT NULL DEFAULT '',
  search       text    NOT NULL,
  target       text    NOT NULL,
  sample       text    NOT NULL,
  name         text    NOT NULL,
  url          text    NOT NULL,
  header       text    NOT NULL,
  capabilities text    NOT NULL,
  method       text    NOT NULL,
  params       bytea   NOT NULL,
  tool         bytea,
  wait         bigint  NOT NULL DEFAULT 0,
  sealed       bytea,
  looked       bigint  NOT NULL DEFAULT 0,
  answers      text    NOT NULL DEFAULT '',
  result       text    NOT NULL DEFAULT ''
);
CREATE INDEX exchange_of_session ON exchange (session, created);
CREATE INDEX exchange_of_parent ON exchange (parent) WHERE parent IS NOT NULL;
CREATE INDEX exchange_held ON exchange (held) WHERE held = 1;
CREATE TABLE vocabulary (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace text   NOT NULL UNIQUE
                   REFERENCES workspace (id),
  bytes     bigint NOT NULL DEFAULT 0
);
CREATE TABLE word (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  vocabulary bigint NOT NULL
                    REFERENCES vocabulary (id),
  text       text   NOT NULL,
  sessions   bigint NOT NULL,
  common     bigint NOT NULL DEFAULT 0,
  UNIQUE (vocabulary, text)
);
CREATE TABLE ending (
  vocabulary bigint NOT NULL,
  text       text   NOT NULL,
  word       bigint NOT NULL,
  PRIMARY KEY (vocabulary, text, word)
);
CREATE TABLE word_session (
  word    bigint NOT NULL,
  session text   NOT NULL,
  PRIMARY KEY (word, session)
);
CREATE TABLE session_words (
  session text PRIMARY KEY
               REFERENCES session (id) ON DELETE CASCADE,
  words   text NOT NULL
);
CREATE TABLE share (
  digest    bytea   PRIMARY KEY,
  token     text    NOT NULL,
  workspace text    NOT NULL
                    REFERENCES workspace (id) ON DELETE CASCADE,
  session   text    NOT NULL
                    REFERENCES session (id) ON DELETE CASCADE,
  title     text    NOT NULL,
  created   bigint  NOT NULL,
  expires   bigint  NOT NULL,
  views     bigint  NOT NULL DEFAULT 0,
  data      bytea   NOT NULL,
  image     bytea   NOT NULL,
  other     text
                    REFERENCES session (id) ON DELETE CASCADE
);
CREATE INDEX share_of_workspace ON share (workspace, created);
CREATE INDEX share_of_session ON share (session);
CREATE INDEX share_of_other ON share (other) WHERE other IS NOT NULL;
CREATE INDEX share_expires ON share (expires);
CREATE TABLE stage (
  session text PRIMARY KEY
               REFERENCES session (id) ON DELETE CASCADE,
  story   text NOT NULL,
  own     text NOT NULL
               REFERENCES exchange (id) ON DELETE CASCADE,
  legacy  text
               REFERENCES exchange (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX stage_own ON stage (own);
CREATE INDEX stage_legacy ON stage (legacy) WHERE legacy IS NOT NULL;
CREATE TABLE mark (
  session   text    NOT NULL
                    REFERENCES stage (session) ON DELETE CASCADE,
  step      bigint  NOT NULL,
  instances text    NOT NULL,
  next      text    NOT NULL,
  rounds    bigint  NOT NULL,
  PRIMARY KEY (session, step)
);
CREATE TABLE total (
  shard bigint PRIMARY KEY,
  bytes bigint NOT NULL
);
CREATE TABLE replica (
  id      text        PRIMARY KEY,
  expires timestamptz NOT NULL
);
CREATE TABLE lease (
  id     text PRIMARY KEY,
  holder text NOT NULL
);
CREATE INDEX lease_of_holder ON lease (holder);
CREATE TABLE letter (
  id      text        PRIMARY KEY,
  holder  text        NOT NULL,
  subject text        NOT NULL,
  body    bytea       NOT NULL,
  taken   smallint    NOT NULL DEFAULT 0,
  reply   bytea,
  created timestamptz NOT NULL
);
CREATE INDEX letter_for ON letter (holder) WHERE taken = 0;
CREATE TABLE sample_task (
  id      text        PRIMARY KEY,
  sample  text        NOT NULL,
  caller  text        NOT NULL,
  worker  text        NOT NULL,
  version bigint      NOT NULL DEFAULT 0,
  done    smallint    NOT NULL DEFAULT 0,
  data    bytea       NOT NULL,
  changed timestamptz NOT NULL,
  expires timestamptz NOT NULL
);
CREATE INDEX sample_task_of_sample ON sample_task (sample, caller);
CREATE TABLE sample_ticket (
  sample  text        NOT NULL,
  name    text        NOT NULL,
  value   text        NOT NULL,
  caller  text        NOT NULL,
  nonce   text        NOT NULL,
  expires timestamptz NOT NULL,
  PRIMARY KEY (sample, name)
);
DO $$
DECLARE
  c record;
BEGIN
  FOR c IN SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = current_schema() AND data_type = 'text' AND table_name IN (
      'workspace', 'payer', 'block', 'log', 'event', 'target', 'certificate', 'sign_in', 'token',
      'registration', 'workbench', 'session', 'saved_call', 'exchange', 'share', 'stage', 'mark',
      'vocabulary', 'word', 'ending', 'word_session', 'session_words',
      'replica', 'lease', 'letter', 'sample_task', 'sample_ticket')
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER %I TYPE text COLLATE "C"', c.table_name, c.column_name);
  END LOOP;
END $$;
CREATE FUNCTION size_of(t text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(t), 0)::bigint;
$$;
CREATE FUNCTION size_of(b bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(b), 0)::bigint;
$$;
CREATE FUNCTION bytes_of(e event) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 64 + size_of(e.data) + size_of(e.timing) + size_of(e.sealed);
$$;
CREATE FUNCTION bytes_of(x exchange) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(x.search) + size_of(x.summary) + size_of(x.name) + size_of(x.url)
    + size_of(x.header) + size_of(x.capabilities) + size_of(x.params) + size_of(x.tool) + size_of(x.sealed);
$$;
CREATE FUNCTION bytes_of(t target) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(t.name) + size_of(t.url) + size_of(t.header) + size_of(t.capabilities)
    + size_of(t.sealed) + size_of(t.server_name);
$$;
CREATE FUNCTION bytes_of(s session) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE s.kind WHEN 'demo' THEN 1280 ELSE 256 END
    + size_of(s.title) + size_of(s.note) + size_of(s.search);
$$;
CREATE FUNCTION bytes_of(s share) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(s.title) + size_of(s.data) + size_of(s.image);
$$;
CREATE FUNCTION bytes_of(c saved_call) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(c.title) + size_of(c.name) + size_of(c.arguments) + size_of(c.omitted);
$$;
CREATE FUNCTION bytes_of(s sign_in) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(s.record) + size_of(s.sealed);
$$;
CREATE FUNCTION bytes_of(t token) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(t.url) + size_of(t.sealed);
$$;
CREATE FUNCTION bytes_of(r registration) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(r.issuer) + size_of(r.sealed);
$$;
CREATE FUNCTION bytes_of(w workbench) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 256 + size_of(w.sealed);
$$;
CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log l SET bytes = l.bytes + a.bytes
    FROM (SELECT e.log, sum(bytes_of(ROW(e.*)::event)) AS bytes FROM added e GROUP BY e.log) a
    WHERE l.id = a.log;
  RETURN NULL;
END $$;
CREATE TRIGGER event_added AFTER INSERT ON event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_events();
CREATE FUNCTION count_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint := bytes_of(NEW) - bytes_of(OLD);
BEGIN
  IF added <> 0 THEN
    UPDATE log SET bytes = bytes + added WHERE id = NEW.log;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER event_changed AFTER UPDATE OF data, timing, sealed ON event
  FOR EACH ROW EXECUTE FUNCTION count_event();
CREATE FUNCTION count_head() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint := bytes_of(NEW);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    added := added - bytes_of(OLD);
  END IF;
  IF added <> 0 THEN
    UPDATE log SET bytes = bytes + added WHERE id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER exchange_added AFTER INSERT ON exchange FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER exchange_changed AFTER UPDATE OF search, sealed ON exchange
  FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER target_added AFTER INSERT ON target FOR EACH ROW EXECUTE FUNCTION count_head();
CREATE TRIGGER target_changed AFTER UPDATE OF name, url, header, capabilities, sealed, server_name ON target
  FOR EACH ROW EXECUTE FUNCTION count_head();
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
CREATE FUNCTION count_deleted_logs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace w SET bytes = w.bytes - d.bytes
    FROM (SELECT workspace, sum(bytes) AS bytes FROM deleted GROUP BY workspace) d
    WHERE w.id = d.workspace;
  RETURN NULL;
END $$;
CREATE TRIGGER log_deleted AFTER DELETE ON log REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_logs();
CREATE FUNCTION count_deleted_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace w SET bytes = w.bytes - d.bytes
    FROM (SELECT s.workspace, sum(bytes_of(ROW(s.*)::session)) AS bytes
      FROM deleted s GROUP BY s.workspace) d
    WHERE w.id = d.workspace;
  RETURN NULL;
END $$;
CREATE TRIGGER session_deleted AFTER DELETE ON session REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_sessions();
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
CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint := 0;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    added := bytes_of(NEW);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    added := added - bytes_of(OLD);
  END IF;
  IF added <> 0 THEN
    UPDATE workspace SET bytes = bytes + added
      WHERE id = CASE TG_OP WHEN 'DELETE' THEN OLD.workspace ELSE NEW.workspace END;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER session_counted AFTER INSERT OR UPDATE OF title, note, search ON session
  FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER share_counted AFTER INSERT OR DELETE ON share FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER saved_call_counted AFTER INSERT OR DELETE OR UPDATE OF title ON saved_call
  FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER sign_in_counted AFTER INSERT OR DELETE OR UPDATE OF record, sealed ON sign_in
  FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER token_counted AFTER INSERT OR DELETE ON token FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER registration_counted AFTER INSERT OR DELETE ON registration
  FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER workbench_counted AFTER INSERT OR DELETE ON workbench
  FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE FUNCTION count_roots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.bytes := NEW.bytes + size_of(NEW.roots) - size_of(OLD.roots);
  RETURN NEW;
END $$;
CREATE TRIGGER roots_changed BEFORE UPDATE OF roots ON workspace FOR EACH ROW EXECUTE FUNCTION count_roots();
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
CREATE FUNCTION count_vocabulary() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace SET bytes = bytes + CASE TG_OP WHEN 'DELETE' THEN 0 ELSE NEW.bytes END - OLD.bytes
    WHERE id = OLD.workspace;
  RETURN NULL;
END $$;
CREATE TRIGGER vocabulary_counted AFTER UPDATE OF bytes OR DELETE ON vocabulary
  FOR EACH ROW EXECUTE FUNCTION count_vocabulary();
CREATE TABLE goose_db_version (id integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, version_id bigint NOT NULL,
  is_applied boolean NOT NULL, tstamp timestamp NOT NULL DEFAULT now());
SET session_replication_role = replica;
INSERT INTO block VALUES ('workspace', 'three', NULL, 5000000);
INSERT INTO block VALUES ('address', 'blocked', '\333\264\340\324K\356 \2574\201\033\240\306&\330}\322\264Y\373\240\221\360\223\322x\212\234\253\343\345\030', 6000000);
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
INSERT INTO workspace VALUES ('two', 1000000, 86400000000, '[]', 2870);
INSERT INTO workspace VALUES ('one', 1000000, 1000000, '[{"uri":"file:///Übungrrrrrrrrrrrrrrrrrrrr"}]', 13988);
INSERT INTO target VALUES ('t0one', 'one', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', '\303\234bungtarget', 0, 'connected', 'Übungserver', 1000000);
INSERT INTO target VALUES ('plain', 'one', 'plain', 'http://h/', 'null', '{}', NULL, 1, 'connecting', '', 2000000);
INSERT INTO certificate VALUES ('plain', 'https://h:443', 'sha256:352538637f5681f19f60cf784647d89e2fcf9ed486adc6227d1f4465982e27e5', 'der\377', 3000000);
INSERT INTO day VALUES (20770, '\333\264\340\324K\356 \2574\201\033\240\306&\330}\322\264Y\373\240\221\360\223\322x\212\234\253\343\345\030');
INSERT INTO ending VALUES (1, 'ady', 5);
INSERT INTO ending VALUES (1, 'all', 1);
INSERT INTO ending VALUES (1, 'ame', 7);
INSERT INTO ending VALUES (1, 'ame', 4);
INSERT INTO ending VALUES (1, 'ams', 9);
INSERT INTO ending VALUES (1, 'arams', 9);
INSERT INTO ending VALUES (1, 'call', 1);
INSERT INTO ending VALUES (1, 'ds', 8);
INSERT INTO ending VALUES (1, 'dy', 5);
INSERT INTO ending VALUES (1, 'e', 7);
INSERT INTO ending VALUES (1, 'e', 4);
INSERT INTO ending VALUES (1, 'eady', 5);
INSERT INTO ending VALUES (1, 'h', 2);
INSERT INTO ending VALUES (1, 'https', 3);
INSERT INTO ending VALUES (1, 'l', 10);
INSERT INTO ending VALUES (1, 'l', 1);
INSERT INTO ending VALUES (1, 'll', 1);
INSERT INTO ending VALUES (1, 'ls', 6);
INSERT INTO ending VALUES (1, 'me', 7);
INSERT INTO ending VALUES (1, 'me', 4);
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
INSERT INTO ending VALUES (1, 's', 9);
INSERT INTO ending VALUES (1, 's', 8);
INSERT INTO ending VALUES (1, 's', 3);
INSERT INTO ending VALUES (1, 's', 6);
INSERT INTO ending VALUES (1, 'tools', 6);
INSERT INTO ending VALUES (1, 'tps', 3);
INSERT INTO ending VALUES (1, 'ttps', 3);
INSERT INTO ending VALUES (1, 'url', 10);
INSERT INTO ending VALUES (1, 'wname', 7);
INSERT INTO ending VALUES (1, 'words', 8);
INSERT INTO ending VALUES (1, 'wparams', 9);
INSERT INTO ending VALUES (1, 'wurl', 10);
INSERT INTO ending VALUES (1, 'y', 5);
INSERT INTO event VALUES ('x0one', 1, 1000000, 0, 'decision', 1, '{"action":"start","round":1}', NULL, NULL);
INSERT INTO event VALUES ('x0one', 2, 1000000, 1, 'sent', NULL, 'POST / \303\234bungsent', NULL, NULL);
INSERT INTO event VALUES ('x0one', 3, 2000000, 1, 'received', NULL, 'HTTP/1.1 200 OK\015\012Content-Type: application/json\015\012\015\012{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\303\234bungbodyyyyyyyyyyyyyyyyyyyyy"}]}}', NULL, '\303\234bungevent');
INSERT INTO event VALUES ('t0one', 1, 1000000, 0, 'decision', 1, '{"action":"start","round":1}', NULL, NULL);
INSERT INTO event VALUES ('t0one', 2, 1000000, 1, 'sent', NULL, 'POST / \303\234bungsent', NULL, NULL);
INSERT INTO event VALUES ('t0one', 3, 2000000, 1, 'received', NULL, 'HTTP/1.1 200 OK\015\012Content-Type: application/json\015\012\015\012{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\303\234bungbodyyyyyyyyyyyyyyyyyyyyy"}]}}', NULL, '\303\234bungevent');
INSERT INTO event VALUES ('i0one', 1, 1000000, 0, 'decision', 1, '{"action":"start","round":1}', NULL, NULL);
INSERT INTO event VALUES ('i0one', 2, 1000000, 1, 'sent', NULL, 'POST / \303\234bungsent', NULL, NULL);
INSERT INTO event VALUES ('i0one', 3, 2000000, 1, 'received', NULL, 'HTTP/1.1 200 OK\015\012Content-Type: application/json\015\012\015\012{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\303\234bungbodyyyyyyyyyyyyyyyyyyyyy"}]}}', NULL, '\303\234bungevent');
INSERT INTO event VALUES ('paid', 1, 1000000, 0, 'decision', 1, '{"action":"start","round":1}', NULL, NULL);
INSERT INTO event VALUES ('paid', 2, 1000000, 1, 'sent', NULL, 'POST / paidsent', '{"DNS":1000000,"Connect":0,"TLS":0,"FirstByte":2000000,"Total":0}', NULL);
INSERT INTO event VALUES ('paid', 3, 2000000, 1, 'received', NULL, 'HTTP/1.1 200 OK\015\012Content-Type: application/json\015\012\015\012{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"paidbodyyyy"}]}}', NULL, 'paidevent');
INSERT INTO event VALUES ('paid', 4, 4000000, 3, 'repeated', NULL, '{"of":3,"count":2}', NULL, NULL);
INSERT INTO event VALUES ('failed', 1, 1000000, 0, 'decision', 1, '{"action":"start","round":1}', NULL, NULL);
INSERT INTO event VALUES ('failed', 2, 1000000, 1, 'sent', NULL, 'POST / wrongsent', NULL, NULL);
INSERT INTO event VALUES ('failed', 3, 2000000, 1, 'received', NULL, 'HTTP/1.1 200 OK\015\012Content-Type: application/json\015\012\015\012{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"wrongbodyy"}]}}', NULL, 'wrongevent');
INSERT INTO session VALUES ('s0one', 'one', 'exchange', 'Übungedited', 'Übungnotenn', 'übungedited
übungnotenn', 1, 0, 1000000, 2000000, 'd40b56363ad06226d3c68d5edc995d55', 0);
INSERT INTO session VALUES ('sc0one', 'one', 'check', 'Übungcheck', '', 'übungcheck
', 0, 0, 1000000, 1000000, '', 0);
INSERT INTO session VALUES ('sd0one', 'one', 'demo', 'Übungstage', '', 'übungstage
', 0, 0, 1000000, 3000000, '', 0);
INSERT INTO session VALUES ('si0one', 'one', 'exchange', 'Übungimported', 'Übung', 'übungimported
übung', 0, 1, 1000000, 1000000, '', 0);
INSERT INTO session VALUES ('spaid', 'one', 'exchange', 'paid title', '', 'paid title
', 0, 0, 1000000, 4000000, '787144e4f2da332e495f67dd5541201a', 0);
INSERT INTO session VALUES ('salone', 'one', 'demo', 'alone', '', 'alone
', 0, 0, 1000000, 1000000, '', 0);
INSERT INTO session VALUES ('swords', 'two', 'exchange', 'words', '', 'words
', 0, 0, 1000000, 1000000, '1af6f35480f4ef9cf03fec55ba7a71e0', 1);
INSERT INTO session VALUES ('sfailed', 'one', 'exchange', 'wrong', 'edited after indexing', 'wrong
edited after indexing', 0, 0, 1000000, 5000000, '3625c02e5a82a33ff4e3c596cbf6d00a', 0);
INSERT INTO exchange VALUES ('x0one', 's0one', 1000000, NULL, NULL, 'complete', 1, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxxxxxxxxxxxxx  https://h/übungurl übungbodyyyyyyyyyyyyyyyyyyyyy', 'tx0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', '{"name":"\303\234bungparamsxxxxxxxxxxxxxxxxxxxx"}', '{"name":"\303\234bungtool"}', 0, '\303\234bungsealed', 0, '', 'Übungbodyyyyyyyyyyyyyyyyyyyyy');
INSERT INTO exchange VALUES ('b0one', 's0one', 1000000, 'x0one', 1, 'failed', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxx  https://h/übungurl', 'tb0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', '{"name":"\303\234bungparamsxxxxxxxxx"}', '{"name":"\303\234bungtool"}', 0, '\303\234bungsealed', 0, '', '');
INSERT INTO exchange VALUES ('c0one', 'sc0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxx  https://h/übungurl', 'tc0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', '{"name":"\303\234bungparamsxxxxxxx"}', '{"name":"\303\234bungtool"}', 0, '\303\234bungsealed', 0, '', '');
INSERT INTO exchange VALUES ('c20one', 'sc0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxxxxxxxxxxxxx  https://h/übungurl', 'tc20one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', '{"name":"\303\234bungparamsxxxxxxxxxxxxxxxxxxxx"}', '{"name":"\303\234bungtool"}', 0, '\303\234bungsealed', 0, '', '');
INSERT INTO exchange VALUES ('d0one', 'sd0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxx  https://h/übungurl', 'td0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', '{"name":"\303\234bungparamsxxxxxxx"}', '{"name":"\303\234bungtool"}', 0, '\303\234bungsealed', 0, '', '');
INSERT INTO exchange VALUES ('l0one', 'sd0one', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxx  https://h/übungurl', 'tl0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', '{"name":"\303\234bungparamsxxxxxxx"}', '{"name":"\303\234bungtool"}', 0, '\303\234bungsealed', 0, '', '');
INSERT INTO exchange VALUES ('i0one', 'si0one', 1000000, NULL, NULL, 'failed', 1, 0, 0, '', '', 'übungname tools/call name übungparamsxxxxxxxxxxx  https://h/übungurl übungbodyyyyyyyyyyyyyyyyyyyyy', 'ti0one', '', 'Übungname', 'https://h/Übungurl', '[{"Name":"X-A","Value":"Übungheader"}]', '{"Übungcapabilities":{}}', 'tools/call', '{"name":"\303\234bungparamsxxxxxxxxxxx"}', '{"name":"\303\234bungtool"}', 0, '\303\234bungsealed', 0, '', 'Übungbodyyyyyyyyyyyyyyyyyyyyy');
INSERT INTO exchange VALUES ('words', 'swords', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'wname tools/call name wparams  https://h/wurl', 'twords', '', 'wname', 'https://h/wurl', '[{"Name":"X-A","Value":"wheader"}]', '{"wcapabilities":{}}', 'tools/call', '{"name":"wparams"}', '{"name":"wtool"}', 0, 'wsealed', 0, '', '');
INSERT INTO exchange VALUES ('paid', 'spaid', 1000000, NULL, NULL, 'waiting', 1, 1, 0, '', '', 'paidname tools/call name paidparamsxxx  https://h/paidurl paidbodyyyy', 'tpaid', '', 'paidname', 'https://h/paidurl', '[{"Name":"X-A","Value":"paidheader"}]', '{"paidcapabilities":{}}', 'tools/call', '{"name":"paidparamsxxx"}', NULL, 0, NULL, 60000000, '', 'paidbodyyyy');
INSERT INTO exchange VALUES ('failed', 'sfailed', 1000000, NULL, NULL, 'complete', 1, 0, 1, '', '', 'wrongname tools/call name wrongparamsxxx  https://h/wrongurl wrongbodyy', 'tfailed', '', 'wrongname', 'https://h/wrongurl', '[{"Name":"X-A","Value":"wrongheader"}]', '{"wrongcapabilities":{}}', 'tools/call', '{"name":"wrongparamsxxx"}', '{"name":"wrongtool"}', 0, 'wrongsealed', 0, '', 'wrongbodyy');
INSERT INTO exchange VALUES ('alone', 'salone', 1000000, NULL, NULL, 'ready', 0, 0, 0, '', '', 'alonename tools/call name aloneparamsxxx  https://h/aloneurl', 'talone', '', 'alonename', 'https://h/aloneurl', '[{"Name":"X-A","Value":"aloneheader"}]', '{"alonecapabilities":{}}', 'tools/call', '{"name":"aloneparamsxxx"}', '{"name":"alonetool"}', 0, 'alonesealed', 0, '', '');
INSERT INTO goose_db_version VALUES (1, 0, true, '2026-11-25 07:47:18.393351');
INSERT INTO goose_db_version VALUES (2, 19, true, '2026-11-25 07:47:18.397206');
INSERT INTO goose_db_version VALUES (3, 20, true, '2026-11-25 07:47:18.397206');
INSERT INTO goose_db_version VALUES (4, 21, true, '2026-11-25 07:47:18.397206');
INSERT INTO goose_db_version VALUES (5, 22, true, '2026-11-25 07:47:18.397206');
INSERT INTO lease VALUES ('paid', 'replica');
INSERT INTO letter VALUES ('letter', 'replica', 'paid', 'body', 0, NULL, '2026-11-20 00:00:00+00');
INSERT INTO letter VALUES ('letter2', 'replica', 'paid', 'body', 1, 'reply', '2026-11-20 00:00:00+00');
INSERT INTO stage VALUES ('sd0one', 'azure-devops', 'd0one', 'l0one');
INSERT INTO stage VALUES ('salone', 'load-shedding', 'alone', NULL);
INSERT INTO mark VALUES ('sd0one', 1, 'Übungmark', '', 0);
INSERT INTO mark VALUES ('sd0one', 2, 'Übungmark2', '', 0);
INSERT INTO mark VALUES ('salone', 1, 'a:v1', 'a', 1);
INSERT INTO payer OVERRIDING SYSTEM VALUE VALUES (1, 20770, 'address', 1241, 'network');
INSERT INTO payer OVERRIDING SYSTEM VALUE VALUES (2, 20770, 'network', 1241, '');
INSERT INTO registration VALUES ('one', 'Übungissuer', '\303\234bungclient', 1000000);
INSERT INTO replica VALUES ('replica', '2026-11-20 00:00:00+00');
INSERT INTO sample_task VALUES ('task', 'tasks', '', 'replica', 1, 0, '{}', '2026-11-20 00:00:00+00', '2036-11-20 00:00:00+00');
INSERT INTO sample_ticket VALUES ('protected', 'name', 'value', '', 'nonce', '2036-11-20 00:00:00+00');
INSERT INTO saved_call VALUES ('v0one', 'one', 'Übungcall', 't0one', 'tool', 'Übungtool', '{"a":"Übungvvvvvvvvvvvvvvvvvvvv"}', '["Übung"]', '', '', 1000000);
INSERT INTO saved_call VALUES ('v-2', 'one', 'saved', 'plain', 'resource', 'file:///x', '', '[]', 'debug', '9', 4000000);
INSERT INTO session_words VALUES ('swords', '[8,7,6,1,4,9,3,2,10,5]');
INSERT INTO share VALUES ('`Z\244\275yJ\177\3471\360T\313\204\236\256\023m\033\304\337\305\275\351c\241\256\001\357$@j\010', 'Übungtoken0one', 'one', 's0one', 'Übungshared', 1000000, 1795596438552254, 0, '\303\234bungdatadddddddddddddddddddd', '\303\234bungimageiiiiiiiiiiiiiiiiiiii', NULL);
INSERT INTO share VALUES ('\213&\254\360\264\011u\231\321\\8-\355\307^\224\037\2656\320,G\306\346^,\033uC\242\310p', 'two sessions', 'one', 'spaid', 'two', 1000000, 9000000000000000, 1, 'data', 'image', 'sfailed');
INSERT INTO sign_in VALUES ('g0one', 'one', 't0one', '', 'done', '"Übungdone"', '', 1000000);
INSERT INTO token VALUES ('one', 't0one', 'Übungurl', 'g0one', '\303\234bungtoken', 1000000);
INSERT INTO total VALUES (22, 16858);
INSERT INTO vocabulary OVERRIDING SYSTEM VALUE VALUES (1, 'two', 2188);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (1, 1, 'call', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (2, 1, 'h', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (3, 1, 'https', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (4, 1, 'name', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (5, 1, 'ready', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (6, 1, 'tools', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (7, 1, 'wname', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (8, 1, 'words', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (9, 1, 'wparams', 1, 0);
INSERT INTO word OVERRIDING SYSTEM VALUE VALUES (10, 1, 'wurl', 1, 0);
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
INSERT INTO workbench VALUES ('w-1', 'one', 'sealed\000', 1000000, 9000000000000000);
SELECT pg_catalog.setval('goose_db_version_id_seq', 5, true);
SELECT pg_catalog.setval('payer_id_seq', 7, true);
SELECT pg_catalog.setval('vocabulary_id_seq', 1, true);
SELECT pg_catalog.setval('word_id_seq', 10, true);
SET session_replication_role = origin;
