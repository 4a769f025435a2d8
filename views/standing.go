package views

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Standing is how a call stands, for people. Class is a class of its colour.
type Standing struct{ Words, Class string }

// newStanding says what a status means; toolError is of a complete call.
func newStanding(s playground.Status, toolError bool) Standing {
	if toolError {
		return Standing{"tool error", "status-failed"}
	}
	return Standing{StatusWords(s), "status-" + string(s)}
}

// standingOf is how a call stands whose log is at hand: one that waits for
// nobody's answer says so.
func standingOf(f playground.Transcript) Standing {
	s := newStanding(f.Status, f.ToolError())
	if last := f.Last(); f.Status == playground.StatusWaiting && last.Kind == playground.OutcomeRetry {
		s.Words = "ready to retry"
	}
	return s
}

// StatusWords are the words of a status, for people.
func StatusWords(s playground.Status) string {
	switch s {
	case playground.StatusReady:
		return "not sent yet"
	case playground.StatusRunning:
		return "under way"
	case playground.StatusWaiting:
		return "waiting for you"
	case playground.StatusCapped:
		return fmt.Sprintf("stopped at %d rounds", playground.MaxRounds)
	}
	return string(s)
}
