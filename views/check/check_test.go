package check

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

func TestACheckThatCouldTryLittleIsNotPraised(t *testing.T) {
	for _, c := range []struct {
		report Report
		of     verdict.Outcome
		after  string
		want   verdict.Outcome
	}{
		{Report{Asks: true}, verdict.Passed, "", verdict.Passed},
		{Report{}, verdict.Passed, "asked nothing", verdict.NotJudged},
		{Report{Asks: true}, verdict.NotJudged, "", verdict.NotJudged},
		{Report{Legacy: true}, verdict.Passed, "earlier revision", verdict.Passed},
		{Report{}, verdict.Failed, "asked nothing", verdict.Failed},
	} {
		c.report.Status, c.report.Board.Card.Verdict = lab.Complete, c.of
		c.report.qualify()
		card := c.report.Board.Card
		after := strings.Join(card.After, " ")
		if card.Verdict != c.want || !strings.Contains(after, c.after) {
			t.Errorf("%+v: %s, %q", c.report, card.Verdict, after)
		}
	}
}
