package db

import (
	"context"
	"database/sql"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// History returns a page of everything that the workspace lists: sessions, saved calls, and
// links that have not expired. Each kind is read from its own index, from the position where the
// last page ended, so that every page costs the same.
func (s *Store) History(
	ctx context.Context, workspace string, q session.Search, now time.Time,
) (session.Page, error) {
	var p session.Page
	var err error
	if q.Kind.OfSession() {
		if p, err = s.Sessions(ctx, workspace, q); err != nil {
			return p, err
		}
	}
	for _, kind := range []session.Kind{session.KindSaved, session.KindLink} {
		if q.Status != "" || q.Kind != "" && q.Kind != kind {
			continue
		}
		rows, err := s.otherRows(ctx, workspace, kind, q, now)
		if err != nil {
			return session.Page{}, err
		}
		p.Rows = append(p.Rows, rows...)
	}
	if p.Cut.ID != "" { // sessions between may match
		p.Rows = slices.DeleteFunc(p.Rows, func(r session.Row) bool { return r.Cursor().Compare(p.Cut) > 0 })
	}
	slices.SortFunc(p.Rows, func(a, b session.Row) int { return a.Cursor().Compare(b.Cursor()) })
	p.Rows = p.Rows[:min(len(p.Rows), q.Limit)]
	return p, nil
}

// otherRows returns the first saved calls, or links, behind q.After that have the words.
func (s *Store) otherRows(
	ctx context.Context, workspace string, kind session.Kind, q session.Search, now time.Time,
) ([]session.Row, error) {
	limit := q.Limit
	if len(q.Words) > 0 {
		limit = session.MaxScanned
	}
	list := s.linkRows
	if kind == session.KindSaved {
		list = s.savedRows
	}
	rows, err := list(ctx, workspace, q.After, now, limit)
	words := longestFirst(q.Words)
	return slices.DeleteFunc(rows, func(r session.Row) bool {
		text := r.Title
		if r.Saved != nil {
			c := r.Saved
			text = strings.Join([]string{text, c.Server, c.Target, c.Name, string(c.Arguments)}, " ")
		}
		text = session.Normalise(text)
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	}), err
}

// savedRows returns the first saved calls behind a position in the list.
func (s *Store) savedRows(
	ctx context.Context, workspace string, after session.Cursor, _ time.Time, limit int,
) ([]session.Row, error) {
	where, args := behind(after, session.KindSaved, "c.created", "c.id", after.ID)
	rows, err := s.read.QueryContext(ctx, `SELECT `+savedCallColumns+`
		WHERE c.workspace = ?`+where+` ORDER BY c.created DESC, c.id DESC LIMIT ?`,
		slices.Concat([]any{workspace}, args, []any{limit})...)
	if err != nil {
		return nil, failed("list saved calls", err)
	}
	defer rows.Close()
	var list []session.Row
	for rows.Next() {
		c, err := scanSavedCall(rows)
		if err != nil {
			return nil, failed("list saved calls", err)
		}
		list = append(list, session.Row{
			ID: c.ID, Kind: session.KindSaved, Title: c.Title, Changed: c.Created, Saved: &c,
		})
	}
	return list, failed("list saved calls", rows.Err())
}

// linkRows returns the first links behind a position in the list that have not expired.
func (s *Store) linkRows(
	ctx context.Context, workspace string, after session.Cursor, now time.Time, limit int,
) ([]session.Row, error) {
	last, _ := hex.DecodeString(after.ID) // that of another kind is not used
	where, args := behind(after, session.KindLink, "created", "digest", last)
	rows, err := s.read.QueryContext(ctx, `SELECT digest, token, session, title, created, expires, views
		FROM share WHERE workspace = ?`+where+` AND expires > ? ORDER BY created DESC, digest DESC LIMIT ?`,
		slices.Concat([]any{workspace}, args, []any{micros(now), limit})...)
	if err != nil {
		return nil, failed("list links", err)
	}
	defer rows.Close()
	var list []session.Row
	for rows.Next() {
		r := session.Row{Kind: session.KindLink, Link: &session.Link{}}
		var id []byte
		var created, expires int64
		err := rows.Scan(&id, &r.Link.Token, &r.Link.Session, &r.Title, &created, &expires, &r.Link.Views)
		if err != nil {
			return nil, failed("list links", err)
		}
		r.ID, r.Changed, r.Link.Expires = hex.EncodeToString(id), fromMicros(created), fromMicros(expires)
		list = append(list, r)
	}
	return list, failed("list links", rows.Err())
}

// behind returns the condition that a row of a kind, which has these columns, is behind a
// position in the list. last is the id of that position in the form of the column.
func behind(
	after session.Cursor, kind session.Kind, created, id string, last any,
) (where string, args []any) {
	switch tie := after.CompareKind(kind); {
	case after.ID == "" || after.Pinned:
		return "", nil
	case after.Kind == kind:
		return ` AND (` + created + `, ` + id + `) < (?, ?)`, []any{micros(after.Changed), last}
	case tie < 0:
		return ` AND ` + created + ` <= ?`, []any{micros(after.Changed)}
	}
	return ` AND ` + created + ` < ?`, []any{micros(after.Changed)}
}

// Sessions returns a page of the sessions of the workspace that a search asks for,
// pinned ones first, then the newest. The position where the last page ended is
// part of the key, so that every page costs the same. A search reads at most
// session.MaxScanned sessions; where it stopped is session.Page.Cut.
func (s *Store) Sessions(ctx context.Context, workspace string, q session.Search) (session.Page, error) {
	var p session.Page
	var last session.Cursor
	var err error
	conditions := conditionsOf(q)
	if conditions.hit != "" {
		if last, err = s.lastScanned(ctx, workspace, q.After); err != nil {
			return p, err
		}
	}
	p.Rows, err = s.listSessions(ctx, workspace, conditions, q, last)
	if err != nil {
		return session.Page{}, err
	}
	if len(p.Rows) < q.Limit {
		p.Cut = last
	}
	if err := s.addStories(ctx, p.Rows); err != nil {
		return p, err
	}
	return p, s.addExchangeRows(ctx, p.Rows)
}

// listSessions returns the first sessions behind q.After that meet the conditions,
// none behind last unless that is zero.
func (s *Store) listSessions(
	ctx context.Context, workspace string, c conditions, q session.Search, last session.Cursor,
) ([]session.Row, error) {
	where, args := listed(workspace, q.After)
	if last.ID != "" {
		where += ` AND (s.pinned, s.changed, s.id) >= (?, ?, ?)`
		args = append(args, last.Pinned, micros(last.Changed), last.ID)
	}
	if c.hit != "" {
		where += ` AND ` + c.hit
		args = append(args, c.args...)
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+rowColumns+` FROM session s WHERE `+where+rowOrder+` LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, failed("list sessions", err)
	}
	defer rows.Close()
	var list []session.Row
	for rows.Next() {
		r, err := scanRow(rows)
		if err != nil {
			return nil, failed("list sessions", err)
		}
		list = append(list, r)
	}
	return list, failed("list sessions", rows.Err())
}

// listed returns the condition that a session s of the workspace is behind a position
// in the list.
func listed(workspace string, after session.Cursor) (where string, args []any) {
	if after.ID == "" {
		return `s.workspace = ?`, []any{workspace}
	}
	if !after.Kind.OfSession() {
		after.ID = "" // sessions of the same moment were before it
	}
	return `s.workspace = ? AND (s.pinned, s.changed, s.id) < (?, ?, ?)`,
		[]any{workspace, after.Pinned, micros(after.Changed), after.ID}
}

// rowColumns are the columns of a session.Row without its exchanges, and rowOrder is
// the order of a list of them.
const (
	rowColumns = `s.id, s.kind, s.title, s.note, s.pinned, s.imported, s.changed`
	rowOrder   = ` ORDER BY s.pinned DESC, s.changed DESC, s.id DESC`
)

// scanRow returns the session of a row of rowColumns.
func scanRow(rows *sql.Rows) (session.Row, error) {
	var r session.Row
	var changed int64
	err := rows.Scan(&r.ID, &r.Kind, &r.Title, &r.Note, &r.Pinned, &r.Imported, &changed)
	r.Changed = fromMicros(changed)
	return r, err
}

// addStories adds the stories of listed demos, with one query for all.
func (s *Store) addStories(ctx context.Context, list []session.Row) error {
	demos := map[string]*session.Row{}
	var ids []any
	for i := range list {
		if list[i].Kind == session.KindDemo {
			demos[list[i].ID], ids = &list[i], append(ids, list[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT session, story FROM stage WHERE session IN (?`+strings.Repeat(", ?", len(ids)-1)+`)`, ids...)
	if err != nil {
		return failed("list stories of demos", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, story string
		if err := rows.Scan(&id, &story); err != nil {
			return failed("list stories of demos", err)
		}
		demos[id].Story = story
	}
	return failed("list stories of demos", rows.Err())
}

// addExchangeRows adds the exchanges of listed sessions, with one query for
// all.
func (s *Store) addExchangeRows(ctx context.Context, list []session.Row) error {
	if len(list) == 0 {
		return nil
	}
	ids := make([]any, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	rows, err := s.readExchangeRows(ctx, `?`+strings.Repeat(", ?", len(ids)-1), ids...)
	for i := range list {
		list[i].Exchanges = rows[list[i].ID]
	}
	return err
}

// readExchangeRows returns the exchanges of the sessions with some ids, which are a
// list or a query, by session, oldest first.
func (s *Store) readExchangeRows(
	ctx context.Context, ids string, args ...any,
) (map[string][]session.ExchangeRow, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT session, id, target, name, method, status, tool_error, sign_in, rounds, experiment,
		   summary, answers, result, coalesce(parent, ''), coalesce(parent_round, 0)
		 FROM exchange WHERE session IN (`+ids+`)
		 ORDER BY created, id`, args...)
	if err != nil {
		return nil, failed("list exchanges", err)
	}
	defer rows.Close()
	bySession := map[string][]session.ExchangeRow{}
	for rows.Next() {
		var id string
		var x session.ExchangeRow
		err := rows.Scan(&id, &x.ID, &x.TargetID, &x.Target, &x.Method,
			&x.Status, &x.ToolError, &x.SignIn, &x.Rounds, &x.Experiment, &x.Summary,
			&x.Answers, &x.Result, &x.Parent, &x.From)
		if err != nil {
			return nil, failed("list exchanges", err)
		}
		bySession[id] = append(bySession[id], x)
	}
	return bySession, failed("list exchanges", rows.Err())
}

// ExchangeRows returns the exchanges of a session of the workspace, oldest
// first, or playground.ErrNotFound.
func (s *Store) ExchangeRows(ctx context.Context, workspace, id string) ([]session.ExchangeRow, error) {
	rows, err := s.readExchangeRows(ctx, `SELECT id FROM session WHERE id = ? AND workspace = ?`,
		id, workspace)
	if err != nil || len(rows) > 0 {
		return rows[id], err
	}
	return nil, s.HasSession(ctx, workspace, id)
}
