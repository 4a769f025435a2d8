package db_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 123456000, time.UTC)

func open(t *testing.T) (*db.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "playground.db")
	s, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

func exchange(id string) playground.Exchange {
	return playground.Exchange{
		ID: id, Session: "s" + id, Created: now,
		Target: playground.Target{
			ID: "t", Sample: "azure-devops", Name: "Azure", URL: "http://h/mcp",
			Capabilities: json.RawMessage(`{"elicitation":{}}`), Header: []wire.Field{{Name: "X-A", Value: "b"}},
		},
		Call: playground.Call{Method: "tools/call", Params: json.RawMessage("{\"name\":\"t\",\"x\": 1.0}")},
	}
}

func events() []playground.Event {
	return []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(now),
		{At: now, Conn: 1, Kind: playground.Sent, Data: []byte("POST \x00\xff")},
		{At: now.Add(time.Second), Conn: 1, Kind: playground.Cancelled},
	}
}

func add(t *testing.T, s *db.Store, workspace string, x playground.Exchange) {
	t.Helper()
	if err := s.AddExchange(t.Context(), workspace, "title", x); err != nil {
		t.Fatal(err)
	}
}

func TestAnExchangeComesBackAsItWas(t *testing.T) {
	s, _ := open(t)
	x := exchange("x")
	add(t, s, "w", x)
	if err := s.Append(t.Context(), "x", playground.Summary{Status: "cancelled", Rounds: 1, Changed: now}, events()...); err != nil {
		t.Fatal(err)
	}
	got, err := s.Exchange(t.Context(), "w", "x")
	if err != nil {
		t.Fatal(err)
	}
	x.Log = events()
	for i := range x.Log {
		x.Log[i].Seq = i + 1
	}
	x.Log[2].Data = []byte{}
	if diff := cmp.Diff(x, got); diff != "" {
		t.Error(diff)
	}
}

func TestNobodySeesWhatBelongsToAnother(t *testing.T) {
	s, _ := open(t)
	add(t, s, "w", exchange("x"))
	if err := s.AddTarget(t.Context(), "w", playground.Target{ID: "t", Name: "n", URL: "u", Capabilities: json.RawMessage("{}")}, now); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"x", "nothing"} {
		if _, err := s.Exchange(t.Context(), "other", id); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("exchange %s: %v", id, err)
		}
	}
	if _, _, err := s.Target(t.Context(), "other", "t"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("target: %v", err)
	}
	if err := s.ForgetTarget(t.Context(), "other", "t"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("forget: %v", err)
	}
}

// TestARoundIsOpenedOnce: of many writers at once, one opens Round 1, and the
// others leave nothing behind.
func TestARoundIsOpenedOnce(t *testing.T) {
	s, _ := open(t)
	add(t, s, "w", exchange("x"))
	results := make([]error, 20)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			results[i] = s.Append(context.Background(), "x", playground.Summary{Status: "running", Rounds: 1, Changed: now}, events()[:2]...)
		})
	}
	wg.Wait()
	won := 0
	for _, err := range results {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, playground.ErrNotOpen):
			t.Error(err)
		}
	}
	log, err := s.Log(t.Context(), "x")
	if won != 1 || len(log) != 2 || err != nil {
		t.Errorf("%d won, %d events, %v", won, len(log), err)
	}
}

func TestUnfinishedLogsAreFound(t *testing.T) {
	s, _ := open(t)
	for id, held := range map[string]bool{"running": true, "waiting": false} {
		add(t, s, "w", exchange(id))
		if err := s.Append(t.Context(), id, playground.Summary{Status: id, Rounds: 1, Held: held, Changed: now}, events()[:2]...); err != nil {
			t.Fatal(err)
		}
	}
	ids, err := s.Unfinished(t.Context())
	if diff := cmp.Diff([]string{"running"}, ids); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestAPathIsNoURL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?#%.db")
	s, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestTheRecordSurvivesReopening(t *testing.T) {
	s, path := open(t)
	add(t, s, "w", exchange("x"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := again.Exchange(t.Context(), "w", "x"); err != nil {
		t.Error(err)
	}
	if err := again.Ready(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
}

// TestEveryConnectionHasThePragmas: set once on a pool they reach one of many.
func TestEveryConnectionHasThePragmas(t *testing.T) {
	s, path := open(t)
	add(t, s, "w", exchange("x"))
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var mode string
	if err := raw.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("journal %s, %v", mode, err)
	}
	for i := range 20 { // foreign keys hold on whichever connection writes
		err := s.Append(t.Context(), fmt.Sprint("missing", i), playground.Summary{}, events()[0])
		if err == nil {
			t.Fatal("an event without a log was stored")
		}
	}
}

func TestAnOlderProgramRefusesANewerDatabase(t *testing.T) {
	s, path := open(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Open(t.Context(), path); !errors.Is(err, db.ErrNewer) {
		t.Errorf("got %v", err)
	}
}
