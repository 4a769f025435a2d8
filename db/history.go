package db

import (
	"context"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// maxGist is how long params may be to be read for the list, in bytes.
const maxGist = 4096

// Sessions lists sessions of the workspace, pinned ones first, then the newest.
// The place where the last page ended is part of the key, so that every page
// costs the same.
func (s *Store) Sessions(ctx context.Context, workspace string, q session.Search) ([]session.Row, error) {
	where, args := searched(workspace, q)
	rows, err := s.read.QueryContext(ctx,
		`SELECT s.id, s.kind, s.title, s.note, s.pinned, s.imported, s.changed FROM session s WHERE `+where+
			` ORDER BY s.pinned DESC, s.changed DESC, s.id DESC LIMIT ?`, append(args, q.Most)...)
	if err != nil {
		return nil, failed("list sessions", err)
	}
	defer rows.Close()
	var list []session.Row
	for rows.Next() {
		var l session.Row
		var changed int64
		if err := rows.Scan(&l.ID, &l.Kind, &l.Title, &l.Note, &l.Pinned, &l.Imported, &changed); err != nil {
			return nil, failed("list sessions", err)
		}
		l.Changed = fromMicros(changed)
		list = append(list, l)
	}
	if err := rows.Err(); err != nil {
		return nil, failed("list sessions", err)
	}
	return list, s.addExchangeLines(ctx, list)
}

// searched is the condition of a list with its arguments. Nothing of the user
// becomes SQL: words are patterns in arguments.
func searched(workspace string, q session.Search) (string, []any) {
	where, args := []string{`s.workspace = ?`}, []any{workspace}
	if q.After.ID != "" {
		where = append(where, `(s.pinned, s.changed, s.id) < (?, ?, ?)`)
		args = append(args, q.After.Pinned, micros(q.After.Changed), q.After.ID)
	}
	switch q.Status {
	case "":
	case session.SearchToolError:
		where = append(where, `EXISTS (SELECT 1 FROM exchange x WHERE x.session = s.id AND x.tool_error = 1)`)
	default:
		where = append(where, `EXISTS (SELECT 1 FROM exchange x WHERE x.session = s.id AND x.status = ?)`)
		args = append(args, string(q.Status))
	}
	for _, word := range q.Words {
		where = append(where, `(s.title LIKE ? ESCAPE '!' OR s.note LIKE ? ESCAPE '!' OR EXISTS (
			SELECT 1 FROM exchange x WHERE x.session = s.id AND (x.name LIKE ? ESCAPE '!' OR x.url LIKE ? ESCAPE '!'
			OR x.method LIKE ? ESCAPE '!' OR x.status LIKE ? ESCAPE '!' OR x.words LIKE ? ESCAPE '!'
			OR CAST(x.params AS TEXT) LIKE ? ESCAPE '!')))`)
		for range 8 {
			args = append(args, pattern(word))
		}
	}
	return strings.Join(where, " AND "), args
}

// pattern finds a word anywhere; its own signs stand for themselves.
func pattern(word string) string {
	return "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(strings.ToLower(word)) + "%"
}

// addExchangeLines puts the exchanges into the lines of their sessions, with
// one query for all.
func (s *Store) addExchangeLines(ctx context.Context, list []session.Row) error {
	if len(list) == 0 {
		return nil
	}
	at, ids := map[string]int{}, make([]any, len(list))
	for i, l := range list {
		at[l.ID], ids[i] = i, l.ID
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT session, id, target, name, method, status, tool_error, rounds,
			(SELECT e.data FROM event e WHERE e.log = exchange.id ORDER BY e.seq LIMIT 1),
			CASE WHEN length(params) <= ? THEN params END FROM exchange
		 WHERE session IN (?`+strings.Repeat(", ?", len(ids)-1)+`) ORDER BY created, id`, append([]any{maxGist}, ids...)...)
	if err != nil {
		return failed("list exchanges", err)
	}
	defer rows.Close()
	for rows.Next() {
		var owner string
		var x session.ExchangeRow
		var first, params []byte
		if err := rows.Scan(&owner, &x.ID, &x.TargetID, &x.Target, &x.Method, &x.Status, &x.ToolError, &x.Rounds, &first, &params); err != nil {
			return failed("list exchanges", err)
		}
		x.Experiment = playground.Event{Kind: playground.Decided, Data: first}.Experiment()
		x.Summary = session.CallSummary(playground.Call{Method: x.Method, Params: params})
		l := &list[at[owner]]
		l.Exchanges = append(l.Exchanges, x)
	}
	return failed("list exchanges", rows.Err())
}
