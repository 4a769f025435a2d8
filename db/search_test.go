package db

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// onEngines runs a test on each engine.
func onEngines(t *testing.T, f func(t *testing.T, s *Store)) {
	t.Run("SQLite", func(t *testing.T) { s, _ := newStore(t); f(t, s) })
	t.Run("PostgreSQL", func(t *testing.T) { s, _ := newPostgres(t); f(t, s) })
}

// manyOn stores n sessions of one exchange. Their search text is the letter s, and
// their title t.
func manyOn(t *testing.T, s *Store, n int) {
	t.Helper()
	if s.onPostgres() {
		manySessions(t, s, n-1)
		return
	}
	addMany(t, s, n)
}

// TestSearch_LongHistory: what a search finds in a long history is complete, or the
// page says where it stopped.
func TestSearch_LongHistory(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		const n = session.MaxScanned + 100
		manyOn(t, s, n)
		if err := s.EditSession(t.Context(), "w", "s00107", "t needle", "", false); err != nil {
			t.Fatal(err)
		}
		find := func(q session.Search) session.Page {
			t.Helper()
			q.Limit = 51
			p, err := s.Sessions(t.Context(), "w", q)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		if p := find(session.Search{Words: []string{"s"}}); len(p.Rows) != 51 || p.Cut.ID != "" {
			t.Errorf("common: %d, cut at %+v", len(p.Rows), p.Cut)
		}
		cut := fmt.Sprintf("s%05d", n-session.MaxScanned)
		for _, words := range []string{"s needle", "eedl", "NEEDLE t"} {
			p := find(session.Search{Words: strings.Fields(words)})
			if len(p.Rows) != 1 || p.Rows[0].ID != "s00107" || p.Cut.ID != cut {
				t.Errorf("%s: %d, cut at %+v", words, len(p.Rows), p.Cut)
			}
			p = find(session.Search{Words: strings.Fields(words), After: p.Cut})
			if len(p.Rows) != 0 || p.Cut.ID != "" {
				t.Errorf("%s, the rest: %+v", words, p)
			}
		}
	})
}

// TestSearch_OtherWorkspaces: a search finds nothing of another workspace that has the
// word.
func TestSearch_OtherWorkspaces(t *testing.T) {
	onEngines(t, func(t *testing.T, s *Store) {
		filledWith(t, s, "one", "Übung", 0, 9)
		filledWith(t, s, "two", "other", 0, 9)
		for workspace, want := range map[string]int{"one": 4, "two": 0} {
			q := session.Search{Limit: 9, Words: []string{"übung"}}
			p, err := s.Sessions(t.Context(), workspace, q)
			if err != nil || len(p.Rows) != want {
				t.Errorf("%s: %d found, want %d, %v", workspace, len(p.Rows), want, err)
			}
		}
	})
}

// searches are searches whose cost is looked at: none finds anything among the
// sessions of manyOn.
var searches = map[string]session.Search{
	"word":            {Limit: 51, Words: []string{"nowhere"}},
	"word and common": {Limit: 51, Words: []string{"s", "nowhere"}},
	"letter":          {Limit: 51, Words: []string{"ø"}},
	"status":          {Limit: 51, Status: "failed"},
	"tool error":      {Limit: 51, Status: session.SearchToolError},
	"behind a page": {
		Limit: 51, Words: []string{"ø"}, After: session.Cursor{ID: "s00060", Changed: time.Unix(60, 0)},
	},
}

// TestSearch_CostOfAMiss: a search without a hit takes two queries, which find the
// sessions of the workspace, and their exchanges, through indexes. So it reads nothing
// of other workspaces.
func TestSearch_CostOfAMiss(t *testing.T) {
	s, _ := newStore(t, withNotes())
	addMany(t, s, 1000)
	for name, q := range searches {
		ctx, asked := asking(t.Context())
		page, err := s.Sessions(ctx, "w", q)
		if err != nil || len(page.Rows) != 0 || page.Cut.ID != "" {
			t.Fatalf("%s: %+v, %v", name, page, err)
		}
		if len(asked.queries) != 2 {
			t.Errorf("%s: %d queries", name, len(asked.queries))
		}
		for i, query := range asked.queries {
			for _, step := range planOf(t, s, query, asked.args[i]) {
				if !strings.HasPrefix(step, "SEARCH s USING INDEX session_listed (workspace=?") &&
					!strings.HasPrefix(step, "SEARCH s USING COVERING INDEX session_listed (workspace=?") &&
					step != "SEARCH x USING INDEX exchange_of_session (session=?)" &&
					!strings.HasPrefix(step, "CORRELATED SCALAR SUBQUERY") {
					t.Errorf("%s: %s\n%s", name, step, query)
				}
			}
		}
	}
}

// TestPostgres_CostOfAMiss is TestSearch_CostOfAMiss on PostgreSQL, beside the sessions
// of another workspace, with statistics and without.
func TestPostgres_CostOfAMiss(t *testing.T) {
	for _, analyzed := range []bool{true, false} {
		s, url := newPostgres(t)
		manySessions(t, s, 5000)
		after := `ANALYZE`
		if !analyzed {
			after = `DELETE FROM pg_statistic`
		}
		for _, statement := range []string{
			`INSERT INTO workspace (id, created, seen) VALUES ('other', 1, 1)`,
			`UPDATE session SET workspace = 'other' WHERE id > 's00100' AND id < 's05000'`, after,
		} {
			if _, err := s.db.Writer().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		watched := watchedPostgres(t, url)
		for name, q := range searches {
			ctx, n := asking(t.Context())
			page, err := watched.Sessions(ctx, "w", q)
			if err != nil || len(page.Rows) != 0 || len(n.queries) != 2 {
				t.Fatalf("%s: %d queries, %+v, %v", name, len(n.queries), page, err)
			}
			for i, query := range n.queries {
				plan, err := engine.Texts(t.Context(), s.read, "EXPLAIN "+query, n.args[i]...)
				if err != nil {
					t.Fatal(err)
				}
				text := strings.Join(plan, "\n")
				if strings.Contains(text, "Seq Scan") || strings.Contains(text, "hashed") ||
					!strings.Contains(text, "((workspace = ") && !strings.Contains(text, "(workspace = ") ||
					i == 1 && !strings.Contains(text, "Index Cond: (session = s.id)") {
					t.Errorf("%s: %s\n%s", name, query, text)
				}
			}
		}
	}
}
