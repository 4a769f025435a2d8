package db_test

import (
	"database/sql"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
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
