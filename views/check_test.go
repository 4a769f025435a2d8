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
		{CheckReport{Asks: true}, "No problems found.", "good"},
		{CheckReport{}, "asked nothing", ""},
		{CheckReport{ToolError: true}, "ended with a tool error", ""},
		{CheckReport{Counts: lab.Counts{Fail: 2}}, "2 MUST-level", "bad"},
	} {
		c.report.Status = lab.Complete
		if words := c.report.Words(); !strings.Contains(words, c.words) || c.report.Tone() != c.tone {
			t.Errorf("%+v: %q, tone %q", c.report, words, c.report.Tone())
		}
	}
}
