package db_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// TestSessions_PageComesFromAnIndex: a page must not cost more the longer the
// list is. The benchmark measures, the test asserts no duration.
func TestSessions_PageComesFromAnIndex(t *testing.T) {
	s, path := open(t)
	dbtest.AddSessions(t, s, "w", 3)
	raw, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	rows, err := raw.QueryContext(t.Context(), `EXPLAIN QUERY PLAN SELECT s.id FROM session s
		WHERE s.workspace = 'w' AND (s.pinned, s.changed, s.id) < (0, 5, 'x')
		ORDER BY s.pinned DESC, s.changed DESC, s.id DESC LIMIT 51`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var plan string
		if err := rows.Scan(&id, &parent, &unused, &plan); err != nil {
			t.Fatal(err)
		}
		if want := "SEARCH s USING"; len(plan) < len(want) || plan[:len(want)] != want {
			t.Errorf("plan: %s", plan)
		}
	}
}

func BenchmarkHistory(b *testing.B) {
	s, err := db.Open(b.Context(), b.TempDir()+"/playground.db")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	const many = 10_000
	for i := range many {
		x := dbtest.Exchange(fmt.Sprint("x", i))
		x.Log = dbtest.Events()
		n := session.Session{
			ID: fmt.Sprint("s", i), Title: fmt.Sprint("call ", i), Created: dbtest.Now,
			Changed: dbtest.Now.Add(time.Duration(i) * time.Second), Exchanges: []playground.Exchange{x},
		}
		if err := s.AddSession(b.Context(), "w", n); err != nil {
			b.Fatal(err)
		}
	}
	deep := session.Cursor{ID: "s50", Changed: dbtest.Now.Add(50 * time.Second)}
	for name, q := range map[string]session.Search{
		"first page":           {Limit: 51},
		"last page":            {Limit: 51, After: deep},
		"search with no hit":   {Limit: 51, Words: []string{"nowhere"}},
		"search with few hits": {Limit: 51, Words: []string{"9999"}},
		"status":               {Limit: 51, Status: "failed"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Sessions(b.Context(), "w", q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
