package db

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// newReplicas returns two replicas with a connection each, and a log that both can
// append to.
func newReplicas(t *testing.T, log string) (a, b *Replica) {
	t.Helper()
	s, url := newPostgres(t)
	other, err := OpenPostgres(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	addLog(t, s, log)
	return joined(t, s), joined(t, other)
}

func addLog(t *testing.T, s *Store, id string) {
	t.Helper()
	call := playground.Call{Method: "tools/call", Params: []byte("{}")}
	x := playground.Exchange{ID: id, Session: "session of " + id, Call: call}
	if err := s.AddExchange(t.Context(), "w", "title", x); err != nil {
		t.Fatal(err)
	}
}

// joined makes a Store a replica that is not renewed while a test runs, unless the test
// does it.
func joined(t *testing.T, s *Store) *Replica {
	t.Helper()
	r, err := s.join(t.Context(), time.Now, testLife)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Leave(context.Background()) })
	return r
}

const testLife = 24 * time.Hour

func event(seq int, kind playground.EventKind) playground.Event {
	return playground.Event{Seq: seq, At: time.Unix(0, 0), Conn: 1, Kind: kind, Data: []byte("{}")}
}

var (
	running = playground.Summary{Status: "running", Held: true}
	ended   = playground.Summary{Status: "complete"}
)

func wantError(t *testing.T, what string, want, got error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestReplica_OneHoldsALog from the first event of what runs to the last.
func TestReplica_OneHoldsALog(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	elsewhere := func(want bool) {
		t.Helper()
		end, err := b.End(ctx, "x")
		if err != nil || end.Elsewhere != want {
			t.Errorf("elsewhere is %v, %v", end.Elsewhere, err)
		}
	}
	wantError(t, "begin", nil, a.Append(ctx, "x", running, event(1, playground.Sent)))
	elsewhere(true)
	wantError(t, "another", playground.ErrElsewhere, b.Append(ctx, "x", running, event(2, playground.Sent)))
	wantError(t, "claim", playground.ErrElsewhere, b.Claim(ctx, "x"))
	wantError(t, "confirm", nil, a.Confirm(ctx, "x", time.Now()))
	wantError(t, "end", nil, a.Append(ctx, "x", ended, event(2, playground.Received)))
	elsewhere(false)
	wantError(t, "stale", playground.ErrNotOpen, b.Append(ctx, "x", running, event(2, playground.Sent)))
	wantError(t, "the other one begins", nil, b.Append(ctx, "x", running, event(3, playground.Sent)))
	wantError(t, "the first is late", playground.ErrElsewhere,
		a.Append(ctx, "x", running, event(3, playground.Sent)))
}

// TestReplica_LeaveGivesEverythingBack at once.
func TestReplica_LeaveGivesEverythingBack(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	wantError(t, "begin", nil, a.Append(ctx, "x", running, event(1, playground.Sent)))
	wantError(t, "leave", nil, a.Leave(ctx))
	got, err := b.Unfinished(ctx)
	if diff := cmp.Diff([]string{"x"}, got); diff != "" || err != nil {
		t.Errorf("unfinished: %v\n%s", err, diff)
	}
	wantError(t, "claim", nil, b.Claim(ctx, "x"))
}

// TestReplica_LeavesANewTargetAlone, because the process that added it is about to
// connect to it, and takes one that was left without an event.
func TestReplica_LeavesANewTargetAlone(t *testing.T) {
	ctx := t.Context()
	a, b := newReplicas(t, "x")
	for id, age := range map[string]time.Duration{"new": 0, "left": 2 * newTarget} {
		target := playground.Target{ID: id, Name: "n", URL: "u", Capabilities: []byte("{}")}
		wantError(t, "add", nil, a.store.AddTarget(ctx, "w", target, time.Now().Add(-age)))
	}
	got, err := b.Unfinished(ctx)
	if diff := cmp.Diff([]string{"left"}, got); diff != "" || err != nil {
		t.Errorf("unfinished: %v\n%s", err, diff)
	}
}

// TestReplica_SQLiteServesOneProcess so there is nothing to join.
func TestReplica_SQLiteServesOneProcess(t *testing.T) {
	s, _ := newStore(t)
	_, err := s.Join(t.Context(), time.Now)
	wantError(t, "join", engine.ErrAlone, err)
}
