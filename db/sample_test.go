package db

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestSampleTask_HasOneWorker whose changes and takeovers are seen by all.
func TestSampleTask_HasOneWorker(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	ok, err := a.AddTask(ctx, "tasks", "t1", "1.2.3.4", []byte("0"), time.Minute, 10, 10)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	ok, err = a.AddTask(ctx, "tasks", "t1", "1.2.3.4", []byte("again"), time.Minute, 10, 10)
	if !ok || err != nil {
		t.Errorf("a second try: %v, %v", ok, err)
	}
	read := func(r *Replica, data string, version int, elsewhere, orphaned bool) {
		t.Helper()
		d, v, e, o, err := r.Task(ctx, "tasks", "t1")
		if string(d) != data || v != version || e != elsewhere || o != orphaned || err != nil {
			t.Errorf("%s, version %d, elsewhere %v, orphaned %v, %v", d, v, e, o, err)
		}
	}
	read(a, "0", 0, false, false)
	read(b, "0", 0, true, false)
	set := func(r *Replica, version int, data string, take, want bool) {
		t.Helper()
		ok, err := r.SetTask(ctx, "tasks", "t1", version, []byte(data), false, take)
		if ok != want || err != nil {
			t.Errorf("set %s: %v, %v", data, ok, err)
		}
	}
	set(b, 0, "1", false, true)
	set(a, 0, "late", false, false)
	read(a, "1", 1, false, false)
	_, err = b.store.db.Writer().ExecContext(ctx, `DELETE FROM replica WHERE id = ?`, a.ID())
	if err != nil { // a is dead for so long that it is forgotten
		t.Fatal(err)
	}
	read(b, "1", 1, true, true)
	set(b, 1, "2", true, true)
	read(b, "2", 2, false, false)
	read(a, "2", 2, true, false)
	for _, sample := range []string{"tasks", "conformance"} {
		if d, _, _, _, err := a.Task(ctx, sample, "t2"); d != nil || err != nil {
			t.Errorf("an unknown task: %s, %v", d, err)
		}
	}
	if d, _, _, _, err := a.Task(ctx, "conformance", "t1"); d != nil || err != nil {
		t.Errorf("a task of another sample: %s, %v", d, err)
	}
}

// TestSampleTask_LeavesRoom for others: a caller has its part, and a task that is over
// makes room.
func TestSampleTask_LeavesRoom(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	add := func(r *Replica, id, caller string, want bool) {
		t.Helper()
		ok, err := r.AddTask(ctx, "tasks", id, caller, []byte("{}"), time.Minute, 4, 2)
		if ok != want || err != nil {
			t.Errorf("%s of %s: %v, %v", id, caller, ok, err)
		}
	}
	add(a, "a1", "a", true)
	add(b, "a2", "a", true)
	add(a, "a3", "a", false)
	add(b, "b1", "b", true)
	if ok, err := a.SetTask(ctx, "tasks", "a1", 0, []byte("{}"), true, false); !ok || err != nil {
		t.Fatal(ok, err)
	}
	add(b, "a3", "a", true)
	add(a, "c1", "", true)
	add(a, "c2", "", false)
	n, err := b.CountTasks(ctx, "tasks")
	if n != 4 || err != nil {
		t.Errorf("%d tasks, %v", n, err)
	}
	_, err = a.store.db.Writer().ExecContext(ctx, `UPDATE sample_task SET expires = clock_timestamp()`)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := b.CountTasks(ctx, "tasks"); n != 0 || err != nil {
		t.Errorf("%d tasks after their time, %v", n, err)
	}
	add(b, "c2", "", true)
}

// TestTicket_CountsOnce in all processes together.
func TestTicket_CountsOnce(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	for n := range 10 {
		var wg sync.WaitGroup
		var mu sync.Mutex
		firsts := 0
		for i, r := range []*Replica{a, b, a, b} {
			wg.Go(func() {
				name, nonce := fmt.Sprint("v", n), fmt.Sprint(i)
				first, full, err := r.PutTicket(
					ctx, "voucher", name, "value", "", nonce, time.Minute, 100, 10)
				if full || err != nil {
					t.Errorf("full %v, %v", full, err)
				}
				mu.Lock()
				defer mu.Unlock()
				if first {
					firsts++
				}
			})
		}
		wg.Wait()
		if firsts != 1 {
			t.Errorf("%d were the first", firsts)
		}
	}
	if value, ok, err := b.Ticket(ctx, "voucher", "v1"); value != "value" || !ok || err != nil {
		t.Errorf("%q, %v, %v", value, ok, err)
	}
	if _, ok, err := b.Ticket(ctx, "sign-in", "v1"); ok || err != nil {
		t.Errorf("a ticket of another sample: %v, %v", ok, err)
	}
}

// TestTicket_TriesAgain with the same nonce, after an end that was not seen; and
// has its limits.
func TestTicket_TriesAgain(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	put := func(r *Replica, name, caller, nonce string, wantFirst, wantFull bool) {
		t.Helper()
		first, full, err := r.PutTicket(ctx, "voucher", name, "", caller, nonce, time.Minute, 4, 2)
		if first != wantFirst || full != wantFull || err != nil {
			t.Errorf("%s of %s: first %v, full %v, %v", name, caller, first, full, err)
		}
	}
	put(a, "v1", "a", "n1", true, false)
	put(b, "v1", "a", "n1", true, false)
	put(b, "v1", "a", "n2", false, false)
	put(b, "v2", "a", "n3", true, false)
	put(b, "v3", "a", "n4", false, true)
	put(b, "v2", "a", "n3", true, false)
	put(b, "v2", "a", "n4", false, false)
	put(b, "v3", "b", "n5", true, false)
	put(a, "v4", "", "n6", true, false)
	put(a, "v5", "", "n7", false, true)
	_, err := a.store.db.Writer().ExecContext(ctx, `UPDATE sample_ticket SET expires = clock_timestamp()`)
	if err != nil {
		t.Fatal(err)
	}
	put(b, "v1", "a", "n8", true, false)
	if _, ok, err := a.Ticket(ctx, "voucher", "v2"); ok || err != nil {
		t.Errorf("after its time: %v, %v", ok, err)
	}
}

// TestTicket_OfAWord are in the order in which they were put, by any process.
func TestTicket_OfAWord(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	for i, name := range []string{"ab 9", "a 9", "a 8", "a", "A 1", "a! 1", "a 7"} {
		r := []*Replica{a, b}[i%2]
		if first, full, err := r.PutTicket(ctx, "test", name, name, "", "", time.Minute, 100, 10); !first ||
			full || err != nil {
			t.Fatal(first, full, err)
		}
	}
	for n, want := range map[int][]string{9: {"a 9", "a 8", "a 7"}, 2: {"a 8", "a 7"}} {
		if got, err := b.TicketsOf(ctx, "test", "a", n); !slices.Equal(got, want) || err != nil {
			t.Errorf("%v, want %v, %v", got, want, err)
		}
	}
	if got, err := a.TicketsOf(ctx, "other", "a", 9); len(got) > 0 || err != nil {
		t.Error(got, err)
	}
}
