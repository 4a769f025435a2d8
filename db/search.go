package db

import (
	"context"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// conditions are what a search wants of a session s. Nothing that the user typed
// becomes SQL.
type conditions struct {
	hit  string // empty for none
	args []any
}

// conditionsOf returns the conditions of a search. A word is found in the session or
// in one of its exchanges, where it may also be a part of the status, which is
// written in lower case.
func conditionsOf(q session.Search) conditions {
	var all []string
	var args []any
	switch q.Status {
	case "":
	case session.SearchToolError:
		all = append(all, `EXISTS (SELECT 1 FROM exchange x WHERE x.session = s.id AND x.tool_error = 1)`)
	default:
		all = append(all, `EXISTS (SELECT 1 FROM exchange x WHERE x.session = s.id AND x.status = ?)`)
		args = append(args, string(q.Status))
	}
	for _, word := range q.Words {
		all = append(all, `(s.search LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM exchange x
			WHERE x.session = s.id AND (x.search LIKE ? ESCAPE '!' OR x.status LIKE ? ESCAPE '!')))`)
		pattern := "%" + escapePattern.Replace(session.Normalise(word)) + "%"
		args = append(args, pattern, pattern, pattern)
	}
	return conditions{strings.Join(all, " AND "), args}
}

// escapePattern makes the wildcards of LIKE stand for themselves.
var escapePattern = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// expression returns the conditions as an expression that is 0 or 1.
func (c conditions) expression() string {
	if c.hit == "" {
		return "1"
	}
	return "CASE WHEN " + c.hit + " THEN 1 ELSE 0 END"
}

// search returns a page of the sessions that meet conditions. If few sessions can
// meet them, it reads these, wherever they are in the list. Otherwise many of the
// newest ones do, and it reads the list.
func (s *Store) search(
	ctx context.Context, workspace string, q session.Search, c conditions,
) (session.Page, error) {
	ids, few, err := s.candidates(ctx, workspace, q)
	if err != nil {
		return session.Page{}, err
	}
	if few {
		rows, err := s.searchAmong(ctx, workspace, q, c, ids)
		return session.Page{Rows: rows}, err
	}
	return s.searchList(ctx, workspace, q, c)
}

// searchAmong returns those of some sessions that meet conditions.
func (s *Store) searchAmong(
	ctx context.Context, workspace string, q session.Search, c conditions, ids []string,
) ([]session.Row, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	// The concatenation keeps SQLite from reading the whole list through its index.
	where := ` FROM session s WHERE s.id IN ` + s.each() + ` AND s.workspace || '' = ? AND ` + c.hit
	args := append([]any{array(ids), workspace}, c.args...)
	if q.After.ID != "" {
		where += ` AND (s.pinned, s.changed, s.id) < (?, ?, ?)`
		args = append(args, q.After.Pinned, micros(q.After.Changed), q.After.ID)
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+rowColumns+where+rowOrder+` LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, failed("search sessions", err)
	}
	defer rows.Close()
	var list []session.Row
	for rows.Next() {
		r, err := scanRow(rows)
		if err != nil {
			return nil, failed("search sessions", err)
		}
		list = append(list, r)
	}
	return list, failed("search sessions", rows.Err())
}

// searchList reads the list in pieces, each larger than the one before, until it has
// a page or has read session.MaxScanned sessions.
func (s *Store) searchList(
	ctx context.Context, workspace string, q session.Search, c conditions,
) (session.Page, error) {
	var p session.Page
	after := q.After
	for read, n := 0, min(2*q.Limit, session.MaxScanned); ; {
		list, end, err := s.listSessions(ctx, workspace, c, after, n)
		if err != nil {
			return session.Page{}, err
		}
		p.Rows = append(p.Rows, list...)
		read += n
		switch {
		case len(p.Rows) >= q.Limit:
			p.Rows = p.Rows[:q.Limit]
			return p, nil
		case end.ID == "":
			return p, nil
		case read >= session.MaxScanned:
			p.Cut = end
			return p, nil
		}
		after, n = end, min(2*n, session.MaxScanned-read)
	}
}

// candidates returns the ids of the sessions that can meet a search, unless these
// are more than a few.
func (s *Store) candidates(
	ctx context.Context, workspace string, q session.Search,
) (ids []string, few bool, err error) {
	const unindexed = `SELECT id FROM session WHERE workspace = ? AND indexed = 0 LIMIT ?`
	// What is put into the vocabulary meanwhile is found here, and what is taken out of
	// it meanwhile is found below.
	before, err := queryTexts(ctx, s.read, unindexed, workspace, session.MaxScanned+1)
	if err != nil || len(before) > session.MaxScanned {
		return nil, false, err
	}
	if len(before) >= indexLeast {
		s.indexer.notice(workspace)
	}
	words, few, err := s.rarestPiece(ctx, workspace, pieces(q))
	if err != nil || !few {
		return nil, false, err
	}
	ids, err = queryTexts(ctx, s.read,
		`SELECT session FROM word_session WHERE word IN `+s.eachID()+`
		 UNION SELECT * FROM (`+unindexed+`) missing`, array(words), workspace, session.MaxScanned+1)
	if err != nil || len(ids) > session.MaxScanned {
		return nil, false, err
	}
	ids = append(ids, before...)
	slices.Sort(ids)
	return slices.Compact(ids), true, nil
}

// pieces returns parts of words that every session contains that a search finds. It
// is empty for a search for signs alone.
func pieces(q session.Search) []string {
	var list []string
	for _, word := range q.Words {
		list = append(list, session.SearchWords(session.Normalise(word))...)
	}
	switch q.Status {
	case "":
	case session.SearchToolError:
		list = append(list, toolErrorWord)
	default:
		list = append(list, session.SearchWords(string(q.Status))...)
	}
	return list
}

// rarestPiece returns the words that contain that piece which the fewest sessions
// have, and whether these are few.
func (s *Store) rarestPiece(
	ctx context.Context, workspace string, pieces []string,
) (words []int64, few bool, err error) {
	fewest := int64(maxListed)
	for _, piece := range pieces {
		ids, sessions, err := s.wordsWith(ctx, workspace, piece)
		if err != nil {
			return nil, false, err
		}
		if sessions > fewest {
			continue
		}
		words, few, fewest = ids, true, sessions
		if fewest == 0 {
			break
		}
	}
	return words, few, nil
}

// wordsWith returns the words of a vocabulary that contain a text, or begin to, and
// how many sessions have them at most. If one is common, or there are more words than
// a search asks for, these are more than maxListed.
func (s *Store) wordsWith(
	ctx context.Context, workspace, piece string,
) (words []int64, sessions int64, err error) {
	from := session.Beginning(piece)
	until := session.AfterPrefix(from)
	below := ``
	args := []any{workspace, from}
	if until != "" {
		below = ` AND e.text < ?`
		args = append(args, until)
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT w.id, w.sessions, w.common FROM word w WHERE w.id IN (
		   SELECT e.word FROM ending e WHERE e.vocabulary = (SELECT id FROM vocabulary WHERE workspace = ?)
		     AND e.text >= ?`+below+` LIMIT ?)`, append(args, maxWords+1)...)
	if err != nil {
		return nil, 0, failed("find words", err)
	}
	defer rows.Close()
	for rows.Next() {
		var w word
		if err := rows.Scan(&w.id, &w.sessions, &w.common); err != nil {
			return nil, 0, failed("find words", err)
		}
		if w.common {
			return nil, maxListed + 1, nil
		}
		words = append(words, w.id)
		sessions += w.sessions
	}
	if len(words) > maxWords {
		return nil, maxListed + 1, nil
	}
	return words, sessions, failed("find words", rows.Err())
}
