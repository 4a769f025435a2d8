-- The tables and triggers that version 12 added, as version 12 had them.

CREATE TABLE day (
  day  INTEGER PRIMARY KEY,  -- days since 1970, UTC
  salt BLOB    NOT NULL      -- of the hashes of addresses on this day
) STRICT;

CREATE TABLE payer (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: logs keep it
  day   INTEGER NOT NULL                    -- when it stored
                REFERENCES day (day) ON DELETE CASCADE,
  hash  TEXT    NOT NULL,                   -- usage.Hash of the address with the salt of the day
  bytes INTEGER NOT NULL DEFAULT 0,         -- stored by it that day; deleting does not lower it
  UNIQUE (day, hash)
) STRICT;

CREATE TABLE block (
  kind TEXT    NOT NULL,  -- workspace or address
  id   TEXT    NOT NULL,  -- of the workspace, or the hash of the address
  salt BLOB,              -- that the hash was made with, which outlives its day here; NULL for a workspace
  at   INTEGER NOT NULL,  -- when it was made
  PRIMARY KEY (kind, id)
) STRICT;

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
