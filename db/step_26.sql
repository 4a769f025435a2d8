-- Version 26 has the tokens of agents.

CREATE TABLE agent_token (
  id        TEXT    PRIMARY KEY,
  workspace TEXT    NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  digest    BLOB    NOT NULL,
  title     TEXT    NOT NULL,
  created   INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  used      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX agent_token_at ON agent_token (digest);
CREATE INDEX agent_token_of_workspace ON agent_token (workspace, created);
CREATE INDEX agent_token_expires ON agent_token (expires);
COUNT agent_token IN workspace AS (256 + octet_length(title));
