package views

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Standing is the status of a call in words, with the CSS class of its color.
type Standing struct{ Words, Class string }

// newStanding returns the standing for a status. toolError reports that a
// complete call ended with an error of its tool.
func newStanding(s playground.Status, toolError bool) Standing {
	if toolError {
		return Standing{"tool error", "status-failed"}
	}
	return Standing{StatusWords(s), "status-" + string(s)}
}

// standingOf returns the standing of a call. Unlike newStanding, it tells a
// call that can be retried from one that waits for an answer.
func standingOf(f playground.Transcript) Standing {
	s := newStanding(f.Status, f.ToolError())
	if last := f.Last(); f.Status == playground.StatusWaiting && last.Kind == playground.OutcomeRetry {
		s.Words = "ready to retry"
	}
	if last := f.Last(); f.Status == playground.StatusWaiting && last.PollsStopped() != "" {
		s.Words = "polling stopped"
	}
	return s
}

// StatusWords returns the words for a status.
func StatusWords(s playground.Status) string {
	switch s {
	case playground.StatusReady:
		return "not sent yet"
	case playground.StatusRunning:
		return "running"
	case playground.StatusWaiting:
		return "waiting for you"
	case playground.StatusCapped:
		return fmt.Sprintf("hit the %d-round limit", playground.MaxRounds)
	}
	return string(s)
}

// TargetWords returns the words for the status of a target.
func TargetWords(status string) string {
	if status == server.ConnectFailed {
		return "not connected"
	}
	return status
}

// outcomeWords returns the words for the outcome of a Round.
func outcomeWords(k playground.OutcomeKind) string {
	switch k {
	case playground.OutcomeRPCError:
		return "JSON-RPC error"
	case playground.OutcomeHTTPError:
		return "HTTP error"
	}
	return strings.ReplaceAll(string(k), "_", " ")
}

// checkWords returns the words for the status of a check.
func checkWords(s lab.Status) string {
	switch s {
	case lab.Running:
		return "running"
	case lab.Failed:
		return "failed"
	case lab.Stopped:
		return "stopped early"
	}
	return "finished"
}

// verdictWord returns the word for the verdict of a rule or an experiment.
func verdictWord(verdict string) string {
	switch rules.Verdict(verdict) {
	case rules.Fail:
		return "violation"
	case rules.Hint:
		return "advisory"
	case rules.Pass:
		return "passed"
	case rules.NA:
		return "not applicable"
	}
	return verdict
}

// reactionWords returns what a server did with an experiment's request.
func reactionWords(r lab.Reaction) string {
	switch r {
	case lab.Rejected:
		return "The server rejected it"
	case lab.AskedAgain:
		return "The server asked again"
	case lab.Accepted:
		return "The server accepted it"
	}
	return "No response came"
}

// tallyWord returns the word for a number of verdicts.
func tallyWord(verdict string) string {
	switch rules.Verdict(verdict) {
	case rules.Fail:
		return "violations"
	case rules.Hint:
		return "advisories"
	}
	return verdictWord(verdict)
}
