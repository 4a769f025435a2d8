package rules_test

import (
	"path/filepath"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestViolations_HaveAFailingRule: whenever a response ends a call because it
// breaks the protocol, a rule says so; and the recordings have every cause.
func TestViolations_HaveAFailingRule(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[playground.Cause]bool{}
	for _, file := range files {
		x, _, err := play(load(t, file))
		if err != nil {
			t.Fatal(err)
		}
		failed := map[int]bool{}
		for _, f := range rules.Judge(x) {
			failed[f.Round] = failed[f.Round] || f.Verdict == verdict.Failed
		}
		for _, r := range playground.Fold(x.Log).Rounds {
			if r.Kind != playground.OutcomeViolation {
				continue
			}
			seen[r.Cause] = true
			if !failed[r.N] {
				t.Errorf("%s, round %d: %s, and no rule fails", filepath.Base(file), r.N, r.Detail)
			}
		}
	}
	for _, cause := range playground.Causes() {
		if !seen[cause] {
			t.Errorf("no recording has the cause %s", cause)
		}
	}
}
