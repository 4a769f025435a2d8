package db

import (
	"context"
	"database/sql"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// How much of sign-ins a workspace keeps. The oldest is deleted for a new one.
const (
	keptSignIns       = 20
	keptTokens        = 100
	keptRegistrations = 100
)

// AddSignIn stores a sign-in of the workspace.
func (s *Store) AddSignIn(ctx context.Context, workspace string, n server.SignIn) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, n.Created); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO sign_in (id, workspace, target, exchange, stage, record, sealed, created)
			 VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			n.ID, workspace, n.Target, n.Exchange, n.Stage, string(n.Record), blob(n.Sealed),
			micros(n.Created))
		if err != nil {
			return failed("add sign-in", err)
		}
		_, err = tx.ExecContext(ctx,
			`DELETE FROM sign_in WHERE workspace = ?1 AND id NOT IN (SELECT id FROM sign_in
			   WHERE workspace = ?1 ORDER BY created DESC, id LIMIT ?2)`, workspace, keptSignIns)
		if err != nil {
			return failed("delete old sign-ins", err)
		}
		return charge(ctx, tx, `sign_in WHERE id = ?`, n.ID)
	})
}

// blob returns b, or an empty value in place of none.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// SetSignIn stores how far a sign-in is, which was in the stage from. It
// returns playground.ErrNotFound if it is not in that stage any more, so that
// of two requests that go on with it one wins.
func (s *Store) SetSignIn(ctx context.Context, workspace string, n server.SignIn, from string) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return chargeGrowth(ctx, tx, `sign_in WHERE id = ?`, []any{n.ID}, func() error {
			result, err := tx.ExecContext(ctx,
				`UPDATE sign_in SET stage = ?, record = ?, sealed = ?
				 WHERE id = ? AND workspace = ? AND stage = ?`,
				n.Stage, string(n.Record), blob(n.Sealed), n.ID, workspace, from)
			return changedRow("set sign-in", result, err)
		})
	})
}

const signInColumns = `SELECT id, target, exchange, stage, record, sealed, created FROM sign_in`

// SignIn returns a sign-in of the workspace, or playground.ErrNotFound.
func (s *Store) SignIn(ctx context.Context, workspace, id string) (server.SignIn, error) {
	return scanSignIn(s.read.QueryRowContext(ctx, signInColumns+` WHERE id = ? AND workspace = ?`,
		id, workspace))
}

// LastSignIn returns the newest sign-in to a server of the workspace, or
// playground.ErrNotFound.
func (s *Store) LastSignIn(ctx context.Context, workspace, target string) (server.SignIn, error) {
	return scanSignIn(s.read.QueryRowContext(ctx, signInColumns+
		` WHERE workspace = ? AND target = ? ORDER BY created DESC, id LIMIT 1`, workspace, target))
}

func scanSignIn(row *sql.Row) (server.SignIn, error) {
	var n server.SignIn
	var record string
	var created int64
	err := row.Scan(&n.ID, &n.Target, &n.Exchange, &n.Stage, &record, &n.Sealed, &created)
	n.Record, n.Created = []byte(record), fromMicros(created)
	return n, failed("read sign-in", notFound(err))
}

// SetToken stores the token for a server of the workspace, in place of an
// earlier one.
func (s *Store) SetToken(ctx context.Context, workspace string, t server.SealedToken) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, t.Added); err != nil {
			return err
		}
		if err := deleteToken(ctx, tx, workspace, t.Target); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO token (workspace, target, url, sign_in, sealed, added) VALUES (?, ?, ?, ?, ?, ?)`,
			workspace, t.Target, t.URL, t.SignIn, blob(t.Sealed), micros(t.Added))
		if err != nil {
			return failed("set token", err)
		}
		_, err = tx.ExecContext(ctx,
			`DELETE FROM token WHERE workspace = ?1 AND target NOT IN (SELECT target FROM token
			   WHERE workspace = ?1 ORDER BY added DESC, target LIMIT ?2)`, workspace, keptTokens)
		if err != nil {
			return failed("delete old tokens", err)
		}
		return charge(ctx, tx, `token WHERE workspace = ? AND target = ?`, workspace, t.Target)
	})
}

// Token returns the token for a server of the workspace, or
// playground.ErrNotFound.
func (s *Store) Token(ctx context.Context, workspace, target string) (server.SealedToken, error) {
	t := server.SealedToken{Target: target}
	var added int64
	err := s.read.QueryRowContext(ctx,
		`SELECT url, sign_in, sealed, added FROM token WHERE workspace = ? AND target = ?`, workspace,
		target).
		Scan(&t.URL, &t.SignIn, &t.Sealed, &added)
	t.Added = fromMicros(added)
	return t, failed("read token", notFound(err))
}

// DeleteToken deletes the token for a server of the workspace, if there is one.
func (s *Store) DeleteToken(ctx context.Context, workspace, target string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return deleteToken(ctx, tx, workspace, target)
	})
}

func deleteToken(ctx context.Context, tx *txn, workspace, target string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM token WHERE workspace = ? AND target = ?`, workspace, target)
	return failed("delete token", err)
}

// SetRegistration stores how an authorization server knows the client of the
// workspace: an encrypted auth.Registration.
func (s *Store) SetRegistration(
	ctx context.Context, workspace, issuer string, sealed []byte, at time.Time,
) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := addWorkspace(ctx, tx, workspace, at); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`DELETE FROM registration WHERE workspace = ? AND issuer = ?`, workspace, issuer)
		if err != nil {
			return failed("set registration", err)
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO registration (workspace, issuer, sealed, added) VALUES (?, ?, ?, ?)`,
			workspace, issuer, blob(sealed), micros(at))
		if err != nil {
			return failed("set registration", err)
		}
		_, err = tx.ExecContext(ctx,
			`DELETE FROM registration WHERE workspace = ?1 AND issuer NOT IN (SELECT issuer FROM registration
			   WHERE workspace = ?1 ORDER BY added DESC, issuer LIMIT ?2)`, workspace,
			keptRegistrations)
		if err != nil {
			return failed("delete old registrations", err)
		}
		return charge(ctx, tx, `registration WHERE workspace = ? AND issuer = ?`, workspace, issuer)
	})
}

// Registration returns how an authorization server knows the client of the
// workspace, encrypted, or playground.ErrNotFound.
func (s *Store) Registration(ctx context.Context, workspace, issuer string) ([]byte, error) {
	var sealed []byte
	err := s.read.QueryRowContext(ctx,
		`SELECT sealed FROM registration WHERE workspace = ? AND issuer = ?`, workspace, issuer).Scan(&sealed)
	return sealed, failed("read registration", notFound(err))
}

// DeleteRegistration deletes how an authorization server knows the client of
// the workspace. It returns playground.ErrNotFound if there is nothing.
func (s *Store) DeleteRegistration(ctx context.Context, workspace, issuer string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`DELETE FROM registration WHERE workspace = ? AND issuer = ?`, workspace, issuer)
		return changedRow("delete registration", result, err)
	})
}

// SealExchange stores the encrypted secrets of an exchange of the workspace that
// had none before: a sign-in in the middle of a call gave it some.
func (s *Store) SealExchange(ctx context.Context, workspace, id string, sealed []byte) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE exchange SET sealed = ? WHERE id = ? AND sealed IS NULL
			   AND session IN (SELECT id FROM session WHERE workspace = ?)`, sealed, id, workspace)
		return changedRow("seal exchange", result, err)
	})
}

// CountSignIns returns how many sign-ins were made for an exchange of the
// workspace.
func (s *Store) CountSignIns(ctx context.Context, workspace, exchange string) (int, error) {
	var n int
	err := s.read.QueryRowContext(ctx,
		`SELECT count(*) FROM sign_in WHERE workspace = ? AND exchange = ?`, workspace, exchange).Scan(&n)
	return n, failed("count sign-ins", err)
}
