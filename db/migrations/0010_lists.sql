-- +goose Up
-- tool_error is 1 when the call is complete and its tool reports an error;
-- imported is 1 for a session that came from a file or a link.
ALTER TABLE exchange ADD COLUMN tool_error INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
