package exchange

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// Fold says how much of the stage a wide page folds, so that the drawer gets the
// room. The style sheet reads it from the drawer, which changes with each panel.
type Fold string

// Folds. A folded picture shows the Round of the page alone.
const (
	Unfolded    Fold = ""
	FoldPicture Fold = "picture" // the question and its buttons stay
	FoldStage   Fold = "stage"   // question and answer, or the result, are a few lines
)

// foldAt returns the fold of a page with the selection s on Round n. A panel
// other than Wire folds the stage, and so does an earlier Round of a call that
// has ended. A reader goes through the Rounds one by one, so that only a panel
// folds the stage there.
func (in Input) foldAt(s selection.Selection, f playground.Transcript, n int) Fold {
	last, own := f.Last(), in.Recording == nil
	inspected := own && f.Status.Ended() && n != last.N
	asks := own && !f.Foreign() && f.Status == playground.StatusWaiting && last.Open() && n == last.N
	switch {
	case s.Stage || s.Open() == selection.PanelWire && !inspected:
		return Unfolded
	case asks:
		return FoldPicture
	}
	return FoldStage
}

// openPath returns the address of the page with the stage open.
func (in Input) openPath(n int) string {
	s := in.Selection
	s.Round, s.Stage = n, true
	return in.Address(s)
}
