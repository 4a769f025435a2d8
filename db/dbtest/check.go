package dbtest

import (
	"testing"

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
}
