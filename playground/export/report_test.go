package export_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// TestReport_EscapesForeignText: a server cannot add cells, rows or HTML to the
// report, and the same report gives the same bytes.
func TestReport_EscapesForeignText(t *testing.T) {
	e, _ := lab.ExperimentByID("flip-state")
	const foreign = "a | b <script>x</script>\n| c |"
	r := lab.Report{
		Status: lab.Partial, Target: playground.Target{Name: foreign, URL: "http://h/" + foreign},
		Compared: foreign, Detail: foreign,
		Results: []lab.Result{
			{Experiment: e, Verdict: rules.Fail, Text: foreign, Round: playground.Round{N: 2,
				Outcome: playground.Outcome{Kind: playground.OutcomeRPCError,
					Error: &playground.RPCError{Code: -1, Message: foreign}}}},
			{Experiment: e, Verdict: rules.NA, Waiting: true},
		},
		Findings: []lab.Finding{{Finding: rules.Finding{Rule: "S1", Verdict: rules.Hint, Text: foreign}}},
	}
	out := export.Report(r)
	if !bytes.Equal(out, export.Report(r)) {
		t.Error("the same report gives other bytes")
	}
	if bytes.Contains(bytes.ReplaceAll(out, []byte(`\<`), nil), []byte("<script")) {
		t.Errorf("HTML in\n%s", out)
	}
	for _, line := range strings.Split(string(out), "\n") {
		cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if want := map[bool]int{true: 6, false: 4}[strings.Contains(line, "Flip one byte")]; cells != 0 &&
			cells != want && !strings.HasPrefix(line, "| ---") && !strings.HasPrefix(line, "| Experiment") {
			t.Errorf("%d borders in %s", cells, line)
		}
	}
	for _, want := range []string{"**1 violation · 1 not run**", "✕ violation", "not run", "! advisory"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
