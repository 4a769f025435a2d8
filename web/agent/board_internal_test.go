package agent

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestBoard_Outcomes: a board names outcomes by the ids that everything has.
func TestBoard_Outcomes(t *testing.T) {
	type enum struct {
		Enum []verdict.Outcome `json:"enum"`
	}
	type list struct {
		Items struct {
			Properties struct{ Standing, Verdict enum }
		}
	}
	var schema struct {
		Properties struct{ Findings, Requirements, NotJudged list }
	}
	if err := json.Unmarshal([]byte(boardOutput), &schema); err != nil {
		t.Fatal(err)
	}
	p := schema.Properties
	if got := p.Requirements.Items.Properties.Standing.Enum; !slices.Equal(got, verdict.Outcomes()) {
		t.Errorf("standing: %q", got)
	}
	both := slices.Concat(p.Findings.Items.Properties.Verdict.Enum,
		[]verdict.Outcome{verdict.Passed}, p.NotJudged.Items.Properties.Verdict.Enum)
	if !slices.Equal(both, verdict.Outcomes()) {
		t.Errorf("verdict: %q", both)
	}
}
