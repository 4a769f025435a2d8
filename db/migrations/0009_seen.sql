-- +goose Up

-- When somebody was here last, to the day: where strangers come, workspaces that
-- nobody comes back to are deleted.
ALTER TABLE workspace ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
UPDATE workspace SET seen = max(created, coalesce((SELECT max(changed) FROM session WHERE workspace = workspace.id), 0));
CREATE INDEX workspace_seen ON workspace (seen);
