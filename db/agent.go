package db

import (
	"context"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddAgentToken stores a token of an agent by its digest. It stores nothing and returns
// false if the workspace has most of them already.
func (s *Store) AddAgentToken(ctx context.Context, workspace string, t session.AgentToken, token string,
	most int) (added bool, err error) {
	err = s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, t.Created); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx,
			`INSERT INTO agent_token (id, workspace, digest, title, created, expires, used)
			 SELECT ?, ?, ?, ?, ?, ?, 0 WHERE (SELECT count(*) FROM agent_token WHERE workspace = ?) < ?`,
			t.ID, workspace, digest(token), t.Title, micros(t.Created), micros(t.Expires), workspace, most)
		if err != nil {
			return failed("add token of agent", err)
		}
		n, err := result.RowsAffected()
		if added = n > 0; err != nil || !added {
			return failed("add token of agent", err)
		}
		return charge(ctx, tx, `agent_token WHERE id = ?`, t.ID)
	})
	return added && err == nil, err
}

// AgentTokens returns the tokens of a workspace that have not expired, the newest first.
func (s *Store) AgentTokens(ctx context.Context, workspace string, now time.Time) (
	[]session.AgentToken, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT id, title, created, expires, used FROM agent_token WHERE workspace = ? AND expires > ?
		 ORDER BY created DESC, id`, workspace, micros(now))
	if err != nil {
		return nil, failed("list tokens of agents", err)
	}
	defer rows.Close()
	var list []session.AgentToken
	for rows.Next() {
		var t session.AgentToken
		var created, expires, used int64
		if err := rows.Scan(&t.ID, &t.Title, &created, &expires, &used); err != nil {
			return nil, failed("list tokens of agents", err)
		}
		t.Created, t.Expires = fromMicros(created), fromMicros(expires)
		if used > 0 {
			t.Used = fromMicros(used)
		}
		list = append(list, t)
	}
	return list, failed("list tokens of agents", rows.Err())
}

// UseAgentToken returns the workspace of a token and notes that it was used, to the
// hour. The error is playground.ErrNotFound for one that is unknown or has expired.
func (s *Store) UseAgentToken(ctx context.Context, token string, now time.Time) (
	workspace string, err error) {
	var used int64
	err = s.read.QueryRowContext(ctx,
		`SELECT workspace, used FROM agent_token WHERE digest = ? AND expires > ? AND`+
			notBlocked("workspace"),
		digest(token), micros(now)).Scan(&workspace, &used)
	hour := micros(now.Truncate(time.Hour))
	if err != nil || used >= hour {
		return workspace, failed("find token of agent", notFound(err))
	}
	err = s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx, `UPDATE agent_token SET used = ? WHERE digest = ?`, hour, digest(token))
		return failed("note use of token", err)
	})
	return workspace, errors.Join(err, s.SetSeen(ctx, workspace, now))
}

// DeleteAgentToken deletes a token of the workspace.
func (s *Store) DeleteAgentToken(ctx context.Context, workspace, id string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`DELETE FROM agent_token WHERE id = ? AND workspace = ?`, id, workspace)
		return changedRow("delete token of agent", result, err)
	})
}

// DeleteExpiredAgentTokens deletes the tokens that have expired, each workspace in a
// transaction of its own.
func (s *Store) DeleteExpiredAgentTokens(ctx context.Context, now time.Time) error {
	workspaces, err := engine.Texts(ctx, s.read,
		`SELECT DISTINCT workspace FROM agent_token WHERE expires <= ?`, micros(now))
	for _, id := range workspaces {
		err = errors.Join(err, s.remove(ctx, ofWorkspace(id), func(ctx context.Context, tx *txn) error {
			_, err := tx.ExecContext(ctx,
				`DELETE FROM agent_token WHERE workspace = ? AND expires <= ?`, id, micros(now))
			return failed("delete expired tokens of agents", err)
		}))
	}
	return err
}
