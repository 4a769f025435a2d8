-- +goose Up

-- held is 1 while a process has something of the exchange that a restart
-- interrupts: a request under way, a task it polls for, or the call of an older
-- server, which stays open while its user thinks.
ALTER TABLE exchange ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
UPDATE exchange SET held = 1 WHERE status = 'running';
DROP INDEX exchange_running;
CREATE INDEX exchange_held ON exchange (held) WHERE held = 1;
