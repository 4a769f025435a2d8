package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// saltBytes is the length of the salt of a day.
const saltBytes = 32

// Salt returns the salt of a day, which it makes if there is none. It then
// deletes earlier days with their payers, so that their hashes mean nothing any
// more.
func (s *Store) Salt(ctx context.Context, day int64) ([]byte, error) {
	salt, err := readSalt(ctx, s.read, day)
	if err != nil || salt != nil {
		return salt, err
	}
	err = s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		fresh := make([]byte, saltBytes)
		_, _ = rand.Read(fresh) // never fails
		_, err := tx.ExecContext(ctx,
			`INSERT INTO day (day, salt) VALUES (?, ?) ON CONFLICT DO NOTHING`, day, fresh)
		if err != nil {
			return failed("add day", err)
		}
		if err := deleteDays(ctx, tx, day); err != nil {
			return err
		}
		salt, err = readSalt(ctx, tx, day)
		return err
	})
	return salt, err
}

// readSalt returns the salt of a day, or nil if there is none.
func readSalt(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, day int64,
) ([]byte, error) {
	var salt []byte
	err := db.QueryRowContext(ctx, `SELECT salt FROM day WHERE day = ?`, day).Scan(&salt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return salt, failed("read day", err)
}

// DeleteDays deletes what addresses stored on the days before one, with the
// salts of their hashes.
func (s *Store) DeleteDays(ctx context.Context, before int64) error {
	return s.end(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		return deleteDays(ctx, tx, before)
	})
}

func deleteDays(ctx context.Context, tx *txn, before int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM day WHERE day < ?`, before)
	return failed("delete days", err)
}

// payerID returns the id of the payer of ctx, or 0 if it has none or its day
// was deleted. It notes which network the payer is part of.
func payerID(ctx context.Context, tx *txn) (id int64, err error) {
	p := usage.PayerOf(ctx)
	if p.Hash == "" || tx.payer > 0 {
		return tx.payer, nil
	}
	defer func() { tx.payer = id }()
	const find = `SELECT id FROM payer WHERE day = ? AND hash = ? AND network = ?`
	err = tx.QueryRowContext(ctx, find, p.Day, p.Hash, p.Network).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, failed("read payer", err)
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO payer (day, hash, network) SELECT day, ?, ? FROM day WHERE day = ?
		 ON CONFLICT (day, hash) DO UPDATE SET network = excluded.network`, p.Hash, p.Network, p.Day)
	if err != nil {
		return 0, failed("add payer", err)
	}
	err = tx.QueryRowContext(ctx, find, p.Day, p.Hash, p.Network).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, failed("read payer", err)
}

// setPayer charges later additions to a log to the payer of ctx, if
// it has one that is not the one until now.
func setPayer(ctx context.Context, tx *txn, log string, now usage.Payer) error {
	if usage.PayerOf(ctx) == now {
		return nil
	}
	id, err := payerID(ctx, tx)
	if err != nil || id == 0 {
		return err
	}
	return tx.Later(ctx, "set payer", nil, `UPDATE log SET payer = ? WHERE id = ?`, id, log)
}

// charge adds what a new row counts, which is in no log, to what the payer of ctx has
// stored. The row is the rest of a query: share WHERE digest = ?.
func charge(ctx context.Context, tx *txn, row string, args ...any) error {
	id, err := payerID(ctx, tx)
	if err != nil || id == 0 {
		return err
	}
	return tx.Later(ctx, "charge", nil,
		`UPDATE payer SET bytes = bytes + coalesce((SELECT bytes FROM `+row+`), 0) WHERE id = ?`,
		append(args, id)...)
}

// chargeGrowth changes a row that is in no log and charges its growth in bytes to the payer
// of ctx. A row that shrinks gives nothing back.
func chargeGrowth(ctx context.Context, tx *txn, row string, args []any, change func() error) error {
	payer, err := payerID(ctx, tx)
	if err != nil {
		return err
	}
	if payer == 0 {
		return change()
	}
	count := `SELECT coalesce((SELECT bytes FROM ` + row + `), 0)`
	var before, after int64
	if err := tx.QueryRowContext(ctx, count, args...).Scan(&before); err != nil {
		return failed("charge", err)
	}
	if err := change(); err != nil {
		return err
	}
	err = tx.QueryRowContext(ctx, count, args...).Scan(&after)
	if err != nil || after <= before {
		return failed("charge", err)
	}
	return tx.Later(ctx, "charge", nil, `UPDATE payer SET bytes = bytes + ? WHERE id = ?`,
		after-before, payer)
}

// Below reports whether certainly fewer bytes are stored in all than that, without a query.
func (s *Store) Below(bytes int64) bool { return s.db.Below(bytes) }

// Storage returns how much is stored by a workspace, in a session or capture unless
// its id is "", by a payer and its network on its day, and in all. It reads a few rows
// and the events of the session, however much is stored.
func (s *Store) Storage(
	ctx context.Context, workspace, session string, p usage.Payer,
) (usage.Storage, error) {
	var u usage.Storage
	size, paid, args := `0`, `0, 0`, []any{}
	if session != "" {
		size, args = sizeOfSession, append(args, session)
	}
	args = append(args, workspace)
	owned := fmt.Sprintf(`coalesce((SELECT bytes FROM workspace WHERE id = ?%d), 0)`, len(args))
	if p.Hash != "" {
		n := len(args)
		args = append(args, p.Day, p.Hash, p.Network)
		paid = fmt.Sprintf(`coalesce((SELECT bytes FROM payer WHERE day = ?%[1]d AND hash = ?%[2]d), 0),
		   coalesce((SELECT bytes FROM payer WHERE day = ?%[1]d AND hash = ?%[3]d), 0)`, n+1, n+2, n+3)
	}
	err := s.read.QueryRowContext(ctx, `SELECT `+size+`, `+owned+`, `+paid+`, `+s.db.Used(), args...).
		Scan(&u.Session, &u.Workspace, &u.Address, &u.Network, &u.Total)
	return u, failed("measure storage", err)
}

// SessionStorage returns what Storage does for the owner of a session and for
// the payer of its first exchange.
func (s *Store) SessionStorage(ctx context.Context, session string) (usage.Storage, error) {
	var u usage.Storage
	err := s.read.QueryRowContext(ctx,
		`SELECT coalesce((SELECT w.bytes FROM session n JOIN workspace w ON w.id = n.workspace
		                  WHERE n.id = ?1), 0),
		   coalesce(p.bytes, 0), coalesce(n.bytes, 0), `+s.db.Used()+`
		 FROM (SELECT 1) one
		 LEFT JOIN payer p ON p.id = (SELECT l.payer FROM exchange x JOIN log l ON l.id = x.id
		                              WHERE x.session = ?1 ORDER BY x.created LIMIT 1)
		 LEFT JOIN payer n ON n.day = p.day AND n.hash = p.network`, session).
		Scan(&u.Workspace, &u.Address, &u.Network, &u.Total)
	return u, failed("measure storage", err)
}

// StorageReport returns who stores how much: at most n workspaces, addresses
// and networks of a day, and running logs.
func (s *Store) StorageReport(ctx context.Context, day int64, n int) (usage.Report, error) {
	r := usage.Report{Day: day}
	size, err := s.Size(ctx)
	if err != nil {
		return r, err
	}
	r.Total, r.Free, r.Count = size.Used, size.Free, size.Workspaces
	r.Workspaces, err = s.usageRows(ctx,
		`SELECT w.id, w.bytes, (SELECT count(*) FROM session s WHERE s.workspace = w.id), w.seen,
		   EXISTS (SELECT 1 FROM block b WHERE b.kind = 'workspace' AND b.id = w.id)
		 FROM workspace w ORDER BY w.bytes DESC, w.id LIMIT ?`, n)
	if err != nil {
		return r, err
	}
	const networks = `(SELECT network FROM payer WHERE day = ?1)`
	r.Addresses, err = s.usageRows(ctx,
		`SELECT p.hash, p.bytes, 0, 0,
		   EXISTS (SELECT 1 FROM block b WHERE b.kind = 'address' AND b.id = p.hash)
		 FROM payer p WHERE p.day = ?1 AND p.hash NOT IN `+networks+`
		 ORDER BY p.bytes DESC, p.hash LIMIT ?2`, day, n)
	if err != nil {
		return r, err
	}
	r.Networks, err = s.usageRows(ctx,
		`SELECT p.hash, p.bytes, 0, 0, 0 FROM payer p WHERE p.day = ?1 AND p.hash IN `+networks+`
		 ORDER BY p.bytes DESC, p.hash LIMIT ?2`, day, n)
	if err != nil {
		return r, err
	}
	r.Running, err = s.running(ctx, n)
	return r, err
}

func (s *Store) usageRows(ctx context.Context, query string, args ...any) ([]usage.Row, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, failed("list usage", err)
	}
	defer rows.Close()
	list := []usage.Row{} // not null in JSON
	for rows.Next() {
		var r usage.Row
		var seen int64
		if err := rows.Scan(&r.ID, &r.Bytes, &r.Sessions, &seen, &r.Blocked); err != nil {
			return nil, failed("list usage", err)
		}
		if seen > 0 {
			at := fromMicros(seen)
			r.Seen = &at
		}
		list = append(list, r)
	}
	return list, failed("list usage", rows.Err())
}

// running returns at most n logs that something is held for.
func (s *Store) running(ctx context.Context, n int) ([]usage.Running, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT x.id, l.workspace, x.name, l.bytes FROM exchange x JOIN log l ON l.id = x.id WHERE x.held = 1
		 UNION ALL SELECT l.id, k.workspace, k.name, l.bytes FROM capture k
		 JOIN capture_log h ON h.capture = k.id JOIN log l ON l.id = h.id WHERE h.held = 1
		 UNION ALL SELECT t.id, t.workspace, t.name, l.bytes FROM target t JOIN log l ON l.id = t.id
		 WHERE t.status = 'connecting' LIMIT ?`, n)
	if err != nil {
		return nil, failed("list running logs", err)
	}
	defer rows.Close()
	list := []usage.Running{} // not null in JSON
	for rows.Next() {
		var r usage.Running
		if err := rows.Scan(&r.Log, &r.Workspace, &r.Server, &r.Bytes); err != nil {
			return nil, failed("list running logs", err)
		}
		list = append(list, r)
	}
	return list, failed("list running logs", rows.Err())
}

// Held returns the ids of what may be running of a workspace: exchanges and
// targets that something is held for, and the sessions that checks can run in.
func (s *Store) Held(ctx context.Context, workspace string) ([]string, error) {
	return engine.Texts(ctx, s.read,
		`SELECT x.id FROM exchange x JOIN session s ON s.id = x.session WHERE s.workspace = ?1 AND x.held = 1
		 UNION ALL SELECT id FROM target WHERE workspace = ?1 AND status = 'connecting'
		 UNION ALL SELECT id FROM session WHERE workspace = ?1 AND kind <> 'demo'`, workspace)
}

// Owners returns the workspaces of sessions, by session. Sessions that were
// deleted are left out.
func (s *Store) Owners(ctx context.Context, sessions []string) (map[string]string, error) {
	owners := map[string]string{}
	for _, id := range sessions {
		var workspace string
		err := s.read.QueryRowContext(ctx, `SELECT workspace FROM session WHERE id = ?`, id).Scan(&workspace)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, failed("read owners", err)
		}
		owners[id] = workspace
	}
	return owners, nil
}

// PurgeWorkspace deletes a workspace with everything in it. The cookie of its
// owner stays valid and finds it empty.
func (s *Store) PurgeWorkspace(ctx context.Context, id string) error {
	exists := func(ctx context.Context, tx *txn) error {
		var found string
		err := tx.QueryRowContext(ctx, `SELECT id FROM workspace WHERE id = ?`, id).Scan(&found)
		return failed("find workspace", notFound(err))
	}
	return s.inPieces(ctx, id, exists, func() error {
		return s.remove(ctx, ofWorkspace(id), func(ctx context.Context, tx *txn) error {
			if err := exists(ctx, tx); err != nil {
				return err
			}
			return deleteWorkspace(ctx, tx, id)
		})
	})
}

// Blocks returns the blocked visitors, newest first.
func (s *Store) Blocks(ctx context.Context) ([]usage.Block, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT kind, id, salt, at FROM block ORDER BY at DESC, kind, id`)
	if err != nil {
		return nil, failed("list blocks", err)
	}
	defer rows.Close()
	list := []usage.Block{} // not null in JSON
	for rows.Next() {
		var b usage.Block
		var at int64
		if err := rows.Scan(&b.Kind, &b.ID, &b.Salt, &at); err != nil {
			return nil, failed("list blocks", err)
		}
		b.At = fromMicros(at)
		list = append(list, b)
	}
	return list, failed("list blocks", rows.Err())
}

// notBlocked is the condition that a column has a workspace that is not blocked: what
// another program reaches by a token ends with its owner, on every replica at once.
func notBlocked(column string) string {
	return ` NOT EXISTS (SELECT 1 FROM block WHERE kind = 'workspace' AND id = ` + column + `)`
}

// BlockWorkspace stores that a workspace is blocked. It need not exist.
func (s *Store) BlockWorkspace(ctx context.Context, id string, at time.Time) error {
	return s.end(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO block (kind, id, at) VALUES ('workspace', ?, ?) ON CONFLICT DO NOTHING`,
			id, micros(at))
		return failed("block workspace", err)
	})
}

// BlockAddress stores that an address is blocked, by its hash on a day. It
// keeps the salt of that day. The error is playground.ErrNotFound if the day was
// deleted.
func (s *Store) BlockAddress(ctx context.Context, hash string, day int64, at time.Time) error {
	return s.end(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`INSERT INTO block (kind, id, salt, at) SELECT 'address', ?, salt, ? FROM day WHERE day = ?
			 ON CONFLICT (kind, id) DO UPDATE SET at = excluded.at`, hash, micros(at), day)
		return changedRow("block address", result, err)
	})
}

// Unblock deletes a block.
func (s *Store) Unblock(ctx context.Context, kind, id string) error {
	return s.change(ctx, owner{}, func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM block WHERE kind = ? AND id = ?`, kind, id)
		return changedRow("unblock", result, err)
	})
}
