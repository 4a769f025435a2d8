-- +goose Up

-- timing is how long the steps to an answer took, as JSON in nanoseconds; on
-- the first event of an answer. sealed is data as it was before a secret of the
-- user was masked in it: ciphertext, whose key is in the user's browser alone.
-- It may be forgotten; data never changes.
ALTER TABLE event ADD COLUMN timing TEXT;
ALTER TABLE event ADD COLUMN sealed BLOB;

-- header and url have their secret values masked; sealed keeps them.
ALTER TABLE target ADD COLUMN header TEXT NOT NULL DEFAULT '[]';
ALTER TABLE target ADD COLUMN sealed BLOB;

-- tool is the called tool as its server listed it, wait how long an answer may
-- take in milliseconds (0: the usual limit).
ALTER TABLE exchange ADD COLUMN sealed BLOB;
ALTER TABLE exchange ADD COLUMN tool BLOB;
ALTER TABLE exchange ADD COLUMN wait INTEGER NOT NULL DEFAULT 0;
