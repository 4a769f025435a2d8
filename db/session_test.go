package db

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// addLine stores a session of n exchanges, each of which continues the one
// before.
func addLine(t *testing.T, s *Store, n int) {
	t.Helper()
	x := playground.Exchange{
		ID: "x0", Session: "s", Created: time.Unix(0, 0),
		Target: playground.Target{ID: "t", Capabilities: []byte(`{}`)},
		Call:   playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"t"}`)},
	}
	if err := s.AddExchange(t.Context(), "w", "title", x); err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		log := []playground.Event{
			playground.Decision{Action: playground.ActionStart, Round: i + 1}.Event(x.Created),
			{At: x.Created, Conn: 1, Kind: playground.Cancelled},
		}
		sum := playground.Summary{Status: "cancelled", Rounds: 1, Changed: x.Created}
		if err := s.Append(t.Context(), x.ID, sum, log...); err != nil {
			t.Fatal(err)
		}
		x.Log = log
		if i == n-1 {
			return
		}
		parent := x
		x.ID, x.Log = fmt.Sprint("x", i+1), nil
		x.Origin = &playground.Origin{Exchange: parent.ID, Round: i + 1, Parent: &parent}
		if err := s.AddBranch(t.Context(), "w", x); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSession_NumberOfQueries: it does not grow with the number of exchanges,
// nor with how many of them continue one another.
func TestSession_NumberOfQueries(t *testing.T) {
	for _, n := range []int{1, 2, 20} {
		s, _ := newStore(t, withNotes())
		addLine(t, s, n)
		ofExchange := 2
		if n > 1 {
			ofExchange = 3 // it continues another one
		}
		for _, c := range []struct {
			name string
			read func(context.Context) (exchanges int, err error)
			want int
		}{
			{"Session", func(ctx context.Context) (int, error) {
				got, err := s.Session(ctx, "w", "s")
				return len(got.Exchanges), err
			}, 2},
			{"Exchange", func(ctx context.Context) (int, error) {
				got, err := s.Exchange(ctx, "w", fmt.Sprint("x", n-1))
				return len(got.Lineage()), err
			}, ofExchange},
			{"Sessions", func(ctx context.Context) (int, error) {
				got, err := s.Sessions(ctx, "w", session.Search{Limit: 9})
				return len(got.Rows[0].Exchanges), err
			}, 2},
		} {
			ctx, asked := asking(t.Context())
			if got, err := c.read(ctx); got != n || err != nil {
				t.Errorf("%s: %d exchanges, want %d, %v", c.name, got, n, err)
			}
			if got := len(asked.queries); got != c.want {
				t.Errorf("%s of %d exchanges: %d queries, want %d", c.name, n, got, c.want)
			}
		}
	}
}

// TestSession_ReadsThroughIndexes: no table is read as a whole to find the
// exchanges and events of a session or of a branch.
func TestSession_ReadsThroughIndexes(t *testing.T) {
	s, _ := newStore(t)
	for name, ids := range map[string]string{
		"session": `SELECT id FROM exchange WHERE session = 's'`,
		"branch":  lineage(`SELECT id FROM exchange WHERE id = 'x'`),
	} {
		for table, query := range map[string]string{
			"exchange": `SELECT id FROM exchange WHERE id IN (` + ids + `)`,
			"event":    `SELECT seq FROM event WHERE log IN (` + ids + `) ORDER BY log, seq`,
		} {
			rows, err := s.read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				var id, parent, unused int
				var step string
				if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
					t.Fatal(err)
				}
				if step == "SCAN "+table || step == "SCAN x" {
					t.Errorf("%s, %s: %s", name, table, step)
				}
			}
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
