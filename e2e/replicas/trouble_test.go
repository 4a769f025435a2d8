//go:build linux

package replicas

import (
	"database/sql"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// kinds are the troubles that are made, in turn.
var kinds = []string{"killed", "frozen", "replaced", "killed", "database restarted"}

// trouble kills, freezes and replaces one process after the other, and restarts the
// database, each after some more requests of the visitors: every kind once, and again
// for as long as the test plays. It leaves everything running.
func trouble(t *testing.T, s *testSite, seen *report) {
	t.Helper()
	database, err := sql.Open("pgx", s.database)
	check(t, err)
	defer database.Close()
	for n, began := 0, time.Now(); n < len(kinds) || time.Since(began) < playTime(t); n++ {
		requests(t, seen, 50+rand.IntN(100))
		r := s.Replicas[rand.IntN(len(s.Replicas))]
		kind := kinds[n%len(kinds)]
		switch kind {
		case "killed":
			r.Kill()
			requests(t, seen, rand.IntN(50))
			check(t, r.Start(t.Context()))
		case "frozen":
			check(t, r.Process.Signal(syscall.SIGSTOP))
			if n < len(kinds) || rand.IntN(2) == 0 {
				loseLease(t, database)
			} else {
				requests(t, seen, rand.IntN(50))
			}
			check(t, r.Process.Signal(syscall.SIGCONT))
		case "replaced":
			check(t, r.Process.Signal(syscall.SIGTERM))
			if err := r.Wait(); err != nil {
				t.Errorf("a replica that was told to end: %v", err)
			}
			check(t, r.Start(t.Context()))
		case "database restarted":
			check(t, s.cluster.Stop())
			requests(t, seen, rand.IntN(50))
			check(t, s.cluster.Start())
		}
		seen.add(&seen.troubles, kind)
		for !r.IsReady() && pause(t.Context(), 50*time.Millisecond) == nil {
		}
	}
}

// requests waits until visitors have made so many more requests.
func requests(t *testing.T, seen *report, n int) {
	t.Helper()
	count := func() int {
		seen.mu.Lock()
		defer seen.mu.Unlock()
		return seen.requests
	}
	for until := count() + n; count() < until; {
		check(t, pause(t.Context(), 20*time.Millisecond))
	}
}

// loseLease waits until all processes but two have lost what they held.
func loseLease(t *testing.T, database *sql.DB) {
	t.Helper()
	const query = `SELECT count(*) FROM replica WHERE expires > clock_timestamp()`
	for alive := 0; alive != 2; {
		check(t, database.QueryRowContext(t.Context(), query).Scan(&alive))
		check(t, pause(t.Context(), 100*time.Millisecond))
	}
}
