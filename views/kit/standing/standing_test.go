package standing

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestStanding_OneGrammar: the same outcome has the same glyph and color
// wherever it is shown, and only successes and failures are green and red.
func TestStanding_OneGrammar(t *testing.T) {
	row := func(s playground.Status, toolError bool, experiment string) Standing {
		return OfRow(session.ExchangeRow{Status: s, ToolError: toolError, Experiment: experiment})
	}
	for _, c := range []struct{ got, want Standing }{
		{OfStatus(playground.StatusReady, false), Standing{"", "not sent yet", "outcome-ink"}},
		{OfStatus(playground.StatusRunning, false), Standing{"◌", "running", "outcome-ink"}},
		{OfStatus(playground.StatusWaiting, false), Standing{"◐", "waiting for you", "outcome-ink"}},
		{OfStatus(playground.StatusComplete, false), Standing{"✓", "complete", "outcome-pass"}},
		{OfStatus(playground.StatusComplete, true), Standing{"✕", "tool error", "outcome-fail"}},
		{OfStatus(playground.StatusFailed, false), Standing{"✕", "failed", "outcome-fail"}},
		{OfStatus(playground.StatusDeclined, false), Standing{"⊘", "declined", "outcome-muted"}},
		{OfStatus(playground.StatusDeclined, true), Standing{"⊘", "declined", "outcome-muted"}},
		{OfStatus(playground.StatusCancelled, false), Standing{"⊘", "cancelled", "outcome-muted"}},
		{OfStatus(playground.StatusInterrupted, false), Standing{"!", "interrupted", "outcome-ink"}},
		{OfStatus(playground.StatusCapped, false),
			Standing{"‖", "hit the 20-round limit", "outcome-muted"}},
		{row(playground.StatusFailed, false, ""), Standing{"✕", "failed", "outcome-fail"}},
		{OfRow(session.ExchangeRow{Status: playground.StatusFailed, SignIn: true}), SignIn},
		{row(playground.StatusFailed, false, "flip-state"), Standing{"–", "failed", "outcome-muted"}},
		{row(playground.StatusComplete, true, "flip-state"), Standing{"–", "tool error", "outcome-muted"}},
		{row(playground.StatusComplete, false, "flip-state"), Standing{"✓", "complete", "outcome-pass"}},
		{OfVerdict(verdict.Passed), Standing{"✓", "passed", "outcome-pass"}},
		{OfVerdict(verdict.Failed), Standing{"✕", "failed", "outcome-fail"}},
		{OfVerdict(verdict.Advisory), Standing{"!", "advisory", "outcome-ink"}},
		{OfVerdict(verdict.Stopped), Standing{"‖", "stopped", "outcome-ink"}},
		{OfVerdict(verdict.NotJudged), Standing{"–", "not judged", "outcome-muted"}},
		{OfVerdict(verdict.NotReached), Standing{"–", "not reached", "outcome-muted"}},
		{OfVerdict(verdict.NotApplicable), Standing{"–", "does not apply", "outcome-muted"}},
		{OfTarget(server.Connected), Standing{"✓", "connected", "outcome-pass"}},
		{OfTarget(server.Connecting), Standing{"◌", "connecting", "outcome-ink"}},
		{OfTarget(server.ConnectFailed), Standing{"✕", "not connected", "outcome-fail"}},
		{OfCheck(lab.Running), Standing{"◌", "running", "outcome-ink"}},
		{OfCheck(lab.Stopped), Standing{"‖", "stopped early", "outcome-muted"}},
		{OfCheck(lab.Failed), Standing{"✕", "failed", "outcome-fail"}},
		{OfCheck(lab.Complete), Standing{"", "finished", "outcome-ink"}},
	} {
		if c.got != c.want {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
}
