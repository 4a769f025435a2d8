package views

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Standing is the outcome of a call, a Round, an experiment or a check, in the
// grammar that all pages share.
type Standing struct {
	Glyph string // one character; "" if the outcome is open and the word says all
	Word  string
	Class string // CSS class of the color
}

// Glyphs of what has not ended.
const (
	glyphWaiting = "◐"
	glyphRunning = "◌"
	glyphNothing = "–"
)

// Classes of the colors: green, red, muted ink and ink.
const (
	classPass  = "outcome-pass"
	classFail  = "outcome-fail"
	classMuted = "outcome-muted"
	classInk   = "outcome-ink"
)

var outcomeClasses = map[narrate.Ending]string{
	narrate.Good: classPass, narrate.Bad: classFail, narrate.Neutral: classMuted,
	narrate.Stopped: classMuted, narrate.Unknown: classInk,
}

// endingAs returns the standing of an ending, in the given word.
func endingAs(e narrate.Ending, word string) Standing {
	if e == narrate.NoEnding {
		return Standing{Word: word, Class: classInk}
	}
	return Standing{e.Glyph(), word, outcomeClasses[e]}
}

// mutedStanding returns the standing of what came to no outcome.
func mutedStanding(word string) Standing { return Standing{glyphNothing, word, classMuted} }

// inkStanding returns the standing of what has no outcome, but should be read.
func inkStanding(word string) Standing { return Standing{glyphNothing, word, classInk} }

// runningStanding returns the standing of what is running.
func runningStanding(word string) Standing { return Standing{glyphRunning, word, classInk} }

// waitingStanding returns the standing of what waits for the user.
func waitingStanding(word string) Standing { return Standing{glyphWaiting, word, classInk} }

// openStanding returns the standing of what is open, of which the word says all.
func openStanding(word string) Standing { return Standing{Word: word, Class: classInk} }

// newStanding returns the standing for a status. toolError reports that a
// complete call ended with an error of its tool.
func newStanding(s playground.Status, toolError bool) Standing {
	word := StatusWords(s)
	switch s {
	case playground.StatusComplete:
		if toolError {
			return endingAs(narrate.Bad, "tool error")
		}
		return endingAs(narrate.Good, word)
	case playground.StatusFailed:
		return endingAs(narrate.Bad, word)
	case playground.StatusDeclined, playground.StatusCancelled:
		return endingAs(narrate.Neutral, word)
	case playground.StatusInterrupted:
		return endingAs(narrate.Unknown, word)
	case playground.StatusCapped:
		return endingAs(narrate.Stopped, word)
	case playground.StatusWaiting:
		return waitingStanding(word)
	case playground.StatusRunning:
		return runningStanding(word)
	}
	return openStanding(word)
}

// standingOf returns the standing of a call. Unlike newStanding, it tells a
// call that can be retried from one that waits for an answer.
func standingOf(f playground.Transcript) Standing {
	s := newStanding(f.Status, f.ToolError())
	if f.Status != playground.StatusWaiting {
		return s
	}
	switch last := f.Last(); {
	case f.Foreign():
		s.Word = "waiting for the client"
	case last.PollsStopped() != "":
		return endingAs(narrate.Stopped, "polling stopped")
	case last.Kind == playground.OutcomeRetry:
		s.Word = "ready to retry"
	}
	return s
}

// rowStanding returns the standing of a stored exchange. The error of a server
// in an experiment is no failure: the verdict is on the page of the experiment.
func rowStanding(x session.ExchangeRow) Standing {
	if x.SignIn && x.Experiment == "" {
		return signInStanding
	}
	s := newStanding(x.Status, x.ToolError)
	if x.Experiment != "" && s.Class == classFail {
		return mutedStanding(s.Word)
	}
	return s
}

// signInStanding is that of a call that a sign-in can continue.
var signInStanding = waitingStanding("sign-in needed")

// judged returns the standing of a call that was made for an experiment: what
// the experiment showed, once the call has ended.
func (s Standing) judged(tried lab.Result, status playground.Status) Standing {
	ended := status == playground.StatusComplete || status == playground.StatusFailed
	if !tried.Ended() || !ended {
		return s
	}
	switch tried.Verdict {
	case verdict.Passed:
		switch tried.Reaction {
		case lab.Rejected:
			return endingAs(narrate.Good, "rejected, as expected")
		case lab.NoAnswer:
			return endingAs(narrate.Good, "not accepted, as expected")
		}
	case verdict.Failed, verdict.Advisory:
		return verdictStanding(tried.Verdict)
	}
	return s
}

// outcomeColors are the classes of the colors of verdicts.
var outcomeColors = map[verdict.Outcome]string{
	verdict.Failed: classFail, verdict.Advisory: classInk, verdict.Passed: classPass,
	verdict.Stopped: classInk, verdict.NotJudged: classMuted, verdict.NotReached: classMuted,
	verdict.NotApplicable: classMuted,
}

// verdictStanding returns the standing for a verdict, wherever one is shown.
func verdictStanding(o verdict.Outcome) Standing {
	return Standing{o.Glyph(), o.Word(), outcomeColors[o]}
}

// targetStanding returns the standing of a server.
func targetStanding(status string) Standing {
	switch status {
	case server.Connected:
		return endingAs(narrate.Good, TargetWords(status))
	case server.ConnectFailed:
		return endingAs(narrate.Bad, TargetWords(status))
	}
	return runningStanding(TargetWords(status))
}

// checkStanding returns the standing of a check. Whether the server passed is
// another question.
func checkStanding(s lab.Status) Standing {
	switch s {
	case lab.Running:
		return runningStanding(checkWords(s))
	case lab.Failed:
		return endingAs(narrate.Bad, checkWords(s))
	case lab.Stopped:
		return endingAs(narrate.Stopped, checkWords(s))
	}
	return openStanding(checkWords(s))
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
	case lab.Partial:
		return "partly run"
	}
	return "finished"
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
