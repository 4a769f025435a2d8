package db

import (
	"context"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Sessions returns the sessions of the workspace that a search asks for, pinned
// ones first, then the newest. The position where the last page ended is part
// of the key, so that every page costs the same.
func (s *Store) Sessions(ctx context.Context, workspace string, q session.Search) ([]session.Row, error) {
	where, args := searchCondition(workspace, q)
	rows, err := s.read.QueryContext(ctx,
		`SELECT s.id, s.kind, s.title, s.note, s.pinned, s.imported, s.changed FROM session s WHERE `+where+
			` ORDER BY s.pinned DESC, s.changed DESC, s.id DESC LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, failed("list sessions", err)
	}
	defer rows.Close()
	var list []session.Row
	for rows.Next() {
		var r session.Row
		var changed int64
		err := rows.Scan(&r.ID, &r.Kind, &r.Title, &r.Note, &r.Pinned, &r.Imported, &changed)
		if err != nil {
			return nil, failed("list sessions", err)
		}
		r.Changed = fromMicros(changed)
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, failed("list sessions", err)
	}
	return list, s.addExchangeRows(ctx, list)
}

// searchCondition returns the condition of a search and its arguments. Nothing
// that the user typed becomes SQL. A word is found in the session or in one of
// its exchanges, where it may also be a part of the status, which is written in
// lower case.
func searchCondition(workspace string, q session.Search) (string, []any) {
	where, args := []string{`s.workspace = ?`}, []any{workspace}
	if q.After.ID != "" {
		where = append(where, `(s.pinned, s.changed, s.id) < (?, ?, ?)`)
		args = append(args, q.After.Pinned, micros(q.After.Changed), q.After.ID)
	}
	switch q.Status {
	case "":
	case session.SearchToolError:
		where = append(where,
			`EXISTS (SELECT 1 FROM exchange x WHERE x.session = s.id AND x.tool_error = 1)`)
	default:
		where = append(where, `EXISTS (SELECT 1 FROM exchange x WHERE x.session = s.id AND x.status = ?)`)
		args = append(args, string(q.Status))
	}
	for _, word := range q.Words {
		where = append(where, `(s.search LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM exchange x
			WHERE x.session = s.id AND (x.search LIKE ? ESCAPE '!' OR x.status LIKE ? ESCAPE '!')))`)
		pattern := "%" + escapePattern.Replace(session.Normalise(word)) + "%"
		args = append(args, pattern, pattern, pattern)
	}
	return strings.Join(where, " AND "), args
}

// escapePattern makes the wildcards of LIKE stand for themselves.
var escapePattern = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// addExchangeRows adds the exchanges of listed sessions, with one query for
// all.
func (s *Store) addExchangeRows(ctx context.Context, list []session.Row) error {
	if len(list) == 0 {
		return nil
	}
	index, ids := map[string]int{}, make([]any, len(list))
	for i, r := range list {
		index[r.ID], ids[i] = i, r.ID
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT session, id, target, name, method, status, tool_error, rounds, experiment, summary,
		   answers, result, coalesce(parent, ''), coalesce(parent_round, 0)
		 FROM exchange WHERE session IN (?`+strings.Repeat(", ?", len(ids)-1)+`)
		 ORDER BY created, id`, ids...)
	if err != nil {
		return failed("list exchanges", err)
	}
	defer rows.Close()
	for rows.Next() {
		var owner string
		var x session.ExchangeRow
		err := rows.Scan(&owner, &x.ID, &x.TargetID, &x.Target, &x.Method,
			&x.Status, &x.ToolError, &x.Rounds, &x.Experiment, &x.Summary,
			&x.Answers, &x.Result, &x.Parent, &x.From)
		if err != nil {
			return failed("list exchanges", err)
		}
		r := &list[index[owner]]
		r.Exchanges = append(r.Exchanges, x)
	}
	return failed("list exchanges", rows.Err())
}

// ExchangeRows returns the exchanges of a session of the workspace, oldest
// first, or playground.ErrNotFound.
func (s *Store) ExchangeRows(ctx context.Context, workspace, id string) ([]session.ExchangeRow, error) {
	if err := s.HasSession(ctx, workspace, id); err != nil {
		return nil, err
	}
	list := []session.Row{{ID: id}}
	err := s.addExchangeRows(ctx, list)
	return list[0].Exchanges, err
}
