package views

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

func TestACheckThatCouldTryLittleIsNotPraised(t *testing.T) {
	for _, c := range []struct {
		report      CheckReport
		words, tone string
	}{
		{CheckReport{Asks: true, Worked: true}, "No problems found.", "good"},
		{CheckReport{Worked: true}, "asked nothing", ""},
		{CheckReport{Asks: true}, "did not work", ""},
		{CheckReport{Worked: true, Legacy: true}, "earlier revision", "good"},
		{CheckReport{Counts: lab.Counts{Fail: 2}}, "2 MUST-level", "bad"},
	} {
		c.report.Status = lab.Complete
		if words := c.report.Words(); !strings.Contains(words, c.words) || c.report.Tone() != c.tone {
			t.Errorf("%+v: %q, tone %q", c.report, words, c.report.Tone())
		}
	}
}
