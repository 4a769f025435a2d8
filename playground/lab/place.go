package lab

import (
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Answers reports whether the right call told enough to go on from: that the
// server answers it.
func Answers(f playground.Transcript) bool {
	last := f.Last()
	if last == nil {
		return false
	}
	switch React(*last, nil) {
	case NoAnswer:
		return false
	case Rejected:
		return last.N > 1 || last.Outcome == playground.OutcomeComplete
	}
	return true
}

// Place is the first Round of the right call whose result the experiment's
// request can answer; the zero Round stands for the first request. Else why
// says, in one sentence, why there is none.
func Place(e Experiment, base playground.Exchange) (from playground.Round, why string) {
	f := playground.Fold(base.Log)
	for _, r := range append([]playground.Round{{}}, f.Rounds...) {
		right := f.Round(r.N + 1)
		if right == nil || r.N > 0 && !r.Open() || !e.Fits(r) {
			continue
		}
		if Changeable(e, r, *right, base) {
			return r, ""
		}
		why = noSpot(e)
	}
	if why == "" {
		why = nothingToWork(e)
	}
	return playground.Round{}, why
}

// Changeable reports whether the experiment finds something to change in a
// request like the one that was sent.
func Changeable(e Experiment, from, right playground.Round, base playground.Exchange) bool {
	req := wire.Request{URL: base.Target.URL, Method: right.Method, Params: right.Sent.Get("params").Raw()}
	other := base.Call
	m := Material{Round: from, Call: &other, Header: []wire.Field{{Name: "Authorization", Value: "Bearer x"}}}
	_, err := e.Change(req, m)
	return !errors.Is(err, ErrNothingToChange)
}

func nothingToWork(e Experiment) string {
	switch e.Needs {
	case NeedsQuestion:
		return "The call asked nothing."
	case NeedsState:
		return "The call was given no requestState."
	}
	return "The call has no place for it."
}

func noSpot(e Experiment) string {
	switch e.ID {
	case "out-of-range":
		return "No question of this call sets a limit that can be passed."
	case "wrong-type":
		return "No question of this call asks for a value of a type."
	case "flip-state", "truncate-state":
		return "The requestState is too short to be changed."
	}
	return "The call has no place for it."
}

// NotMade says why a probe that has its place has no exchange.
func NotMade(e Experiment, base playground.Exchange) string {
	switch e.ID {
	case "state-of-another-call":
		if _, ok := OtherArguments(base.Call); !ok {
			return "The call has no argument that could be another one."
		}
	case "state-of-another-tool":
		return "No second tool was named, and none says of itself that it changes nothing."
	case "state-of-another-person":
		return "That takes the credentials of a second person, and none were given."
	case "expired-state":
		return "When the requestState lapses cannot be seen from outside, or is too far off to be waited for."
	}
	return ""
}
