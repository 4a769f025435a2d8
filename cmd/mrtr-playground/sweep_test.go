package main

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/web/agent"
)

func TestSweeper_IdleTimeWhereBrowsersHaveWorkspaces(t *testing.T) {
	const month = 30 * 24 * time.Hour
	for mode, want := range map[app.Mode]time.Duration{app.Local: 0, app.Trusted: month, app.Public: month} {
		a := &service{mode: mode, limits: defaultLimits()}
		if got := a.sweeper().idle; got != want {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
	}
}

// TestSweep_DeletesExpiredLinksAndIdleWorkspaces, and both forget links and
// states of the workbench at their end: at the limit and one beyond.
func TestSweep_DeletesExpiredLinksAndIdleWorkspaces(t *testing.T) {
	const month = 30 * 24 * time.Hour
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name             string
		idle, after      time.Duration
		link, workspaces bool
		guest            bool // what a guest left is there
	}{
		{"public, while all is in use", month, time.Hour - 1, true, true, true},
		{"public, when the link ends", month, time.Hour, false, true, true},
		{"public, beyond the time of guests", month, agent.GuestIdle + time.Microsecond, false, true, false},
		{"public, at the limit", month, month, false, true, false},
		{"public, one beyond", month, month + time.Microsecond, false, false, false},
		{"local, after years", 0, 100 * month, false, true, true},
	} {
		store, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "playground.db"))
		if err != nil {
			t.Fatal(err)
		}
		x := playground.Exchange{
			ID: "x", Session: "s", Created: start,
			Target: playground.Target{Capabilities: json.RawMessage("{}")},
			Call:   playground.Call{Params: json.RawMessage("{}")},
		}
		link := share.Share{
			Token: "link", Session: "s", Created: start, Expires: start.Add(time.Hour), Data: []byte("{}"),
			Image: []byte("i"),
		}
		if err := store.AddExchange(t.Context(), "w", "title", x); err != nil {
			t.Fatal(err)
		}
		guest := x
		guest.ID, guest.Session = "gx", "gs"
		if err := store.AddExchange(t.Context(), agent.GuestPrefix+"1", "title", guest); err != nil {
			t.Fatal(err)
		}
		if err := store.AddShare(t.Context(), "w", link); err != nil {
			t.Fatal(err)
		}
		err = store.KeepWorkbench(t.Context(), "w", "b", []byte("b"), start, link.Expires, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := sweeper{store: store, now: func() time.Time { return start.Add(test.after) }, idle: test.idle,
			logger: slog.New(slog.DiscardHandler)}
		if err := s.sweep(t.Context()); err != nil {
			t.Error(err)
		}
		_, noLink := store.Share(t.Context(), "link", start) // as if it were still time
		_, noBench := store.Workbench(t.Context(), "w", "b", start)
		_, noExchange := store.Exchange(t.Context(), "w", "x")
		_, noGuest := store.Exchange(t.Context(), agent.GuestPrefix+"1", "gx")
		if (noLink == nil) != test.link || (noBench == nil) != test.link ||
			(noExchange == nil) != test.workspaces || (noGuest == nil) != test.guest {
			t.Errorf("%s: link %v, workbench %v, exchange %v, guest %v", test.name, noLink, noBench,
				noExchange, noGuest)
		}
		_ = store.Close()
	}
}
