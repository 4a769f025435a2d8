// Package steps shows the doctor's list: what was tried, in order, with what came and what to
// do. It decides nothing.
package steps

import (
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// standingOf returns the outcome of a step in its glyph, word and color.
func standingOf(s doctor.Step) standing.Standing {
	if s.Deliberate {
		return standing.Ink(s.Word())
	}
	if s.Outcome == verdict.Stopped {
		return standing.SignIn
	}
	out := standing.OfVerdict(s.Outcome)
	out.Word = s.Word()
	return out
}

// explained reports whether a step has more than one line.
func explained(s doctor.Step) bool { return s.Do != "" || s.Body != "" || s.Wrong() }
