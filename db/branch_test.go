package db_test

import (
	"errors"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// TestABranchComesWithItsLine: reading a branch reads what it goes on from, and
// deleting the session deletes both.
func TestABranchComesWithItsLine(t *testing.T) {
	s, _ := open(t)
	x := exchange("x")
	add(t, s, "w", x)
	if err := s.Append(t.Context(), "x", playground.Summary{Status: "cancelled", Rounds: 1, Changed: now}, events()...); err != nil {
		t.Fatal(err)
	}
	b := exchange("b")
	b.Session, b.Origin = x.Session, &playground.Origin{Exchange: "x", Round: 1, Parent: &x}
	if err := s.AddBranch(t.Context(), "v", b); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("into a session of somebody else: %v", err)
	}
	if err := s.AddBranch(t.Context(), "w", b); err != nil {
		t.Fatal(err)
	}
	got, err := s.Exchange(t.Context(), "w", "b")
	if err != nil || got.Origin == nil || got.Origin.Parent == nil {
		t.Fatalf("%+v %v", got, err)
	}
	if n := len(got.Fold().Rounds); n != 1 || len(got.Log) != 0 {
		t.Errorf("%d rounds, %d events of its own", n, len(got.Log))
	}
	n, err := s.Session(t.Context(), "w", x.Session)
	if err != nil || len(n.Exchanges) != 2 || n.Exchanges[0].ID != "x" && n.Exchanges[1].ID != "x" {
		t.Errorf("%+v %v", n, err)
	}
	if err := s.DeleteSession(t.Context(), "w", x.Session); err != nil {
		t.Error(err)
	}
}

func TestAServerIsOursOnceWeSaySo(t *testing.T) {
	s, _ := open(t)
	target := exchange("x").Target
	if err := s.AddTarget(t.Context(), "w", target, now); err != nil {
		t.Fatal(err)
	}
	if mine, err := s.Mine(t.Context(), "w", target.ID); mine || err != nil {
		t.Error(mine, err)
	}
	if err := s.SetMine(t.Context(), "v", target.ID); !errors.Is(err, playground.ErrNotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	if err := s.SetMine(t.Context(), "w", target.ID); err != nil {
		t.Fatal(err)
	}
	if mine, err := s.Mine(t.Context(), "w", target.ID); !mine || err != nil {
		t.Error(mine, err)
	}
}
