package db

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// A search reads the texts of the workspace that searches, newest sessions first,
// until it has a page. So it costs the more the longer that history is, and nothing
// for those of others.

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
	if q.Kind != "" {
		all = append(all, `s.kind = ?`)
		args = append(args, string(q.Kind))
	}
	switch q.Status {
	case "":
	case session.SearchToolError:
		all = append(all, inExchange(`x.tool_error = 1`))
	default:
		all = append(all, inExchange(`x.status = ?`))
		args = append(args, string(q.Status))
	}
	for _, word := range longestFirst(q.Words) {
		all = append(all, `(s.search LIKE ? ESCAPE '!' OR `+
			inExchange(`(x.search LIKE ? ESCAPE '!' OR x.status LIKE ? ESCAPE '!')`)+`)`)
		pattern := "%" + escapePattern.Replace(word) + "%"
		args = append(args, pattern, pattern, pattern)
	}
	return conditions{strings.Join(all, " AND "), args}
}

// longestFirst returns the normalised words. What lacks the longest one, which is
// likely to be the rarest, is not read for the others.
func longestFirst(words []string) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = session.Normalise(word)
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// inExchange returns the condition that an exchange x of the session s meets another
// one. The limit keeps PostgreSQL from looking for the exchanges of all sessions first.
func inExchange(condition string) string {
	return `EXISTS (SELECT 1 FROM exchange x WHERE x.session = s.id AND ` + condition + ` LIMIT 1 OFFSET 0)`
}

// escapePattern makes the wildcards of LIKE stand for themselves.
var escapePattern = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// lastScanned returns the position of the last session behind another one that a
// search reads, or a zero Cursor if there are fewer than session.MaxScanned.
func (s *Store) lastScanned(
	ctx context.Context, workspace string, after session.Cursor,
) (session.Cursor, error) {
	where, args := listed(workspace, after)
	var last session.Cursor
	var changed int64
	err := s.read.QueryRowContext(ctx,
		`SELECT s.id, s.pinned, s.changed FROM session s WHERE `+where+rowOrder+` LIMIT 1 OFFSET ?`,
		append(args, session.MaxScanned-1)...).Scan(&last.ID, &last.Pinned, &changed)
	if errors.Is(err, sql.ErrNoRows) {
		return session.Cursor{}, nil
	}
	last.Changed = fromMicros(changed)
	return last, failed("search sessions", err)
}
