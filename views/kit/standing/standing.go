// Package standing shows outcomes: of a call, a Round, an experiment, a check
// and a rule. One outcome has one glyph, one word and one color on all pages.
// Only what succeeded is green, and only what failed is red.
package standing

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Standing is the outcome of a call, a Round, an experiment or a check, in the
// grammar that all pages share.
type Standing struct {
	Glyph string // one character; "" if the outcome is open and the word says all
	Word  string
	Class string // CSS class of the color
}

// Glyphs of things that have not ended.
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

// EndingAs returns the standing of an ending, in the given word.
func EndingAs(e narrate.Ending, word string) Standing {
	if e == narrate.NoEnding {
		return Standing{Word: word, Class: classInk}
	}
	return Standing{e.Glyph(), word, outcomeClasses[e]}
}

// Muted returns the standing of something without an outcome.
func Muted(word string) Standing { return Standing{glyphNothing, word, classMuted} }

// Ink returns the standing of something without an outcome that should be read.
func Ink(word string) Standing { return Standing{glyphNothing, word, classInk} }

// Running returns the standing of something that is running.
func Running(word string) Standing { return Standing{glyphRunning, word, classInk} }

// Waiting returns the standing of something that waits for the user.
func Waiting(word string) Standing { return Standing{glyphWaiting, word, classInk} }

// Open returns the standing of something open, which its word alone
// describes.
func Open(word string) Standing { return Standing{Word: word, Class: classInk} }

// OfStatus returns the standing for a status. toolError reports that a
// complete call ended with an error of its tool.
func OfStatus(s playground.Status, toolError bool) Standing {
	word := prose.StatusWords(s)
	switch s {
	case playground.StatusComplete:
		if toolError {
			return EndingAs(narrate.Bad, "tool error")
		}
		return EndingAs(narrate.Good, word)
	case playground.StatusFailed:
		return EndingAs(narrate.Bad, word)
	case playground.StatusDeclined, playground.StatusCancelled:
		return EndingAs(narrate.Neutral, word)
	case playground.StatusInterrupted:
		return EndingAs(narrate.Unknown, word)
	case playground.StatusCapped:
		return EndingAs(narrate.Stopped, word)
	case playground.StatusWaiting:
		return Waiting(word)
	case playground.StatusRunning:
		return Running(word)
	}
	return Open(word)
}

// Of returns the standing of a call. Unlike OfStatus, it distinguishes a call
// that can be retried from one that waits for an answer.
func Of(f playground.Transcript) Standing {
	s := OfStatus(f.Status, f.ToolError())
	if f.Status != playground.StatusWaiting {
		return s
	}
	switch last := f.Last(); {
	case f.Foreign():
		s.Word = "waiting for the client"
	case last.PollsStopped() != "":
		return EndingAs(narrate.Stopped, "polling stopped")
	case last.Kind == playground.OutcomeRetry:
		s.Word = "ready to retry"
	}
	return s
}

// OfRow returns the standing of a stored exchange. The error of a server
// in an experiment is no failure: the verdict is on the page of the experiment.
func OfRow(x session.ExchangeRow) Standing {
	if x.SignIn && x.Experiment == "" {
		return SignIn
	}
	s := OfStatus(x.Status, x.ToolError)
	if x.Experiment != "" && s.Class == classFail {
		return Muted(s.Word)
	}
	return s
}

// SignIn is that of a call that a sign-in can continue.
var SignIn = Waiting("sign-in needed")

// Judged returns the standing of a call that was made for an experiment: what
// the experiment showed, once the call has ended.
func (s Standing) Judged(tried lab.Result, status playground.Status) Standing {
	ended := status == playground.StatusComplete || status == playground.StatusFailed
	if !tried.Ended() || !ended {
		return s
	}
	switch tried.Verdict {
	case verdict.Passed:
		switch tried.Reaction {
		case lab.Rejected:
			return EndingAs(narrate.Good, "rejected, as expected")
		case lab.NoAnswer:
			return EndingAs(narrate.Good, "not accepted, as expected")
		}
	case verdict.Failed, verdict.Advisory:
		return OfVerdict(tried.Verdict)
	}
	return s
}

// outcomeColors are the classes of the colors of verdicts.
var outcomeColors = map[verdict.Outcome]string{
	verdict.Failed: classFail, verdict.Advisory: classInk, verdict.Passed: classPass,
	verdict.Stopped: classInk, verdict.NotJudged: classMuted, verdict.NotReached: classMuted,
	verdict.NotApplicable: classMuted,
}

// Deliberate returns the standing without the color of a failure, for a server that fails on purpose.
func (s Standing) Deliberate() Standing {
	if s.Class == classFail {
		s.Class = classMuted
	}
	return s
}

// OfVerdict returns the standing for a verdict, wherever one is shown.
func OfVerdict(o verdict.Outcome) Standing {
	return Standing{o.Glyph(), o.Word(), outcomeColors[o]}
}

// OfTarget returns the standing of a server.
func OfTarget(status string) Standing {
	switch status {
	case server.Connected:
		return EndingAs(narrate.Good, prose.TargetWords(status))
	case server.ConnectFailed:
		return EndingAs(narrate.Bad, prose.TargetWords(status))
	}
	return Running(prose.TargetWords(status))
}

// OfCheck returns the standing of a check. Whether the server passed is
// another question.
func OfCheck(s lab.Status) Standing {
	switch s {
	case lab.Running:
		return Running(checkWords(s))
	case lab.Failed:
		return EndingAs(narrate.Bad, checkWords(s))
	case lab.Stopped:
		return EndingAs(narrate.Stopped, checkWords(s))
	}
	return Open(checkWords(s))
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

// ReactionWords returns the reaction of a server to an experiment's request.
func ReactionWords(r lab.Reaction) string {
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
