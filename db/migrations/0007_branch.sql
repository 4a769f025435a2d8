-- +goose Up
-- The exchange that a branch goes on from, and after which of its rounds; 0
-- when it begins with the first request. NULL for a call of its own.
ALTER TABLE exchange ADD COLUMN parent TEXT REFERENCES exchange (id);
ALTER TABLE exchange ADD COLUMN parent_round INTEGER;

-- mine is 1 once the user has said that the server may be sent wrong things.
ALTER TABLE target ADD COLUMN mine INTEGER NOT NULL DEFAULT 0;
