package db_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

func TestMain(m *testing.M) {
	if os.Getenv(killedFile) != "" {
		if err := runKilled(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(pgtest.Run(m))
}

// store stores exchanges until it is killed, and prints the ids of those that it has
// stored.
func store(ctx context.Context, s *db.Store, name string) error {
	for i := 0; ; i++ {
		x := dbtest.Exchange(fmt.Sprintf("%s-%d", name, i))
		if err := s.AddExchange(ctx, "w", "title", x); err != nil {
			return err
		}
		sum := playground.Summary{Status: "cancelled", Rounds: 1, Changed: dbtest.Now}
		if err := s.Append(ctx, x.ID, sum, dbtest.Events()...); err != nil {
			return err
		}
		fmt.Println(x.ID)
		for n := 1; n <= 20; n++ {
			at := dbtest.Now.Add(time.Duration(n) * time.Second)
			e := playground.Repetition{Of: 2, Count: n}.Event(at, n+1)
			e.Seq = len(dbtest.Events()) + 1
			if err := s.Append(ctx, x.ID, sum, e); err != nil {
				return err
			}
			fmt.Println(x.ID, n)
		}
	}
}

// TestKill_AcknowledgedWritesSurvive kills a writing program at random moments,
// some of them while it makes the schema of a new file.
func TestKill_AcknowledgedWritesSurvive(t *testing.T) {
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	n := 30
	if os.Getenv(soakTime) != "" {
		n = 300
	}
	opening, _ := openAndClose(t, filepath.Join(t.TempDir(), "new.db"), moment{})
	var path string
	stored := 0
	for i := range n {
		at := randomMoment(opening.statements+600, 2_000_000)
		if i%3 == 0 { // a new file, whose schema is still to be made
			path = filepath.Join(t.TempDir(), "playground.db")
			at = randomMoment(2*opening.statements, 2*opening.log)
		}
		acknowledged := killed(t, path, fmt.Sprint("x", i), at)
		stored += len(acknowledged)
		verifyKilled(t, path, acknowledged)
	}
	t.Logf("%d exchanges acknowledged before %d kills", stored, n)
	if stored == 0 {
		t.Error("nothing was ever stored")
	}
}

// killed runs the writer until a moment, and returns the ids that it printed, each
// with the highest count of its polls.
func killed(t *testing.T, path, name string, at moment) map[string]int {
	t.Helper()
	cmd := program(t, path, name, at)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		id, count, _ := strings.Cut(lines.Text(), " ")
		ids[id], _ = strconv.Atoi(count) // 0 without one
	}
	if !wasKilled(t, cmd) {
		t.Fatalf("killed %s: the writer ended by itself", at)
	}
	return ids
}

// verifyKilled opens the file, which checks its integrity, and reads what was
// acknowledged.
func verifyKilled(t *testing.T, path string, acknowledged map[string]int) {
	t.Helper()
	s, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for id, count := range acknowledged {
		x, err := s.Exchange(t.Context(), "w", id)
		if err != nil || len(x.Log) < len(dbtest.Events()) {
			t.Errorf("%s was acknowledged and has %d events, %v", id, len(x.Log), err)
			continue
		}
		verifyCount(t, id, x.Log[len(dbtest.Events()):], count)
	}
	if err := s.Ready(t.Context()); err != nil {
		t.Error(err)
	}
}

// verifyCount checks the repeated event of a log, which is the only one after
// the first events: all of it is of one write, the last that was acknowledged or
// the next.
func verifyCount(t *testing.T, id string, rest []playground.Event, count int) {
	t.Helper()
	if count == 0 && len(rest) == 0 {
		return
	}
	if len(rest) != 1 {
		t.Errorf("%s: %d polls were acknowledged, %d events", id, count, len(rest))
		return
	}
	e := rest[0]
	n, err := e.Repetition()
	if err != nil || n.Count != count && n.Count != count+1 || e.Conn != n.Count+1 ||
		!e.At.Equal(dbtest.Now.Add(time.Duration(n.Count)*time.Second)) {
		t.Errorf("%s: %d polls were acknowledged, %+v %s, %v", id, count, e, e.Data, err)
	}
}

// TestKill_WhileRewriting kills a program that opens and closes a large file of an
// earlier version, in which something was deleted, at random moments: while it
// migrates the file, and while it rewrites it so that nothing deleted is left.
func TestKill_WhileRewriting(t *testing.T) {
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	script, err := os.ReadFile("testdata/version22.sql")
	if err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(t.TempDir(), "version22.db")
	raw, err := sql.Open("sqlite3", large)
	if err != nil {
		t.Fatal(err)
	}
	_, err = raw.Exec(string(script) + `
		WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
		INSERT INTO event (log, seq, at, conn, kind, data)
		SELECT 'x0one', i, 0, 1, 'sent', randomblob(50000) FROM n;
		PRAGMA application_id = 1;`)
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	path := copyOf(t, large)
	whole, _ := openAndClose(t, path, moment{})
	verifyRewritten(t, path)
	path = copyOf(t, large)
	kills := 0
	for range 12 { // one after the other on a file, until it is rewritten
		if _, killed := openAndClose(t, path, randomMoment(whole.statements, whole.log)); killed {
			kills++
			continue
		}
		verifyRewritten(t, path)
		path = copyOf(t, large)
	}
	verifyRewritten(t, path)
	t.Logf("%d kills in %d statements with a log of %d bytes", kills, whole.statements, whole.log)
	if kills == 0 {
		t.Error("the program was never killed")
	}
}

// verifyRewritten checks that a file has kept its rows, and that it can be used.
func verifyRewritten(t *testing.T, path string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := db.Open(t.Context(), path)
	must(err)
	defer s.Close()
	log, err := s.Log(t.Context(), "x0one")
	if err != nil || len(log) < 301 {
		t.Errorf("%d events are left, %v", len(log), err)
	}
	must(s.DeleteSession(t.Context(), "one", "s0one"))
	must(s.Close())
	again, err := db.Open(t.Context(), path)
	must(err)
	defer again.Close()
	must(again.Ready(t.Context()))
}
