package db

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// LastChecks returns the newest check of each server that Targets returns, by server. One
// that was never checked is not among them.
func (s *Store) LastChecks(ctx context.Context, workspace string) (map[string]session.LastCheck, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT t.id, n.id, (SELECT l.bytes FROM log l WHERE l.id = t.id),
		   (SELECT coalesce(sum(l.bytes), 0) FROM exchange x JOIN log l ON l.id = x.id
		    WHERE x.session = n.id)
		 FROM (SELECT id FROM target WHERE workspace = ?1 ORDER BY created DESC, id LIMIT 100) t
		 JOIN session n ON n.id = (SELECT c.id FROM session c
		   WHERE c.workspace = ?1 AND c.called = ?2 || t.id AND c.called <> ''
		   ORDER BY c.created DESC LIMIT 1)`,
		workspace, session.CheckedKey(""))
	if err != nil {
		return nil, failed("list last checks", err)
	}
	defer rows.Close()
	list := map[string]session.LastCheck{}
	for rows.Next() {
		var target string
		var c session.LastCheck
		if err := rows.Scan(&target, &c.Session, &c.Connection, &c.Bytes); err != nil {
			return nil, failed("list last checks", err)
		}
		list[target] = c
	}
	return list, failed("list last checks", rows.Err())
}

// CapturesProgress returns CaptureProgress of each capture that Captures returns.
func (s *Store) CapturesProgress(ctx context.Context, workspace string) (map[string]int64, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT c.id,`+captureProgress+`
		FROM (SELECT id FROM capture WHERE workspace = ? ORDER BY created DESC, id LIMIT 100) c`, workspace)
	if err != nil {
		return nil, failed("read captures", err)
	}
	defer rows.Close()
	list := map[string]int64{}
	for rows.Next() {
		var id string
		var n int64
		if err := rows.Scan(&id, &n); err != nil {
			return nil, failed("read captures", err)
		}
		list[id] = n
	}
	return list, failed("read captures", rows.Err())
}

// EarlierChecks returns the checks of the same server that were made before a check of the
// workspace, the newest first, at most that many.
func (s *Store) EarlierChecks(
	ctx context.Context, workspace, id string, most int,
) ([]session.EarlierCheck, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT c.id, c.created, x.method, x.params
		 FROM session n
		 JOIN session c ON c.workspace = n.workspace AND c.called = n.called AND c.called <> ''
		   AND c.kind = n.kind AND (c.created, c.id) < (n.created, n.id)
		 JOIN exchange x ON x.id = (SELECT e.id FROM exchange e WHERE e.session = c.id
		   ORDER BY e.created, e.id LIMIT 1)
		 WHERE n.id = ? AND n.workspace = ? AND n.kind = ?
		 ORDER BY c.created DESC, c.id DESC LIMIT ?`, id, workspace, string(session.KindCheck), most)
	if err != nil {
		return nil, failed("list earlier checks", err)
	}
	defer rows.Close()
	var list []session.EarlierCheck
	for rows.Next() {
		var c session.EarlierCheck
		var created int64
		var params []byte
		if err := rows.Scan(&c.Session, &created, &c.Call.Method, &params); err != nil {
			return nil, failed("list earlier checks", err)
		}
		c.Created, c.Call.Params = fromMicros(created), params
		list = append(list, c)
	}
	return list, failed("list earlier checks", rows.Err())
}
