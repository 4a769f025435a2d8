package narrate

import "github.com/mrtr-playground/mrtr-playground/playground"

// Ending is how a Round or a call ended. Wherever an outcome is shown it has
// the glyph of its Ending, and on pages and pictures its color too: green for
// Good, red for Bad, and ink for all others.
type Ending string

// Endings.
const (
	NoEnding Ending = ""        // it goes on: the server works, waits, or was answered
	Good     Ending = "good"    // a result
	Bad      Ending = "bad"     // an error, or a response that violates the protocol
	Neutral  Ending = "neutral" // the user declined or cancelled
	Unknown  Ending = "unknown" // interrupted, so that the outcome is not known
	Stopped  Ending = "stopped" // the client stopped at a limit
)

// Glyph returns the sign of the Ending, or "" for NoEnding.
func (e Ending) Glyph() string {
	switch e {
	case Good:
		return "✓"
	case Bad:
		return "✕"
	case Neutral:
		return "⊘"
	case Unknown:
		return "!"
	case Stopped:
		return "‖"
	}
	return ""
}

// EndingOf returns how Round i (from 0) ended.
func EndingOf(f playground.Transcript, i int) Ending {
	r, last := f.Rounds[i], i == len(f.Rounds)-1
	switch r.Kind {
	case playground.OutcomePending, playground.OutcomeTask, playground.OutcomeAck:
		return NoEnding
	case playground.OutcomeInputRequired, playground.OutcomeRetry, playground.OutcomeTaskStatus:
		if last {
			return openEnding(f.Status, r)
		}
		return NoEnding
	case playground.OutcomeComplete:
		switch {
		case last && (f.Status == playground.StatusDeclined || f.Status == playground.StatusCancelled):
			return Neutral
		case r.IsError:
			return Bad
		}
		return Good
	case playground.OutcomeCancelled:
		return Neutral
	case playground.OutcomeInterrupted:
		if r.PollsStopped() != "" {
			return Stopped
		}
		return Unknown
	}
	return Bad
}

// openEnding returns how a call ended whose last Round could have gone on.
func openEnding(s playground.Status, r playground.Round) Ending {
	switch {
	case s == playground.StatusDeclined, s == playground.StatusCancelled:
		return Neutral
	case s == playground.StatusCapped, r.PollsStopped() != "":
		return Stopped
	}
	return NoEnding
}
