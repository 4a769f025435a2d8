package db_test

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// sessions fills a workspace; n goes into ids, titles and times.
func sessions(t *testing.T, s *db.Store, workspace string, n int) {
	t.Helper()
	for i := range n {
		x := exchange(fmt.Sprintf("x%05d-%s", i, workspace))
		x.Log = events()
		for k := range x.Log {
			x.Log[k].Seq = k + 1
		}
		at := now.Add(time.Duration(i/2) * time.Second) // pairs share a time
		err := s.AddSession(t.Context(), workspace, session.Session{
			ID: fmt.Sprintf("s%05d-%s", i, workspace), Title: fmt.Sprintf("call %d", i), Created: at, Changed: at, Exchanges: []playground.Exchange{x},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// pages reads the whole list page by page.
func pages(t *testing.T, s *db.Store, workspace string, q session.Search) []session.Row {
	t.Helper()
	var all []session.Row
	for {
		list, err := s.Sessions(t.Context(), workspace, q)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
		if len(list) < q.Most {
			return all
		}
		q.After = list[len(list)-1].Cursor()
	}
}

func TestEverySessionIsOnExactlyOnePage(t *testing.T) {
	s, _ := open(t)
	sessions(t, s, "w", 101)
	sessions(t, s, "other", 3)
	for _, id := range []string{"s00007-w", "s00050-w"} {
		if err := s.EditSession(t.Context(), "w", id, "pinned one", "a note", true); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	all := pages(t, s, "w", session.Search{Most: 10})
	for _, l := range all {
		if seen[l.ID] || len(l.Exchanges) != 1 {
			t.Errorf("%s twice, or with %d exchanges", l.ID, len(l.Exchanges))
		}
		seen[l.ID] = true
	}
	if len(all) != 101 || all[0].ID != "s00050-w" || all[1].ID != "s00007-w" || all[2].ID != "s00100-w" {
		t.Errorf("%d sessions, led by %s, %s, %s", len(all), all[0].ID, all[1].ID, all[2].ID)
	}
	if found := pages(t, s, "w", session.Search{Most: 10, Words: []string{"PINNED", "azure"}}); len(found) != 2 {
		t.Errorf("%d found", len(found))
	}
}

// The issue asks for a page of 10000 sessions within 200 ms. A test asserts no
// duration: it asserts that the list comes out of an index, page by page, and
// the benchmark measures.
func TestAPageOfTheListIsReadFromItsIndex(t *testing.T) {
	s, path := open(t)
	sessions(t, s, "w", 3)
	raw, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	rows, err := raw.QueryContext(t.Context(), `EXPLAIN QUERY PLAN SELECT s.id FROM session s WHERE s.workspace = 'w' AND (s.pinned, s.changed, s.id) < (0, 5, 'x')
		ORDER BY s.pinned DESC, s.changed DESC, s.id DESC LIMIT 51`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var plan string
		if err := rows.Scan(&id, &parent, &unused, &plan); err != nil {
			t.Fatal(err)
		}
		if want := "SEARCH s USING"; len(plan) < len(want) || plan[:len(want)] != want {
			t.Errorf("plan: %s", plan)
		}
	}
}

func BenchmarkHistory(b *testing.B) {
	s, err := db.Open(b.Context(), b.TempDir()+"/playground.db")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	const many = 10_000
	for i := range many {
		x := exchange(fmt.Sprint("x", i))
		x.Log = events()
		n := session.Session{ID: fmt.Sprint("s", i), Title: fmt.Sprint("call ", i), Created: now, Changed: now.Add(time.Duration(i) * time.Second), Exchanges: []playground.Exchange{x}}
		if err := s.AddSession(b.Context(), "w", n); err != nil {
			b.Fatal(err)
		}
	}
	deep := session.Cursor{ID: "s50", Changed: now.Add(50 * time.Second)}
	for name, q := range map[string]session.Search{
		"first page": {Most: 51}, "last page": {Most: 51, After: deep}, "search with no hit": {Most: 51, Words: []string{"nowhere"}},
		"search with few hits": {Most: 51, Words: []string{"9999"}}, "status": {Most: 51, Status: "failed"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Sessions(b.Context(), "w", q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestASessionIsReadAsItWasStored(t *testing.T) {
	s, _ := open(t)
	sessions(t, s, "w", 1)
	n, err := s.Session(t.Context(), "w", "s00000-w")
	if err != nil || len(n.Exchanges) != 1 || len(n.Exchanges[0].Log) != 3 || n.Title != "call 0" {
		t.Errorf("%v: %+v", err, n)
	}
	if _, err := s.Session(t.Context(), "other", "s00000-w"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("somebody else's session: %v", err)
	}
}

func TestDeletingTakesTheRecordAndTheLinks(t *testing.T) {
	s, path := open(t)
	sessions(t, s, "w", 4)
	sessions(t, s, "other", 1)
	for _, id := range []string{"s00000-w", "s00001-w"} {
		h := share.Share{Token: "T" + id, Session: id, Created: now, Expires: now.Add(time.Hour), Data: []byte("d"), Image: []byte("i")}
		if err := s.AddShare(t.Context(), "w", h); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeleteSession(t.Context(), "other", "s00000-w"); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("a stranger's delete: %v", err)
	}
	if err := s.DeleteSession(t.Context(), "w", "s00000-w"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Share(t.Context(), "Ts00000-w", now); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("its link still works: %v", err)
	}
	if got := rowsOf(t, path, "log"); got != 4 {
		t.Errorf("%d logs are left, want 4", got)
	}
	if err := s.DeleteSessions(t.Context(), "w"); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"session": 1, "exchange": 1, "log": 1, "event": 3, "share": 0} {
		if got := rowsOf(t, path, table); got != want {
			t.Errorf("%d rows of %s are left, want %d", got, table, want)
		}
	}
}

func rowsOf(t *testing.T, path, table string) int {
	t.Helper()
	raw, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var n int
	if err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAShareEndsWithItsTime(t *testing.T) {
	s, path := open(t)
	sessions(t, s, "w", 1)
	h := share.Share{Token: "T", Session: "s00000-w", Title: "t", Created: now, Expires: now.Add(time.Hour), Data: []byte("d"), Image: []byte("i")}
	if err := s.AddShare(t.Context(), "w", h); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]error{time.Hour - time.Microsecond: nil, time.Hour: playground.ErrNotFound} {
		if _, err := s.Share(t.Context(), "T", now.Add(after)); !errors.Is(err, want) {
			t.Errorf("after %v: %v", after, err)
		}
	}
	if err := s.CountView(t.Context(), "T"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Shares(t.Context(), "w", now); err != nil || len(list) != 1 || list[0].Views != 1 || list[0].Token != "T" {
		t.Errorf("%v %+v", err, list)
	}
	if err := s.DeleteExpiredShares(t.Context(), now.Add(time.Hour)); err != nil || rowsOf(t, path, "share") != 0 {
		t.Errorf("an expired share is still stored: %v", err)
	}
}
