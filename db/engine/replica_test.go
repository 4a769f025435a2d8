package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// newReplicas returns two replicas with a connection each.
func newReplicas(t *testing.T) (a, b *Replica) {
	t.Helper()
	d, url := newPostgres(t)
	return joined(t, d), joined(t, openPostgres(t, url))
}

// joined makes a DB a replica that is not renewed while a test runs, unless the test
// does it.
func joined(t *testing.T, d *DB) *Replica {
	t.Helper()
	r, err := d.Join(t.Context(), time.Now, testLife)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Leave(context.Background()) })
	return r
}

const testLife = 24 * time.Hour

// work is a change that goes on with what lease id is for, or ends it.
func work(ctx context.Context, r *Replica, id string, goesOn bool) error {
	return databaseOf(r).Change(ctx, Change{Do: func(ctx context.Context, tx *Tx) error {
		lease := r.Lease(id)
		err := tx.QueryRowContext(ctx, `SELECT `+lease.Columns(), lease.Args()...).Scan(lease.Fields()...)
		if err != nil {
			return err
		}
		held, err := lease.Held()
		switch {
		case err != nil:
			return err
		case goesOn && !held:
			return lease.Take(ctx, tx)
		case held && !goesOn:
			return lease.End(ctx, tx)
		}
		return nil
	}})
}

// expire makes a replica one that was not renewed, as if it had been frozen. What
// it held can be taken by the others, which have been renewed for long.
func expire(t *testing.T, r *Replica, others ...*Replica) {
	t.Helper()
	_, err := r.server.write.ExecContext(t.Context(),
		`UPDATE replica SET expires = clock_timestamp() - interval '1 second' WHERE id = ?`, r.id)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	r.until = time.Now().Add(-time.Second)
	r.mu.Unlock()
	for _, o := range others {
		o.mu.Lock()
		o.since = time.Now().Add(-testLife)
		o.mu.Unlock()
	}
}

// TestReplica_FrozenLosesWhatItHeld to the first that takes it, and only then.
func TestReplica_FrozenLosesWhatItHeld(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t)
	for _, id := range []string{"x", "y"} {
		wantError(t, "begin", nil, work(ctx, a, id, true))
	}
	unfinished := func(want ...string) {
		t.Helper()
		others, args := b.Others(`n.id`, true)
		got, err := Texts(ctx, b.server.read,
			`SELECT id FROM (VALUES ('x'), ('y')) AS n (id) WHERE NOT `+others, args...)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("unfinished: %v\n%s", err, diff)
		}
	}
	unfinished()
	expire(t, a)
	unfinished() // b itself may have been cut off as well
	wantError(t, "claim too early", playground.ErrElsewhere, b.Claim(ctx, "x"))
	wantError(t, "not renewed", playground.ErrStorage,
		work(ctx, a, "x", false))
	expire(t, a, b)
	unfinished("x", "y")
	wantError(t, "claim", nil, b.Claim(ctx, "x"))
	unfinished("x", "y")

	late := make(chan struct{}, 2)
	a.WhenLate(func(context.Context) { late <- struct{}{} })
	wantError(t, "renew", nil, errors.Join(a.renew(ctx), a.renew(ctx)))
	if <-late; len(late) > 0 {
		t.Error("called twice although it was late once")
	}
	lost, err := a.Lost(ctx, []string{"x", "y"})
	if diff := cmp.Diff([]string{"x"}, lost); diff != "" || err != nil {
		t.Errorf("lost: %v\n%s", err, diff)
	}
	wantError(t, "taken", playground.ErrElsewhere, work(ctx, a, "x", false))
	wantError(t, "not taken", nil, work(ctx, a, "y", false))
	wantError(t, "the new holder", nil, work(ctx, b, "x", false))
}

// TestReplica_ConfirmWaitsForARenewal and finds out who holds the log then.
func TestReplica_ConfirmWaitsForARenewal(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t)
	for _, id := range []string{"x", "y"} {
		wantError(t, "begin", nil, work(ctx, a, id, true))
	}
	held := time.Now()
	expire(t, a, b)
	wantError(t, "claim", nil, b.Claim(ctx, "x"))
	gone, stop := context.WithCancel(ctx)
	stop()
	if err := a.Confirm(gone, "y", held); err == nil {
		t.Error("confirmed without a renewal")
	}
	results := make(chan error, 2)
	for _, id := range []string{"x", "y"} {
		go func() { results <- a.Confirm(ctx, id, held) }()
	}
	wantError(t, "renew", nil, a.renew(ctx))
	taken := 0
	for range 2 {
		if err := <-results; errors.Is(err, playground.ErrElsewhere) {
			taken++
		} else if err != nil {
			t.Error(err)
		}
	}
	if taken != 1 {
		t.Errorf("%d of 2 logs were taken", taken)
	}
}

// TestReplica_AsksTheHolder once for each letter.
func TestReplica_AsksTheHolder(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t)
	var mu sync.Mutex
	got := map[string]int{}
	a.Serve(func(_ context.Context, id string, message []byte) []byte {
		mu.Lock()
		defer mu.Unlock()
		got[id+" "+string(message)]++
		return append([]byte("re: "), message...)
	})
	_, err := b.Ask(ctx, "x", []byte("early"))
	wantError(t, "without a holder", playground.ErrNotFound, err)
	wantError(t, "claim", nil, a.Claim(ctx, "x"))
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			message := fmt.Sprint("m", n)
			reply, err := b.Ask(ctx, "x", []byte(message))
			if err != nil || string(reply) != "re: "+message {
				t.Errorf("%s: %q, %v", message, reply, err)
			}
		})
	}
	wg.Wait()
	for message, n := range got {
		if n != 1 {
			t.Errorf("%s came %d times", message, n)
		}
	}
	if len(got) != 20 {
		t.Errorf("%d letters", len(got))
	}
	left, err := Texts(ctx, b.server.read, `SELECT id FROM letter`)
	if len(left) > 0 || err != nil {
		t.Errorf("%d letters are left, %v", len(left), err)
	}
	wantError(t, "release", nil, a.Release(ctx, "x", b.ID()))
	if elsewhere, err := a.Elsewhere(ctx, "x"); err != nil || !elsewhere {
		t.Errorf("the lease was not passed on, %v", err)
	}
}

// lostNotices is a log that receives each notification that could not be sent.
type lostNotices chan struct{}

func (lostNotices) Enabled(context.Context, slog.Level) bool { return true }
func (c lostNotices) WithAttrs([]slog.Attr) slog.Handler     { return c }
func (c lostNotices) WithGroup(string) slog.Handler          { return c }
func (c lostNotices) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "notify" {
		c <- struct{}{}
	}
	return nil
}

// TestReplica_HearsOfChanges also after the server was away.
func TestReplica_HearsOfChanges(t *testing.T) {
	c := pgtest.Start(t)
	lost := make(lostNotices, 100)
	open := func() *Replica {
		return joined(t, openPostgres(t, c.URL("postgres"), WithLogger(slog.New(lost))))
	}
	a, b := open(), open()
	// If b listens, it hears what a sends, which a sends again if that failed. If it does not
	// listen yet, it hears of everything when it does.
	hear := func() {
		t.Helper()
		changed, stop := b.Changes("x")
		defer stop()
		for {
			a.Changed("x")
			select {
			case <-changed:
				return
			case <-lost:
			}
		}
	}
	hear()
	if err := errors.Join(c.Stop(), c.Start()); err != nil {
		t.Fatal(err)
	}
	hear()
	// What was published while b did not listen is lost, so it hears of everything,
	// and of that before it listens again.
	changed, stop := b.Changes("y")
	if err := errors.Join(c.Stop(), c.Start()); err != nil {
		t.Fatal(err)
	}
	hear()
	topics := func() int { // after all that it hears of at a time
		b.bus.mu.Lock()
		defer b.bus.mu.Unlock()
		return len(b.bus.subscribers)
	}
	n := topics()
	select {
	case <-changed:
	default:
		t.Error("nothing was heard of the time without a connection")
	}
	if stop(); n != 0 {
		t.Errorf("%d topics are still heard", n)
	}
}

// TestReplica_LocksEachOtherOut while one of them does something.
func TestReplica_LocksEachOtherOut(t *testing.T) {
	a, b := newReplicas(t)
	inside, most := 0, 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, r := range []*Replica{a, b} {
		wg.Go(func() {
			for range 20 {
				unlock, err := r.Lock(t.Context(), "token:w:t")
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				inside++
				most = max(most, inside)
				mu.Unlock()
				mu.Lock()
				inside--
				mu.Unlock()
				unlock()
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d were inside at once", most)
	}
}

// TestReplica_DeletesWhatIsLeft of processes that ended long ago.
func TestReplica_DeletesWhatIsLeft(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t)
	wantError(t, "claim", nil, a.Claim(ctx, "x"))
	wantError(t, "claim", nil, b.Claim(ctx, "y"))
	_, err := a.server.write.ExecContext(ctx,
		`UPDATE replica SET expires = clock_timestamp() - interval '2 hours' WHERE id = ?`, a.id)
	wantError(t, "age", nil, errors.Join(err, b.sweep(ctx)))
	left, err := Texts(ctx, b.server.read, `SELECT id FROM lease`)
	if diff := cmp.Diff([]string{"y"}, left); diff != "" || err != nil {
		t.Errorf("leases: %v\n%s", err, diff)
	}
}

// TestReplica_RenewsAndReadsWhileChangesWait: the changes of one workspace may hold
// every connection that changes get.
func TestReplica_RenewsAndReadsWhileChangesWait(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t)
	addOwner(t, databaseOf(b), "w")
	nothing := func(context.Context, *Tx) error { return nil }
	tx, err := b.server.write.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tx.ExecContext(ctx, `SELECT id FROM owner WHERE id = 'w' FOR NO KEY UPDATE`)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 2 * maxConns {
		wg.Go(func() { _ = changeOf(ctx, databaseOf(a), "w", nothing) })
	}
	until(func() bool {
		return len(a.server.changes) == maxChanges && a.server.write.Stats().InUse >= maxChanges
	})
	wantError(t, "renew", nil, a.renew(ctx))
	wantError(t, "ready", nil, databaseOf(a).Ready(ctx))
	if owners, err := Texts(ctx, a.server.read, `SELECT id FROM owner`); err != nil || len(owners) != 1 {
		t.Errorf("%v, %v", owners, err)
	}
	wantError(t, "roll back", nil, tx.Rollback())
	wg.Wait()
}

// TestReplica_KnowsItsLocks so that a lease that was not released can be.
func TestReplica_KnowsItsLocks(t *testing.T) {
	ctx := t.Context()
	a, _ := newReplicas(t)
	unlock, err := a.Lock(ctx, "token:w:t")
	wantError(t, "lock", nil, err)
	wantError(t, "claim", nil, a.Claim(ctx, "x"))
	mine, err := a.Mine(ctx)
	if diff := cmp.Diff([]string{"token:w:t", "x"}, mine); diff != "" || err != nil {
		t.Errorf("mine: %v\n%s", err, diff)
	}
	if !a.Locks("token:w:t") || a.Locks("x") {
		t.Error("the lock is not known")
	}
	unlock()
	if a.Locks("token:w:t") {
		t.Error("the lock is still known")
	}
}

// TestReplica_HasTheTimeOfTheDatabase, whatever the clock of its machine says.
func TestReplica_HasTheTimeOfTheDatabase(t *testing.T) {
	d, _ := newPostgres(t)
	for _, ahead := range []time.Duration{-time.Hour, 0, time.Hour} {
		r, err := d.Join(t.Context(), func() time.Time { return time.Now().Add(ahead) }, testLife)
		if err != nil {
			t.Fatal(err)
		}
		var before, after time.Time
		const ask = `SELECT clock_timestamp()`
		wantError(t, "ask", nil, d.read.QueryRowContext(t.Context(), ask).Scan(&before))
		now := r.Now()
		wantError(t, "ask", nil, d.read.QueryRowContext(t.Context(), ask).Scan(&after))
		if now.Before(before.Add(-time.Minute)) || now.After(after.Add(time.Minute)) {
			t.Errorf("%v, the database says %v", now, after)
		}
		wantError(t, "leave", nil, r.Leave(t.Context()))
	}
}

func TestNearer(t *testing.T) {
	for _, test := range []struct{ before, seen, some, want time.Duration }{
		{0, 3, 5, 0}, {0, 9, 5, 4}, {0, -9, 5, -4}, {7, 9, 5, 7}, {100, 9, 5, 14},
	} {
		if got := nearer(test.before, test.seen, test.some); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

func databaseOf(r *Replica) *DB { return &DB{r.server.core, r.server} }

// TestMigrate_NotBesideAnOlderReplica: while one runs, the schema stays as it is. One that has
// left or was killed stops no upgrade.
func TestMigrate_NotBesideAnOlderReplica(t *testing.T) {
	d, url := newPostgres(t)
	newer := testSchema
	newer.Steps = append(slices.Clone(newer.Steps),
		Step{Version: 2, Postgres: `ALTER TABLE owner ADD extra text`})
	running, killed := joined(t, d), joined(t, openPostgres(t, url))
	expire(t, killed)
	renewing, stop := context.WithCancel(t.Context())
	var renewals sync.WaitGroup
	renewals.Go(func() {
		for renewing.Err() == nil {
			if err := running.renew(renewing); err != nil && renewing.Err() == nil {
				t.Error(err)
			}
		}
	})
	_, err := OpenPostgres(t.Context(), url, newer)
	stop()
	renewals.Wait()
	if !errors.Is(err, ErrShared) {
		t.Fatalf("beside a replica that runs: %v", err)
	}
	if same, err := OpenPostgres(t.Context(), url, testSchema); err != nil {
		t.Errorf("the same version beside it: %v", err)
	} else if err := same.Close(); err != nil {
		t.Error(err)
	}
	if err := running.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = d.write.ExecContext(t.Context(), `INSERT INTO replica (id, expires)
		VALUES ('dead', clock_timestamp() + interval '300 milliseconds')`)
	if err != nil {
		t.Fatal(err)
	}
	upgraded, err := OpenPostgres(t.Context(), url, newer)
	if err != nil {
		t.Fatalf("after it has left, and another one that was killed has expired: %v", err)
	}
	if _, err := Texts(t.Context(), upgraded.read, `SELECT extra FROM owner`); err != nil {
		t.Error(err)
	}
	if err := upgraded.Close(); err != nil {
		t.Error(err)
	}
	if _, err := OpenPostgres(t.Context(), url, testSchema); !errors.Is(err, ErrNewer) {
		t.Errorf("an older program on the newer schema: %v", err)
	}
}
