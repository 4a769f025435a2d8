package share

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
)

// TestExchangeChoices: the calls of a branch are offered one by one, those of the
// baseline apart.
func TestExchangeChoices(t *testing.T) {
	rows := []session.ExchangeRow{
		{ID: "x", Status: playground.StatusComplete},
		{ID: "control", Parent: "x", Status: playground.StatusComplete, Result: "Done."},
		{ID: "repeat", Parent: "control", Status: playground.StatusWaiting},
		{ID: "f1", Parent: "control", Experiment: "flip-state", Status: playground.StatusFailed},
		{ID: "f2", Parent: "control", Experiment: "flip-state", Status: playground.StatusComplete},
		{ID: "f3", Parent: "control", Experiment: "flip-state", Status: playground.StatusFailed},
	}
	tree := boardview.NewTree(rows, map[string]boardview.Showed{
		"f1": {Verdict: verdict.Passed}, "f2": {Verdict: verdict.Failed}, "f3": {Verdict: verdict.Passed},
	}, "f3")
	list, baseline := ExchangeChoices(tree, []string{"f2"})
	var words []string
	for _, c := range append(list, baseline...) {
		words = append(words, fmt.Sprint(c.Value, ": ", c.Words, " ", c.Chosen))
	}
	if got, want := strings.Join(words, "\n"), `x: Original · complete false
f1: Flip one byte of the state, 1 of 3 · passed false
f2: Flip one byte of the state, 2 of 3 · failed true
f3: Flip one byte of the state, 3 of 3 · passed false
control: Baseline call 1 · complete false
repeat: Baseline call 2 · not continued false`; got != want {
		t.Errorf("choices:\n%s", got)
	}
}

// TestShareSecrets_Folds: a long list of possible secrets is folded below how many there are.
func TestShareSecrets_Folds(t *testing.T) {
	for n, folded := range map[int]bool{0: false, 1: false, 5: false, 6: true, 47: true} {
		var html strings.Builder
		form := Form{Findings: make([]share.Finding, n)}
		if err := shareSecrets(form).Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(html.String(), "<details"); got != folded {
			t.Errorf("%d possible secrets are folded: %v, want %v", n, got, folded)
		}
		if got := strings.Count(html.String(), "<li"); got != n {
			t.Errorf("%d of %d possible secrets are listed", got, n)
		}
	}
}
