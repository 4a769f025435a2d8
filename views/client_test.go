package views_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// TestClientPage_ListsWhatItsHeadlineCounts: each line of the report is on the page, with its
// outcome. A fault that a rule and a check of the client test see is counted once, in the
// headline and in the row of its call.
func TestClientPage_ListsWhatItsHeadlineCounts(t *testing.T) {
	calls, log := clientRecord()
	report := capture.NewReport(session.Session{Kind: session.KindCapture, Exchanges: calls}, log)
	for name, test := range map[string]struct {
		checks []rules.Observation
		same   int
	}{
		"a server":        {},
		"the client test": {checks: everyOutcome(report), same: 1},
	} {
		in := clientview.Input{Report: report, Checks: test.checks, Now: noon}
		var b bytes.Buffer
		if err := clientview.Main(clientview.New(in)).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		page := htmltest.Parse(b.String())
		run := capture.Run{Report: report, Checks: test.checks}
		v := capture.NewBoard("", []capture.Run{run}, capture.Selection{}).Verdict()
		for _, o := range verdict.Outcomes() {
			of := fmt.Sprintf("[data-verdict=%q]", o)
			n := len(page.Find(`section[data-side="client"] ` + of + `:not([data-same])`))
			counts := v.Counts()
			if want := counts.Of(o); n != want {
				t.Errorf("%s: %d lines are %s, the headline counts %d", name, n, o, want)
			}
		}
		if n := len(page.Find(`[data-same] "Counted as"`)); n != test.same {
			t.Errorf("%s: %d lines are counted as another, want %d", name, n, test.same)
		}
		if !page.Has(`[data-call="X2"] [data-side="client"] "1 failed"`) {
			t.Errorf("%s: the call that fails one check: %q", name, page.Texts(`[data-call="X2"]`))
		}
		for _, words := range []string{
			"1 of 4 calls that asked something was not continued to the end.",
			"1 retry could not be joined to its call and was not judged.",
		} {
			if !page.Has(`[data-side="client"] [data-verdict] "` + words + `"`) {
				t.Errorf("%s: no line says %q", name, words)
			}
		}
	}
}

// everyOutcome returns the checks of the client test with every outcome. One about the echoed
// state failed in the request in which the rule did.
func everyOutcome(r capture.Report) []rules.Observation {
	checks := capture.Observe(r.Contacts())
	all := verdict.Outcomes()
	echo := slices.IndexFunc(checks, func(o rules.Observation) bool {
		s, _ := spec.ByID(o.Requirement)
		return slices.Contains(s.Rules, "C2")
	})
	for i := range checks {
		checks[i].Outcome, checks[i].Shown = all[i%len(all)], nil
	}
	i := slices.IndexFunc(r.Calls, func(c capture.Call) bool { return c.Exchange.ID == "X2" })
	checks[echo].Outcome = verdict.Failed
	checks[echo].Shown = []rules.Recorded{{Exchange: "X2", Conn: r.Calls[i].Transcript.Round(2).Conn}}
	return checks
}
