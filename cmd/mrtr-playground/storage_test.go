package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

func newTestStore(t *testing.T) *db.Store {
	t.Helper()
	store, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "playground.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func emptyExchange(id string) playground.Exchange {
	return playground.Exchange{
		ID: id, Session: "s", Created: time.Unix(1, 0),
		Target: playground.Target{Capabilities: json.RawMessage("{}")},
		Call:   playground.Call{Params: json.RawMessage("{}")},
	}
}

// TestBeginExchange_StopsAtTheLimit: a check that runs begins no further call
// once its owner has stored too much, or on the user's own machine all have.
func TestBeginExchange_StopsAtTheLimit(t *testing.T) {
	for _, c := range []struct {
		mode  app.Mode
		limit int
		want  error
	}{
		{app.Public, 100_000, nil}, {app.Public, 100, playground.ErrFull}, {app.Local, 100_000_000, nil},
		{app.Local, 100, playground.ErrFull},
	} {
		a := &service{mode: c.mode, limits: defaultLimits(), store: newTestStore(t), now: now}
		if c.mode == app.Local {
			a.limits.pages.StorageLocal = c.limit
		} else {
			a.limits.pages.StorageWorkspace = c.limit
		}
		if err := a.store.AddCheck(t.Context(), "w", "check", emptyExchange("x")); err != nil {
			t.Fatal(err)
		}
		if err := a.beginExchange(t.Context(), emptyExchange("y")); !errors.Is(err, c.want) {
			t.Errorf("%s, limit %d: %v, want %v", c.mode, c.limit, err, c.want)
		}
		_, err := a.store.ExchangeByID(t.Context(), "y")
		if stored := err == nil; stored != (c.want == nil) {
			t.Errorf("%s, limit %d: stored %v", c.mode, c.limit, stored)
		}
	}
}

// TestBeginExchange_StopsAtTheLimitOfTheNetwork: a check counts for the network
// of the address that began it. Of five addresses, each has stored as much as it
// may, and together they have stored more than a network may.
func TestBeginExchange_StopsAtTheLimitOfTheNetwork(t *testing.T) {
	for _, c := range []struct {
		networks int // that the addresses are in
		want     error
	}{{1, playground.ErrFull}, {2, nil}} {
		a := &service{mode: app.Public, limits: defaultLimits(), store: newTestStore(t), now: now}
		day := usage.Day(time.Now())
		salt, err := a.store.Salt(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			p := usage.Payer{
				Day: day, Hash: usage.Hash(salt, fmt.Sprint("address", i)),
				Network: usage.Hash(salt, fmt.Sprint("network", i%c.networks)),
			}
			x := emptyExchange(fmt.Sprint("x", i))
			x.Session = fmt.Sprint("s", i)
			if err := a.store.AddCheck(usage.WithPayer(t.Context(), p), "w", "check", x); err != nil {
				t.Fatal(err)
			}
			u, err := a.store.Storage(t.Context(), "w", "", p)
			if err != nil || u.Address == 0 {
				t.Fatal(u, err)
			}
			a.limits.pages.StorageAddress = int(u.Address)
		}
		more := emptyExchange("more")
		more.Session = "s4"
		if err := a.beginExchange(t.Context(), more); !errors.Is(err, c.want) {
			t.Errorf("%d networks: %v, want %v", c.networks, err, c.want)
		}
	}
}

// TestSweep_DeletesDays: what addresses stored is deleted when their day is
// over, and not before.
func TestSweep_DeletesDays(t *testing.T) {
	store := newTestStore(t)
	now := time.Date(2026, 11, 20, 23, 59, 59, 0, time.UTC)
	day := usage.Day(now)
	salt, err := store.Salt(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	p := usage.Payer{Day: day, Hash: usage.Hash(salt, "a")}
	paid := usage.WithPayer(t.Context(), p)
	if err := store.AddExchange(paid, "w", "title", emptyExchange("x")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration
		kept  bool
	}{{0, true}, {time.Second, false}} {
		s := sweeper{
			store: store, now: func() time.Time { return now.Add(c.after) },
			logger: slog.New(slog.DiscardHandler),
		}
		if err := s.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		u, err := store.Storage(t.Context(), "w", "", p)
		if err != nil || (u.Address > 0) != c.kept || u.Workspace == 0 {
			t.Errorf("after %v: %+v, %v", c.after, u, err)
		}
	}
}
