package views

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

func TestACheckThatCouldTryLittleIsNotPraised(t *testing.T) {
	good, open := verdict.Headline{Outcome: verdict.Passed}, verdict.Headline{Outcome: verdict.NotJudged}
	for _, c := range []struct {
		report      CheckReport
		words, tone string
	}{
		{CheckReport{Asks: true, Headline: good}, "", "good"},
		{CheckReport{Headline: good}, "asked nothing", ""},
		{CheckReport{Asks: true, Headline: open}, "", ""},
		{CheckReport{Headline: good, Legacy: true}, "earlier revision", "good"},
		{CheckReport{Headline: verdict.Headline{Outcome: verdict.Failed, Words: "Bad."}}, "Bad.", "bad"},
	} {
		c.report.Status = lab.Complete
		if words := c.report.Words(); !strings.Contains(words, c.words) || c.report.Tone() != c.tone {
			t.Errorf("%+v: %q, tone %q", c.report, words, c.report.Tone())
		}
	}
}
