package board

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

func TestTree(t *testing.T) {
	rows := []session.ExchangeRow{
		{ID: "b", Parent: "x", From: 2, Experiment: "flip-state", Status: playground.StatusFailed},
		{ID: "x", Status: playground.StatusComplete}, // stored at the same moment, listed by id
		{ID: "y", Parent: "x", From: 1, Status: playground.StatusWaiting},
		{ID: "z", Parent: "x", Status: playground.StatusComplete},
	}
	showed := map[string]Showed{"b": {verdict.Passed, "400 -32602"}}
	tree := NewTree(rows, showed, "y")
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
	for i := range maxTree {
		rows = append(rows, session.ExchangeRow{ID: fmt.Sprint(i), Parent: "x"})
	}
	if !NewTree(rows, nil, "y").Folded() {
		t.Error("many branches are not folded")
	}
}

// TestTree_ExperimentsOfACheck: an experiment that took several calls is one branch,
// which stands as the worst of them. The right calls of a check are none.
func TestTree_ExperimentsOfACheck(t *testing.T) {
	rows := []session.ExchangeRow{
		{ID: "x", Status: playground.StatusComplete},
		{ID: "control", Parent: "x", Status: playground.StatusComplete, Result: "Done."},
		{ID: "repeat", Parent: "control", Status: playground.StatusWaiting},
		{ID: "f1", Parent: "control", Experiment: "flip-state", Status: playground.StatusFailed},
		{ID: "f2", Parent: "control", Experiment: "flip-state", Status: playground.StatusComplete},
		{ID: "f3", Parent: "control", Experiment: "flip-state", Status: playground.StatusFailed},
	}
	tree := NewTree(rows, map[string]Showed{
		"f1": {verdict.Passed, "400 -32602"}, "f2": {verdict.Failed, "completed"},
		"f3": {verdict.Passed, "400 -32602"},
	}, "f3")
	if len(tree.Branches) != 1 || len(tree.Baseline) != 2 {
		t.Fatalf("%d branches, %d of the baseline", len(tree.Branches), len(tree.Baseline))
	}
	flip := tree.Branches[0]
	if flip.Path != "/x/f2" || flip.Standing.Word != "failed" || flip.Got != "completed" || !flip.Current ||
		len(flip.Calls) != 3 || flip.Calls[2].Path != "/x/f3" {
		t.Errorf("%+v", flip)
	}
	if word := tree.Baseline[1].Standing.Word; word != "not continued" || tree.Baseline[0].Got != "Done." {
		t.Errorf("baseline %+v", tree.Baseline)
	}
}

// TestFindings_WhyARuleDidNotJudge: a rule that was not judged is listed
// with the reason.
func TestFindings_WhyARuleDidNotJudge(t *testing.T) {
	rule := rules.Rule{ID: "S0", Requirement: "Servers keep this."}
	lists := findings(lab.Report{Open: []lab.OpenRule{
		{Rule: rule, Outcome: verdict.NotReached, Why: "No message is about it."},
		{Rule: rule, Outcome: verdict.NotJudged, Why: "It cannot be checked."},
	}})
	for outcome, list := range lists {
		unjudged := outcome == verdict.NotJudged
		if says := strings.Contains(list[0].Text, "It cannot be checked."); says != unjudged {
			t.Errorf("%s: %s", outcome, list[0].Text)
		}
	}
	if len(lists) != 2 {
		t.Errorf("%+v", lists)
	}
}
