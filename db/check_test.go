package db_test

import (
	"errors"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// TestACheckIsOneSession: its exchanges come back in the order in which they
// were made, the right call first, and a deleted check takes no more.
func TestACheckIsOneSession(t *testing.T) {
	s, _ := open(t)
	first := exchange("x1")
	first.Session = "check"
	if err := s.AddCheck(t.Context(), "w", "Check of pay", first); err != nil {
		t.Fatal(err)
	}
	second := exchange("x2")
	second.Session, second.Created = "check", first.Created.Add(1e6)
	if err := s.Begin(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	n, err := s.Session(t.Context(), "w", "check")
	if err != nil || n.Kind != session.KindCheck || len(n.Exchanges) != 2 || n.Exchanges[0].ID != "x1" {
		t.Errorf("%+v, %v", n, err)
	}
	lines, err := s.Sessions(t.Context(), "w", session.Search{Most: 9})
	if err != nil || len(lines) != 1 || lines[0].Kind != session.KindCheck || lines[0].Exchanges[0].TargetID != first.Target.ID {
		t.Errorf("%+v, %v", lines, err)
	}
	if err := s.DeleteSession(t.Context(), "w", "check"); err != nil {
		t.Fatal(err)
	}
	third := exchange("x3")
	third.Session = "check"
	if err := s.Begin(t.Context(), third); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("a deleted check takes more: %v", err)
	}
}
