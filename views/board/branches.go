package board

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Showed is the result of the experiment of a call.
type Showed struct {
	Verdict verdict.Outcome
	Got     string // the response, in a few words
}

// Tree is a call with its branches.
type Tree struct {
	Original Leaf
	Branches []Leaf
	Baseline []Leaf // the right calls that experiments are compared with
}

// Leaf is a call in the tree, or an experiment with all calls that it took.
type Leaf struct {
	Path, Words string
	Round       int // that it continues from; 0 is before the first
	Standing    standing.Standing
	Got         string // its result, in a few words; may be empty
	Current     bool
	Calls       []Leaf // of an experiment that took several, of which Path leads to the decisive one
}

// maxTree is how many branches the tree of a call shows unfolded.
const maxTree = 6

// Folded reports whether the branches are too many to be shown at once.
func (t Tree) Folded() bool { return len(t.Branches) > maxTree }

// BaselineWords is the line that the right calls of a check fold under.
func BaselineWords(n int) string { return fmt.Sprintf("Baseline calls (%d)", n) }

// NewTree returns the tree of a Session. An experiment stands as its verdict.
// Exchange shown is the current one; it may be empty.
func NewTree(rows []session.ExchangeRow, showed map[string]Showed, shown string) Tree {
	b := session.BranchesOf(rows)
	t := Tree{Original: NewLeaf(b.Original, "Original", showed, shown)}
	for _, rows := range b.Tried {
		t.Branches = append(t.Branches, branchLeaf(rows, showed, shown))
	}
	for i, x := range b.Baseline {
		l := NewLeaf(x, fmt.Sprintf("Baseline call %d", i+1), showed, shown)
		if x.Status == playground.StatusWaiting {
			l.Standing = standing.Muted("not continued")
		}
		t.Baseline = append(t.Baseline, l)
	}
	return t
}

// NewLeaf returns the line of one exchange in the tree.
func NewLeaf(x session.ExchangeRow, words string, showed map[string]Showed, shown string) Leaf {
	l := Leaf{Path: "/x/" + x.ID, Words: words, Round: x.From, Standing: standing.OfRow(x),
		Current: x.ID == shown,
		Got:     text.Visible(x.Result, 200)}
	if s, ok := showed[x.ID]; ok {
		l.Standing, l.Got = standing.OfVerdict(s.Verdict), s.Got
	}
	return l
}

// branchLeaf returns a branch of one call, or an experiment that took several: it
// stands as the worst of them.
func branchLeaf(rows []session.ExchangeRow, showed map[string]Showed, shown string) Leaf {
	worst := 0
	for i, x := range rows {
		this, that := showed[x.ID].Verdict, showed[rows[worst].ID].Verdict
		if this.Compare(that) < 0 {
			worst = i
		}
	}
	l := NewLeaf(rows[worst], leafWords(rows[worst]), showed, shown)
	if len(rows) == 1 {
		return l
	}
	for i, x := range rows {
		l.Calls = append(l.Calls, NewLeaf(x, fmt.Sprint(i+1), showed, shown))
		l.Current = l.Current || x.ID == shown
	}
	return l
}

// leafWords describes a branch, in a few words.
func leafWords(x session.ExchangeRow) string {
	e, known := lab.ExperimentByID(x.Experiment)
	switch {
	case known:
		return e.Title
	case x.From == 0:
		return "Rerun"
	}
	return "Other answer"
}
