-- Version 27 lists saved calls and links in the history, and finds the last check of a server.

CREATE INDEX saved_call_listed ON saved_call (workspace, created, id);
CREATE INDEX share_listed ON share (workspace, created, digest);
DROP INDEX share_of_workspace;
UPDATE session SET called = 'check ' || (SELECT x.target FROM exchange x
    WHERE x.session = session.id ORDER BY x.created, x.id LIMIT 1)
  WHERE kind = 'check' AND EXISTS (SELECT 1 FROM exchange x WHERE x.session = session.id);
