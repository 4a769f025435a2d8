package db

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// TestPostgres_CostOfAPage is TestHistory_CostOfAPage on PostgreSQL.
func TestPostgres_CostOfAPage(t *testing.T) {
	s, url := newPostgres(t)
	manySessions(t, s, 10_000)
	watched := watchedPostgres(t, url)
	for name, q := range map[string]session.Search{
		"first page": {Limit: 51},
		"last page":  {Limit: 51, After: session.Cursor{ID: "s00060", Changed: time.Unix(60, 0)}},
	} {
		ctx, n := asking(t.Context())
		list, err := watched.History(ctx, "w", q, time.Unix(0, 0))
		if err != nil || len(list.Rows) != 51 {
			t.Fatalf("%s: %d rows, %v", name, len(list.Rows), err)
		}
		for _, r := range list.Rows {
			if r.Kind == session.KindExchange && len(r.Exchanges) != 1 {
				t.Errorf("%s: %s has %d exchanges", name, r.ID, len(r.Exchanges))
			}
		}
		if len(n.queries) != 4 {
			t.Errorf("%s: %d queries", name, len(n.queries))
		}
		for i, query := range n.queries {
			plan, err := engine.Texts(t.Context(), s.read, "EXPLAIN "+query, n.args[i]...)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Join(plan, "\n")
			if strings.Contains(text, "Seq Scan") || strings.Contains(text, "Sort") && i != 1 {
				t.Errorf("%s: %s\n%s", name, query, text)
			}
		}
	}
}

// watchedPostgres returns a Store whose queries are noted, to read with.
func watchedPostgres(t *testing.T, url string) *Store {
	t.Helper()
	s, err := OpenPostgres(t.Context(), url, withNotes())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// manySessions stores n sessions of one exchange, each with a saved call and a link.
func manySessions(t *testing.T, s *Store, n int) {
	t.Helper()
	if err := addOne(t.Context(), s, "x00000"); err != nil {
		t.Fatal(err)
	}
	numbers := `generate_series(1, ` + strconv.Itoa(n) + `) AS i`
	tx, err := s.db.Writer().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`SET LOCAL session_replication_role = replica`, // without triggers, which count each row
		`INSERT INTO log (id, workspace) SELECT to_char(i, '"x"FM00000'), 'w' FROM ` + numbers,
		`INSERT INTO session (id, workspace, kind, title, search, created, changed)
		 SELECT to_char(i, '"s"FM00000'), 'w', 'exchange', 't', 't', 0, i::bigint * 1000000 FROM ` + numbers,
		`INSERT INTO exchange (id, session, created, status, search, target, sample, name, url, header,
		   capabilities, method, params)
		 SELECT to_char(i, '"x"FM00000'), to_char(i, '"s"FM00000'), created, status, 's', target, sample,
		   name, url, header, capabilities, method, 'p'::bytea FROM exchange, ` + numbers + `
		 WHERE id = 'x00000'`,
		`INSERT INTO saved_call (id, workspace, title, target, kind, name, arguments, omitted, level, wait,
		   created)
		 SELECT 'v' || id, workspace, title, 't', 'tool', 'n', '{}', '[]', '', '', changed FROM session`,
		`INSERT INTO share (digest, token, workspace, session, title, created, expires, data, image)
		 SELECT id::bytea, id, workspace, id, title, changed, 9000000000000000, '', '' FROM session`,
		`ANALYZE`,
	} {
		if _, err := tx.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}
