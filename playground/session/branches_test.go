package session

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

func TestBranchesOf(t *testing.T) {
	ids := func(rows []ExchangeRow) (list []string) {
		for _, x := range rows {
			list = append(list, x.ID)
		}
		return list
	}
	rows := []ExchangeRow{
		{ID: "early", Parent: "x", From: 2, Experiment: "flip-state"}, // stored at the same moment
		{ID: "x"},
		{ID: "rerun", Parent: "x"},
		{ID: "answer", Parent: "x", From: 1},
		{ID: "of-rerun", Parent: "rerun", Experiment: "no-meta"},
		// run all
		{ID: "control", Parent: "x"},
		{ID: "repeat", Parent: "control"},
		{ID: "flip", Parent: "control", Experiment: "flip-state"},
		{ID: "flip-again", Parent: "control", Experiment: "flip-state"},
		{ID: "compared", Parent: "control"},
		{ID: "meta", Parent: "control", Experiment: "no-meta"},
		// by hand
		{ID: "edited", Parent: "x", From: 1, Experiment: lab.EditedID},
		{ID: "edited-again", Parent: "x", From: 1, Experiment: lab.EditedID},
		{ID: "of-control", Parent: "control", From: 1},
	}
	b := BranchesOf(rows)
	if b.Original.ID != "x" {
		t.Errorf("original %q", b.Original.ID)
	}
	if got := ids(b.Baseline); !slices.Equal(got, []string{"control", "repeat", "compared"}) {
		t.Errorf("baseline %q", got)
	}
	want := [][]string{{"early"}, {"rerun"}, {"answer"}, {"of-rerun"}, {"flip", "flip-again"}, {"meta"},
		{"edited"}, {"edited-again"}, {"of-control"}}
	if !slices.EqualFunc(b.Tried, want, func(x []ExchangeRow, want []string) bool {
		return slices.Equal(ids(x), want)
	}) {
		t.Errorf("tried %v", b.Tried)
	}
	if b := BranchesOf(nil); b.Original.ID != "" || b.Tried != nil {
		t.Errorf("of nothing: %v", b)
	}
}

// TestBranchesOf_OneRerun: a rerun is no baseline, although experiments were made
// with it.
func TestBranchesOf_OneRerun(t *testing.T) {
	b := BranchesOf([]ExchangeRow{
		{ID: "x"}, {ID: "rerun", Parent: "x"},
		{ID: "meta", Parent: "rerun", Experiment: "no-meta"},
		{ID: "flip", Parent: "rerun", From: 2, Experiment: "flip-state"},
	})
	if len(b.Baseline) > 0 || len(b.Tried) != 3 {
		t.Errorf("%+v", b)
	}
}
