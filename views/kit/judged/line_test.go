package judged_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
)

// The line of a list has the verdict of the card, and praises nothing that was not judged.
func TestCard_Line(t *testing.T) {
	line := func(o verdict.Outcome) verdict.Line { return verdict.Line{ID: string(o), Outcome: o} }
	of := func(outcomes ...verdict.Outcome) verdict.Report {
		r := verdict.Report{Party: "server", Groups: []verdict.Group{{}}}
		for _, o := range outcomes {
			r.Groups[0].Lines = append(r.Groups[0].Lines, line(o))
		}
		return r
	}
	gap := of(verdict.Passed)
	gap.Gaps = []string{"The right call did not work."}
	for name, c := range map[string]struct {
		report      verdict.Report
		glyph, word string
	}{
		"failed":      {of(verdict.Failed, verdict.Passed, verdict.Passed), "✕", "1 failed · 2 passed"},
		"only failed": {of(verdict.Failed, verdict.NotApplicable), "✕", "1 failed"},
		"passed":      {of(verdict.Passed), "✓", "nothing failed in 1 check"},
		"advisory": {of(verdict.Passed, verdict.Advisory, verdict.NotReached), "✓",
			"nothing failed in 2 checks · 1 advisory"},
		"gap":     {gap, "–", "not judged"},
		"nothing": {of(verdict.NotReached), "–", "not judged"},
		"stopped": {of(verdict.Passed, verdict.Stopped), "‖", "stopped"},
	} {
		got := judged.New(c.report, nil).Line()
		if got.Glyph != c.glyph || got.Word != c.word {
			t.Errorf("%s: %s %s, want %s %s", name, got.Glyph, got.Word, c.glyph, c.word)
		}
		if green := got.Class == "outcome-pass"; green != (c.glyph == "✓") {
			t.Errorf("%s: %s", name, got.Class)
		}
	}
}
