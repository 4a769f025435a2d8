package db

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// AddShare stores a snapshot and deletes expired ones of the workspace.
func (s *Store) AddShare(ctx context.Context, workspace string, h share.Share) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		if err := deleteExpiredShares(ctx, tx, workspace, h.Created); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO share (digest, token, workspace, session, title, created, expires, data, image,
			   other)
			 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''))`,
			digest(h.Token), h.Token, workspace, h.Session, h.Title,
			micros(h.Created), micros(h.Expires), h.Data, h.Image, h.Other)
		if err != nil {
			return failed("add share", notFound(err))
		}
		return charge(ctx, tx, `share WHERE digest = ?`, digest(h.Token))
	})
}

func digest(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// DeleteExpiredShares deletes the shares that have expired, each workspace in a
// transaction of its own.
func (s *Store) DeleteExpiredShares(ctx context.Context, now time.Time) error {
	workspaces, err := engine.Texts(ctx, s.read,
		`SELECT DISTINCT workspace FROM share WHERE expires <= ?`, micros(now))
	for _, id := range workspaces {
		err = errors.Join(err, s.remove(ctx, ofWorkspace(id), func(ctx context.Context, tx *txn) error {
			return deleteExpiredShares(ctx, tx, id, now)
		}))
	}
	return err
}

func deleteExpiredShares(ctx context.Context, tx *txn, workspace string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM share WHERE workspace = ? AND expires <= ?`,
		workspace, micros(now))
	return failed("delete expired shares", err)
}

// Share returns a share of any workspace by its token. A share that has expired
// is not found, even if it was not deleted yet.
func (s *Store) Share(ctx context.Context, token string, now time.Time) (share.Share, error) {
	h := share.Share{Token: token}
	var created, expires int64
	err := s.read.QueryRowContext(ctx,
		`SELECT session, title, created, expires, views, data, image FROM share
		 WHERE digest = ? AND expires > ?`,
		digest(token), micros(now)).
		Scan(&h.Session, &h.Title, &created, &expires, &h.Views, &h.Data, &h.Image)
	if err != nil {
		return h, failed("read share", notFound(err))
	}
	h.Created, h.Expires = fromMicros(created), fromMicros(expires)
	return h, nil
}

// CountView adds one to the views of a share.
func (s *Store) CountView(ctx context.Context, token string) error {
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx, `UPDATE share SET views = views + 1 WHERE digest = ?`, digest(token))
		return failed("count view", err)
	})
}

// Shares returns the shares of the workspace that have not expired, newest
// first, without their content.
func (s *Store) Shares(ctx context.Context, workspace string, now time.Time) ([]share.Share, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT token, session, title, created, expires, views FROM share
		 WHERE workspace = ? AND expires > ? ORDER BY created DESC, token LIMIT 200`, workspace, micros(now))
	if err != nil {
		return nil, failed("list shares", err)
	}
	defer rows.Close()
	var list []share.Share
	for rows.Next() {
		var h share.Share
		var created, expires int64
		if err := rows.Scan(&h.Token, &h.Session, &h.Title, &created, &expires, &h.Views); err != nil {
			return nil, failed("list shares", err)
		}
		h.Created, h.Expires = fromMicros(created), fromMicros(expires)
		list = append(list, h)
	}
	return list, failed("list shares", rows.Err())
}

// DeleteShare deletes a share of the workspace.
func (s *Store) DeleteShare(ctx context.Context, workspace, token string) error {
	return s.remove(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`DELETE FROM share WHERE digest = ? AND workspace = ?`, digest(token), workspace)
		return changedRow("delete share", result, err)
	})
}
