package views

import (
	"fmt"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

func TestTree(t *testing.T) {
	rows := []session.ExchangeRow{
		{ID: "b", Parent: "x", From: 2, Experiment: "flip-state", Status: playground.StatusFailed},
		{ID: "x", Status: playground.StatusComplete}, // stored at the same moment, listed by id
		{ID: "y", Parent: "x", From: 1, Status: playground.StatusWaiting},
		{ID: "z", Parent: "x", Status: playground.StatusComplete},
	}
	verdicts := map[string]rules.Verdict{"b": rules.Pass}
	tree := newTree(rows, verdicts, "y")
	if tree.Original.Path != "/x/x" || tree.Original.Current || tree.Folded() {
		t.Errorf("%+v", tree)
	}
	for i, want := range []string{"Flip one byte of the state 2 ✓", "Other answer 1 ◐", "Rerun 0 ✓"} {
		l := tree.Branches[i]
		got := fmt.Sprint(l.Words, " ", l.Round, " ", l.Standing.Glyph)
		if got != want || l.Current != (i == 1) {
			t.Errorf("%q (current %t), want %q", got, l.Current, want)
		}
	}
	if newTree(rows[:1], nil, "b") != nil {
		t.Error("a call without branches has a tree")
	}
	for i := range maxTree {
		rows = append(rows, session.ExchangeRow{ID: fmt.Sprint(i), Parent: "x"})
	}
	if !newTree(rows, nil, "y").Folded() {
		t.Error("many branches are not folded")
	}
}
