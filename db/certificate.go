package db

import (
	"context"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// TrustCertificate stores that the user trusts a certificate, in DER form, for
// a server of the workspace at an origin, in place of an earlier one.
func (s *Store) TrustCertificate(
	ctx context.Context, workspace, target, origin string, der []byte, at time.Time,
) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`INSERT INTO certificate (target, origin, sha256, der, added)
			 SELECT id, ?, ?, ?, ? FROM target WHERE id = ? AND workspace = ?
			 ON CONFLICT (target) DO UPDATE SET origin = excluded.origin, sha256 = excluded.sha256,
			   der = excluded.der, added = excluded.added`,
			origin, server.FingerprintOf(der), der, micros(at), target, workspace)
		return changedRow("trust certificate", result, err)
	})
}

// DistrustCertificate removes the trusted certificate of a server of the
// workspace. It returns playground.ErrNotFound if there is none.
func (s *Store) DistrustCertificate(ctx context.Context, workspace, target string) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`DELETE FROM certificate WHERE target IN (SELECT id FROM target WHERE id = ? AND workspace = ?)`,
			target, workspace)
		return changedRow("distrust certificate", result, err)
	})
}
