package db_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

func TestOnlyIdleWorkspacesAreDropped(t *testing.T) {
	s, path := open(t)
	since := now.Add(24 * time.Hour)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"idle", "seen", "running", "went-on", "connecting"} {
		add(t, s, id, exchange(id))
		sum := playground.Summary{Status: "complete", Rounds: 1, Changed: now, Held: id == "running"}
		if id == "went-on" {
			sum.Changed = since
		}
		must(s.Append(t.Context(), id, sum, events()...))
		target := playground.Target{ID: "t-" + id, Name: "n", URL: "u", Capabilities: json.RawMessage("{}")}
		must(s.AddTarget(t.Context(), id, target, now))
		if id != "connecting" {
			must(s.Append(t.Context(), target.ID, playground.Summary{Status: "connected"}, events()...))
		}
		must(s.AddShare(t.Context(), id, share.Share{Token: "link-" + id, Session: "s" + id, Created: now, Expires: since.Add(time.Hour), Data: []byte("{}"), Image: []byte("i")}))
	}
	must(s.SetSeen(t.Context(), "seen", since))
	must(s.SetSeen(t.Context(), "seen", now)) // never back
	must(s.SetSeen(t.Context(), "nobody", since))
	before := rowsOf(t, path, "event")
	if n, err := s.DeleteIdleWorkspaces(t.Context(), now); err != nil || n != 0 {
		t.Errorf("%d were dropped to the microsecond, %v", n, err)
	}
	if n, err := s.DeleteIdleWorkspaces(t.Context(), since); err != nil || n != 1 {
		t.Errorf("%d were dropped, %v", n, err)
	}
	for table, want := range map[string]int{"workspace": 4, "session": 4, "exchange": 4, "target": 4, "share": 4, "log": 8, "event": before - 6} {
		if got := rowsOf(t, path, table); got != want {
			t.Errorf("%s: %d rows, want %d", table, got, want)
		}
	}
	if _, err := s.Exchange(t.Context(), "idle", "idle"); err == nil {
		t.Error("what was dropped can be read")
	}
	add(t, s, "idle", exchange("again")) // whoever comes back begins anew
}
