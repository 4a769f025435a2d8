package lab

import (
	"cmp"
	"errors"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Answered reports whether the right call told enough to go on from: that the
// server answers it.
func Answered(f playground.Transcript) bool {
	last := f.Last()
	if last == nil {
		return false
	}
	switch React(*last, nil) {
	case NoAnswer:
		return false
	case Rejected:
		return last.N > 1 || last.Kind == playground.OutcomeComplete
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
		why = cmp.Or(e.noPlace, noPlace)
	}
	if why == "" {
		why = unmetNeed(e)
	}
	return playground.Round{}, why
}

// Changeable reports whether the experiment finds something to change in a
// request like the one that was sent.
func Changeable(e Experiment, from, right playground.Round, base playground.Exchange) bool {
	req := wire.Request{URL: base.Target.URL, Method: right.Method, Params: right.Sent.Get("params").Raw()}
	other := base.Call
	m := Material{Round: from, Call: &other, Header: placeholderPerson}
	_, err := e.Change(req, m)
	return !errors.Is(err, ErrNothingToChange)
}

// noPlace is why nothing was changed where nothing better can be said.
const noPlace = "The call has no place for it."

// placeholderPerson stands for a second person when only the place matters.
var placeholderPerson = []wire.Field{{Name: "Authorization", Value: "Bearer x"}}

func unmetNeed(e Experiment) string {
	switch e.Needs {
	case NeedsQuestion:
		return "The call asked nothing."
	case NeedsState:
		return "The call was given no requestState."
	}
	return noPlace
}

// NotRunReason returns why an experiment that has its place was not made, or "" if
// nothing stood in its way.
func NotRunReason(e Experiment, control playground.Exchange) string {
	if _, ok := OtherArguments(control.Call); ok && e.Wants == WantsOtherArguments {
		return ""
	}
	return e.notRun
}
