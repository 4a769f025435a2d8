package check

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestCheckReport_WhyARuleDidNotJudge: a rule that was not judged is listed
// with the reason.
func TestCheckReport_WhyARuleDidNotJudge(t *testing.T) {
	rule := rules.Rule{ID: "S0", Requirement: "Servers keep this."}
	var r Report
	r.rules(lab.Report{Open: []lab.OpenRule{
		{Rule: rule, Outcome: verdict.NotReached, Why: "No message is about it."},
		{Rule: rule, Outcome: verdict.NotJudged, Why: "It cannot be checked."},
	}})
	for _, list := range r.Open {
		words := list.Verdicts[0].Text
		unjudged := list.Outcome == verdict.NotJudged
		if says := strings.Contains(words, "It cannot be checked."); says != unjudged {
			t.Errorf("%s: %s", list.Outcome, words)
		}
	}
	if len(r.Open) != 2 {
		t.Errorf("%+v", r.Open)
	}
}

func TestACheckThatCouldTryLittleIsNotPraised(t *testing.T) {
	good, open := verdict.Headline{Outcome: verdict.Passed}, verdict.Headline{Outcome: verdict.NotJudged}
	for _, c := range []struct {
		report      Report
		words, tone string
	}{
		{Report{Asks: true, Headline: good}, "", "good"},
		{Report{Headline: good}, "asked nothing", ""},
		{Report{Asks: true, Headline: open}, "", ""},
		{Report{Headline: good, Legacy: true}, "earlier revision", "good"},
		{Report{Headline: verdict.Headline{Outcome: verdict.Failed, Words: "Bad."}}, "Bad.", "bad"},
	} {
		c.report.Status = lab.Complete
		if words := c.report.Words(); !strings.Contains(words, c.words) || c.report.Tone() != c.tone {
			t.Errorf("%+v: %q, tone %q", c.report, words, c.report.Tone())
		}
	}
}
