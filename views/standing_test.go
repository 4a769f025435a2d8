package views

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
		return rowStanding(session.ExchangeRow{Status: s, ToolError: toolError, Experiment: experiment})
	}
	for _, c := range []struct{ got, want Standing }{
		{newStanding(playground.StatusReady, false), Standing{"", "not sent yet", "outcome-ink"}},
		{newStanding(playground.StatusRunning, false), Standing{"◌", "running", "outcome-ink"}},
		{newStanding(playground.StatusWaiting, false), Standing{"◐", "waiting for you", "outcome-ink"}},
		{newStanding(playground.StatusComplete, false), Standing{"✓", "complete", "outcome-pass"}},
		{newStanding(playground.StatusComplete, true), Standing{"✕", "tool error", "outcome-fail"}},
		{newStanding(playground.StatusFailed, false), Standing{"✕", "failed", "outcome-fail"}},
		{newStanding(playground.StatusDeclined, false), Standing{"⊘", "declined", "outcome-muted"}},
		{newStanding(playground.StatusDeclined, true), Standing{"⊘", "declined", "outcome-muted"}},
		{newStanding(playground.StatusCancelled, false), Standing{"⊘", "cancelled", "outcome-muted"}},
		{newStanding(playground.StatusInterrupted, false), Standing{"!", "interrupted", "outcome-ink"}},
		{newStanding(playground.StatusCapped, false),
			Standing{"‖", "hit the 20-round limit", "outcome-muted"}},
		{row(playground.StatusFailed, false, ""), Standing{"✕", "failed", "outcome-fail"}},
		{rowStanding(session.ExchangeRow{Status: playground.StatusFailed, SignIn: true}), signInStanding},
		{row(playground.StatusFailed, false, "flip-state"), Standing{"–", "failed", "outcome-muted"}},
		{row(playground.StatusComplete, true, "flip-state"), Standing{"–", "tool error", "outcome-muted"}},
		{row(playground.StatusComplete, false, "flip-state"), Standing{"✓", "complete", "outcome-pass"}},
		{verdictStanding(verdict.Passed), Standing{"✓", "passed", "outcome-pass"}},
		{verdictStanding(verdict.Failed), Standing{"✕", "failed", "outcome-fail"}},
		{verdictStanding(verdict.Advisory), Standing{"!", "advisory", "outcome-ink"}},
		{verdictStanding(verdict.Stopped), Standing{"‖", "stopped", "outcome-ink"}},
		{verdictStanding(verdict.NotJudged), Standing{"–", "not judged", "outcome-muted"}},
		{verdictStanding(verdict.NotReached), Standing{"–", "not reached", "outcome-muted"}},
		{verdictStanding(verdict.NotApplicable), Standing{"–", "does not apply", "outcome-muted"}},
		{targetStanding(server.Connected), Standing{"✓", "connected", "outcome-pass"}},
		{targetStanding(server.Connecting), Standing{"◌", "connecting", "outcome-ink"}},
		{targetStanding(server.ConnectFailed), Standing{"✕", "not connected", "outcome-fail"}},
		{checkStanding(lab.Running), Standing{"◌", "running", "outcome-ink"}},
		{checkStanding(lab.Stopped), Standing{"‖", "stopped early", "outcome-muted"}},
		{checkStanding(lab.Failed), Standing{"✕", "failed", "outcome-fail"}},
		{checkStanding(lab.Complete), Standing{"", "finished", "outcome-ink"}},
	} {
		if c.got != c.want {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
}
