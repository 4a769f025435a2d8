-- +goose Up

-- What the user adds to a session.
ALTER TABLE session ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;

-- The order of the list, pinned ones first; a page begins where the last one
-- ended, so that page 200 costs what page 1 costs.
CREATE INDEX session_listed ON session (workspace, pinned, changed, id);
DROP INDEX session_newest;

-- What can be found of an exchange besides its columns: words out of its
-- events, in lower case, written together with them.
ALTER TABLE exchange ADD COLUMN words TEXT NOT NULL DEFAULT '';

-- What may be read by link. data is the redacted snapshot as a file of package
-- export, image its preview; neither is ever changed. The key is the digest of
-- the token, so that a look-up takes as long for every wrong one; the token
-- itself is kept for the owner's list.
CREATE TABLE share (
  digest    BLOB PRIMARY KEY,
  token     TEXT NOT NULL,
  workspace TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  session   TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  title     TEXT NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  views     INTEGER NOT NULL DEFAULT 0,
  data      BLOB NOT NULL,
  image     BLOB NOT NULL
) STRICT;
CREATE INDEX share_of_workspace ON share (workspace, created);
CREATE INDEX share_of_session ON share (session);
CREATE INDEX share_expires ON share (expires);
