-- +goose Up

-- The roots that the owner of a workspace answered last, as a JSON array, to
-- be offered the next time a server asks for them.
ALTER TABLE workspace ADD COLUMN roots TEXT NOT NULL DEFAULT '[]';
