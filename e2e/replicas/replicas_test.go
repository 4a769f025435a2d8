//go:build linux

package replicas

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

// playTime is how long troubles are made, each kind at least once.
func playTime(t *testing.T) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(cmp.Or(os.Getenv("MRTR_REPLICAS_TIME"), "0s"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestReplicas_Crowd holds faults 109 to 111 behind a real proxy: no exchange is
// lost, no Round is recorded twice, and no page hangs, with which the test would not
// end. Visitors begin something new until all trouble is over, and bring to an end
// what they have begun.
func TestReplicas_Crowd(t *testing.T) {
	s := startSite(t)
	var seen report
	playing, stop := context.WithCancel(t.Context())
	defer stop()
	ending, end := t.Context(), context.CancelFunc(func() {})
	if deadline, ok := t.Deadline(); ok { // says what does not end before go test ends it
		ending, end = context.WithDeadline(ending, deadline.Add(-time.Minute))
	}
	defer end()
	var all sync.WaitGroup
	for i := range 3 * len(scripts) {
		v := newVisitor(t, s, i, &seen)
		all.Go(func() {
			for playing.Err() == nil {
				v.play(ending, scripts[i%len(scripts)])
			}
		})
	}
	trouble(t, s, &seen)
	stop()
	all.Wait()
	for _, e := range seen.begun {
		e.owner.verify(t, e)
	}
	recordedOnce(t, s)
	nothingHeld(t, s)
	seen.print(t)
	if seen.rounds == 0 || seen.troubles["killed"] == 0 {
		t.Error("nothing was proved")
	}
}

// nothingHeld waits until no living process holds anything that has ended: what
// could not be released while the database was away is released later. The lane of
// a demo that shows a legacy server stays open.
func nothingHeld(t *testing.T, s *testSite) {
	t.Helper()
	database, err := sql.Open("pgx", s.database)
	check(t, err)
	defer database.Close()
	for {
		var held string
		err := database.QueryRowContext(t.Context(),
			`SELECT coalesce(string_agg(l.id, ' '), '') FROM lease l
			 JOIN replica r ON r.id = l.holder AND r.expires > clock_timestamp()
			 WHERE NOT EXISTS (SELECT 1 FROM exchange x WHERE x.id = l.id AND held = 1)`).Scan(&held)
		check(t, err)
		if held == "" {
			return
		}
		check(t, pause(t.Context(), 200*time.Millisecond))
	}
}

// recordedOnce looks into the database: every log has its events in order without
// a gap, no Round is in it twice, no request has two ends, and nothing is held by
// a process that is gone.
func recordedOnce(t *testing.T, s *testSite) {
	t.Helper()
	database, err := sql.Open("pgx", s.database)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	for what, query := range map[string]string{
		"logs with gaps": `SELECT log FROM event GROUP BY log HAVING count(*) <> max(seq)`,
		"rounds that are recorded twice": `SELECT log || ' ' || round FROM event WHERE round IS NOT NULL
			GROUP BY log, round HAVING count(*) > 1`,
		"requests that are recorded twice": `SELECT log || ' ' || conn FROM event WHERE kind = 'sent'
			GROUP BY log, conn HAVING count(*) > 1`,
		"responses that are recorded twice": `SELECT log || ' ' || conn FROM event WHERE kind = 'received'
			GROUP BY log, conn HAVING count(*) > 1`,
		"exchanges that run without a process": `SELECT id FROM exchange x WHERE held = 1
			AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.id = x.id)`,
	} {
		rows, err := database.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s: %s", what, id)
		}
		if err := rows.Err(); err != nil {
			t.Error(err)
		}
		_ = rows.Close()
	}
}

// report counts what the visitors saw.
type report struct {
	mu       sync.Mutex
	requests int
	rounds   int            // that visitors were shown with an outcome
	begun    []*exchange    // by visitors
	others   map[string]int // checks, demos and sign-ins
	errors   map[string]int // that visitors were shown, by kind
	troubles map[string]int // that were made, by kind
	resent   int            // Rounds that were cut off, and sent again by a visitor
	longest  time.Duration  // of one request
}

func (r *report) add(where *map[string]int, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if *where == nil {
		*where = map[string]int{}
	}
	(*where)[what]++
}

func (r *report) print(t *testing.T) {
	t.Helper()
	kinds := map[string]int{}
	for _, e := range r.begun {
		kinds[e.kind+" "+e.end]++
	}
	t.Logf("%d requests, %d rounds, %d sent again after a cut; the longest request took %v",
		r.requests, r.rounds, r.resent, r.longest.Round(time.Millisecond))
	for what, list := range map[string]map[string]int{
		"calls": kinds, "others": r.others, "troubles": r.troubles, "errors that visitors saw": r.errors,
	} {
		t.Logf("%s: %v", what, fmt.Sprint(list)[len("map"):])
	}
}
