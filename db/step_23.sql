-- Version 23 says once what a row counts, in a generated column, keeps no words for
-- searching, and tells a call that a sign-in can continue from one that failed.

--- PostgreSQL
-- The locks are taken in the order in which changes take them.
LOCK TABLE workspace, session, log, event, exchange, target IN ACCESS EXCLUSIVE MODE;
--- both
DROP TABLE session_words;
DROP TABLE word_session;
DROP TABLE ending;
DROP TABLE word;
DELETE FROM vocabulary; -- it counts no longer
--- PostgreSQL
SET CONSTRAINTS ALL IMMEDIATE; -- which counts in all
--- both
DROP TABLE vocabulary;

--- SQLite
DROP TRIGGER event_added;
DROP TRIGGER event_changed;
DROP TRIGGER exchange_added;
DROP TRIGGER exchange_changed;
DROP TRIGGER target_added;
DROP TRIGGER target_changed;
DROP TRIGGER session_added;
DROP TRIGGER session_changed;
DROP TRIGGER session_deleted;
DROP TRIGGER share_added;
DROP TRIGGER share_deleted;
DROP TRIGGER saved_call_added;
DROP TRIGGER saved_call_changed;
DROP TRIGGER saved_call_deleted;
DROP TRIGGER sign_in_added;
DROP TRIGGER sign_in_changed;
DROP TRIGGER sign_in_deleted;
DROP TRIGGER token_added;
DROP TRIGGER token_deleted;
DROP TRIGGER registration_added;
DROP TRIGGER registration_deleted;
DROP TRIGGER workbench_added;
DROP TRIGGER workbench_deleted;
DROP INDEX session_unindexed;
--- PostgreSQL
ALTER TABLE session RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
-- And their triggers.
DROP FUNCTION count_row, count_head, count_event, count_events, count_deleted_sessions,
  count_deleted_logs, count_vocabulary CASCADE;
DROP FUNCTION bytes_of(event), bytes_of(exchange), bytes_of(target), bytes_of(session),
  bytes_of(share), bytes_of(saved_call), bytes_of(sign_in), bytes_of(token),
  bytes_of(registration), bytes_of(workbench);
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
CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspace w SET bytes = w.bytes - d.bytes
    FROM (SELECT workspace, sum(bytes) AS bytes FROM deleted GROUP BY workspace) d
    WHERE w.id = d.workspace;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION count_roots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.bytes := NEW.bytes + octet_length(NEW.roots) - octet_length(OLD.roots);
  RETURN NEW;
END $$;
DROP FUNCTION size_of(text), size_of(bytea);
--- both
ALTER TABLE session DROP COLUMN indexed;
ALTER TABLE exchange ADD COLUMN sign_in FLAG NOT NULL DEFAULT 0;

ALTER TABLE event ADD COLUMN bytes INTEGER GENERATED ALWAYS AS
  (64 + octet_length(data) + coalesce(octet_length(timing), 0)
   + coalesce(octet_length(sealed), 0)) VIRTUAL;
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
CREATE TRIGGER log_deleted AFTER DELETE ON log REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();
--- both
COUNT exchange IN log AS
  (256 + octet_length(search) + octet_length(summary) + octet_length(name) + octet_length(url)
   + octet_length(header) + octet_length(capabilities) + octet_length(params)
   + coalesce(octet_length(tool), 0) + coalesce(octet_length(sealed), 0));
COUNT target IN log AS
  (256 + octet_length(name) + octet_length(url) + octet_length(header)
   + octet_length(capabilities) + octet_length(server_name) + coalesce(octet_length(sealed), 0));
COUNT session IN workspace AS
  (CASE kind WHEN 'demo' THEN 1280 ELSE 256 END + octet_length(title) + octet_length(note)
   + octet_length(search));
COUNT share IN workspace AS (256 + octet_length(title) + octet_length(data) + octet_length(image));
COUNT saved_call IN workspace AS
  (256 + octet_length(title) + octet_length(name) + octet_length(arguments)
   + octet_length(omitted));
COUNT sign_in IN workspace AS (256 + octet_length(record) + octet_length(sealed));
COUNT token IN workspace AS (256 + octet_length(url) + octet_length(sealed));
COUNT registration IN workspace AS (256 + octet_length(issuer) + octet_length(sealed));
COUNT workbench IN workspace AS (256 + octet_length(sealed));
