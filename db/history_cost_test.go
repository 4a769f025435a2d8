package db

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// TestHistory_CostOfAPage holds fault 84 without a clock: with 10000 sessions, saved calls and
// links, each page of the history takes as many queries as with ten, and each of them finds its
// rows through an index, in the order of the index.
func TestHistory_CostOfAPage(t *testing.T) {
	s, _ := newStore(t, withNotes())
	addMany(t, s, 10_000)
	for _, statement := range []string{
		`INSERT INTO saved_call (id, workspace, title, target, kind, name, arguments, omitted, level, wait,
		   created)
		 SELECT 'v' || id, workspace, title, 't', 'tool', 'n', '{}', '[]', '', '', changed FROM session`,
		`INSERT INTO share (digest, token, workspace, session, title, created, expires, data, image)
		 SELECT CAST('h' || id AS BLOB), 'h' || id, workspace, id, title, changed, 9000000000000000, x'', x''
		 FROM session`,
	} {
		if _, err := s.db.Writer().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for name, q := range map[string]session.Search{
		"first page": {Limit: 51},
		"last page":  {Limit: 51, After: session.Cursor{ID: "s00060", Changed: time.Unix(60, 0)}},
	} {
		ctx, asked := asking(t.Context())
		list, err := s.History(ctx, "w", q, time.Unix(0, 0))
		if err != nil || len(list.Rows) != 51 {
			t.Fatalf("%s: %d rows, %v", name, len(list.Rows), err)
		}
		if len(asked.queries) != 4 {
			t.Errorf("%s: %d queries", name, len(asked.queries))
		}
		for i, query := range asked.queries {
			for _, step := range planOf(t, s, query, asked.args[i]) {
				whole := strings.HasPrefix(step, "SCAN ") && !strings.Contains(step, "json_each") &&
					!strings.Contains(step, "CONSTANT ROW")
				sorts := strings.Contains(step, "TEMP B-TREE") && i != 1 // exchanges of the page
				if whole || sorts {
					t.Errorf("%s: %s\n%s", name, step, query)
				}
			}
		}
	}
}

// TestLastChecks_Cost: with 10000 sessions, the last check of a server comes from an index.
func TestLastChecks_Cost(t *testing.T) {
	s, _ := newStore(t, withNotes())
	addMany(t, s, 10_000)
	ctx, asked := asking(t.Context())
	if _, err := s.LastChecks(ctx, "w"); err != nil {
		t.Fatal(err)
	}
	for i, query := range asked.queries {
		for _, step := range planOf(t, s, query, asked.args[i]) {
			if strings.HasPrefix(step, "SCAN ") && step != "SCAN t" {
				t.Errorf("%s\n%s", step, query)
			}
		}
	}
}

func planOf(t *testing.T, s *Store, query string, args []any) []string {
	t.Helper()
	rows, err := s.read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if len(steps) == 0 {
		t.Fatalf("no plan of %s, %v", query, rows.Err())
	}
	return steps
}

// addMany stores n sessions of one exchange in one transaction.
func addMany(t *testing.T, s *Store, n int) {
	t.Helper()
	x := playground.Exchange{
		ID: "x", Session: "s", Created: time.Unix(0, 0),
		Target: playground.Target{ID: "t", Capabilities: []byte(`{}`)},
		Call:   playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"t"}`)},
	}
	first := session.Session{ID: "s00000", Title: "t", Created: x.Created, Changed: x.Created}
	x.ID, x.Session = "x00000", first.ID
	first.Exchanges = []playground.Exchange{x}
	if err := s.AddSession(t.Context(), "w", first); err != nil {
		t.Fatal(err)
	}
	for _, table := range []struct{ name, key string }{{"log", "id"}, {"session", "id"}, {"exchange", "id"}} {
		var columns, values []string
		rows, err := s.read.QueryContext(t.Context(), `SELECT name FROM pragma_table_info(?)`, table.name)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			columns = append(columns, name)
			switch {
			case name == table.key && table.name == "session" || name == "session":
				values = append(values, `printf('s%05d', i)`)
			case name == table.key:
				values = append(values, `printf('x%05d', i)`)
			case name == "changed":
				values = append(values, `i * 1000000`)
			default:
				values = append(values, name)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = s.db.Writer().ExecContext(t.Context(), fmt.Sprintf(
			`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO %s (%s) SELECT %s FROM n, %[2]s WHERE id IN ('s00000', 'x00000')`,
			n-1, table.name, strings.Join(columns, ", "), strings.Join(values, ", ")))
		if err != nil {
			t.Fatal(err)
		}
	}
}
