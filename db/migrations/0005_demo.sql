-- +goose Up

-- A story under way: a session of the kind demo. own is the exchange of the
-- story, past that of the same story before MRTR, empty until somebody wants to
-- see it. They are no references, because exchanges are deleted first.
CREATE TABLE stage (
  session TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  story   TEXT NOT NULL,
  own     TEXT NOT NULL,
  past    TEXT NOT NULL DEFAULT ''
) STRICT;

-- A step that a stage has reached, with the copies that stand behind the
-- balancer then. Each is reached once, however often the button is pressed.
CREATE TABLE mark (
  session TEXT NOT NULL REFERENCES stage (session) ON DELETE CASCADE,
  step    INTEGER NOT NULL,
  copies  TEXT NOT NULL,
  next    TEXT NOT NULL,
  rounds  INTEGER NOT NULL,
  PRIMARY KEY (session, step)
) STRICT;
