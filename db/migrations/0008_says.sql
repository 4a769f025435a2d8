-- +goose Up
-- What a server says it is, for lists; empty until it was reached.
ALTER TABLE target ADD COLUMN says TEXT NOT NULL DEFAULT '';
