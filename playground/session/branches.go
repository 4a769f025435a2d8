package session

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// Branches are the calls that were made from a call.
type Branches struct {
	Original ExchangeRow
	// Tried are the branches, oldest first: another answer, a rerun, or an experiment
	// with all calls that it took.
	Tried [][]ExchangeRow
	// Baseline are the right calls that a check made, to compare its experiments with.
	Baseline []ExchangeRow
}

// BranchesOf returns the branches among the rows of a Session. Its Original is
// the first row that branches from none, or else the first.
func BranchesOf(rows []ExchangeRow) Branches {
	var b Branches
	original := slices.IndexFunc(rows, func(x ExchangeRow) bool { return x.Parent == "" })
	if original < 0 {
		original = 0
	}
	if len(rows) > 0 {
		b.Original = rows[original]
	}
	// A check makes its right call more than once, and its experiments from the start
	// of the first one.
	type started struct{ experiment, plain bool }
	children := map[string]started{}
	for _, x := range rows {
		if x.Parent != "" && x.From == 0 {
			c := children[x.Parent]
			c.experiment = c.experiment || x.Experiment != ""
			c.plain = c.plain || x.Experiment == ""
			children[x.Parent] = c
		}
	}
	isControl := func(id string) bool { return id != b.Original.ID && children[id] == started{true, true} }
	type group struct{ experiment, parent string }
	places := map[group]int{}
	for i, x := range rows {
		again := x.Parent != "" && x.From == 0 && x.Experiment == ""
		together := x.Experiment != "" && x.Experiment != lab.EditedID
		g := group{x.Experiment, x.Parent}
		switch at, known := places[g]; {
		case i == original:
		case again && (isControl(x.ID) || isControl(x.Parent)):
			b.Baseline = append(b.Baseline, x)
		case together && known:
			b.Tried[at] = append(b.Tried[at], x)
		default:
			if together {
				places[g] = len(b.Tried)
			}
			b.Tried = append(b.Tried, []ExchangeRow{x})
		}
	}
	return b
}
