package dbtest

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

var checkTests = map[string]func(*testing.T, *db.Store){
	// The exchanges of a check are read in the order in which they were made,
	// and a deleted check takes no more.
	"Check_IsOneSession": func(t *testing.T, s *db.Store) {
		first := Exchange("x1")
		first.Session = "check"
		must(t, s.AddCheck(t.Context(), "w", "Check of pay", first))
		second := Exchange("x2")
		second.Session, second.Created = "check", first.Created.Add(1e6)
		must(t, s.Begin(t.Context(), second))
		n, err := s.Session(t.Context(), "w", "check")
		if err != nil || n.Kind != session.KindCheck || len(n.Exchanges) != 2 || n.Exchanges[0].ID != "x1" {
			t.Errorf("%+v, %v", n, err)
		}
		page, err := s.Sessions(t.Context(), "w", session.Search{Limit: 9})
		rows := page.Rows
		if err != nil || len(rows) != 1 || rows[0].Kind != session.KindCheck ||
			rows[0].Exchanges[0].TargetID != first.Target.ID {
			t.Errorf("%+v, %v", rows, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", "check"))
		third := Exchange("x3")
		third.Session = "check"
		wantErr(t, "a deleted check takes more", playground.ErrNotFound, s.Begin(t.Context(), third))
	},

	// A check is compared with those of the same server that were made before it, by the same
	// owner.
	"EarlierChecks_AreOfTheSameServer": func(t *testing.T, s *db.Store) {
		check := func(workspace, id, target string, after time.Duration) {
			x := Exchange("x" + id)
			x.Session, x.Target.ID, x.Created = id, target, Now.Add(after)
			must(t, s.AddCheck(t.Context(), workspace, "Check of pay", x))
			second := Exchange("y" + id)
			second.Session, second.Created = id, x.Created.Add(1e6)
			second.Call.Params = []byte(`{"name":"other"}`)
			must(t, s.Begin(t.Context(), second))
		}
		check("w", "first", "t", time.Second)
		check("w", "second", "t", 2*time.Second)
		check("w", "now", "t", 3*time.Second)
		check("w", "later", "t", 4*time.Second)
		check("w", "elsewhere", "u", time.Second)
		check("other", "theirs", "t", time.Second)
		got, err := s.EarlierChecks(t.Context(), "w", "now", 9)
		if err != nil || len(got) != 2 || got[0].Session != "second" || got[1].Session != "first" ||
			!got[1].Created.Equal(Now.Add(time.Second)) || got[0].Call.Name() != Exchange("x").Call.Name() ||
			got[0].Call.Method != Exchange("x").Call.Method {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err = s.EarlierChecks(t.Context(), "w", "now", 1); err != nil || len(got) != 1 {
			t.Errorf("at most one: %+v, %v", got, err)
		}
		if got, err = s.EarlierChecks(t.Context(), "other", "now", 9); err != nil || len(got) != 0 {
			t.Errorf("of another owner: %+v, %v", got, err)
		}
	},

	// The list of servers has the newest check of each, of its owner.
	"LastChecks_AreTheNewest": func(t *testing.T, s *db.Store) {
		for _, id := range []string{"t", "u"} {
			must(t, s.AddTarget(t.Context(), "w", newTarget(id), Now))
		}
		check := func(workspace, id, target string, after time.Duration) {
			x := Exchange("x" + id)
			x.Session, x.Target.ID, x.Created = id, target, Now.Add(after)
			must(t, s.AddCheck(t.Context(), workspace, "Check of pay", x))
		}
		check("w", "new", "t", 2*time.Second)
		check("w", "old", "t", time.Second)
		check("other", "theirs", "t", 3*time.Second)
		check("w", "of-a-sample", "azure-devops", 3*time.Second)
		called := Exchange("called")
		called.Target.ID = "u"
		must(t, s.AddExchange(t.Context(), "w", "title", called))
		got, err := s.LastChecks(t.Context(), "w")
		if err != nil || len(got) != 1 || got["t"].Session != "new" || got["t"].Bytes <= 0 {
			t.Fatalf("%+v, %v", got, err)
		}
		must(t, s.Append(t.Context(), "xnew", cancelled(), Events()...))
		must(t, s.Append(t.Context(), "t", cancelled(), Events()...))
		now, err := s.LastChecks(t.Context(), "w")
		if err != nil || now["t"].Bytes <= got["t"].Bytes || now["t"].Connection <= got["t"].Connection {
			t.Errorf("%+v after events, %+v before, %v", now, got, err)
		}
	},
}
