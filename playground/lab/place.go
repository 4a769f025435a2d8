package lab

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Answered reports whether the server responded to the right call, so that
// experiments can be compared with it. A call that is rejected in its first
// Round does not count, except by an error of the tool.
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

// Place returns the first of the Places of an experiment. If there is none, why
// is the reason in one sentence.
func Place(e Experiment, base playground.Exchange) (from playground.Round, why string) {
	list, why := Places(e, base)
	if why != "" {
		return playground.Round{}, why
	}
	return list[0], ""
}

// maxPlaces is on how many Rounds one experiment is made.
const maxPlaces = 8

// Places returns the Rounds of the right call whose result the experiment's
// request can answer, the zero Round for the first request: one Round, or all of
// them for an experiment that is made on every Round. If there is none, why is
// the reason in one sentence.
func Places(e Experiment, base playground.Exchange) (list []playground.Round, why string) {
	if why := e.Excluded(base.Target); why != "" {
		return nil, why
	}
	f := base.Fold()
	for _, r := range append([]playground.Round{{}}, f.Rounds...) {
		right := f.Round(r.N + 1)
		switch {
		case e.Needs == NeedsTaskCall:
			if right != nil && right.Kind == playground.OutcomeTask && len(list) == 0 {
				list = append(list, r)
			}
		case len(list) > 0 && !e.Every || !e.Fits(r):
		case e.OfTask():
			if e.Needs == NeedsTask || r.Open() {
				list = append(list, r)
			}
		case right == nil || r.N > 0 && !r.Open() || r.Task != nil:
		case Changeable(e, r, *right, base):
			list = append(list, r)
		default:
			why = cmp.Or(e.noPlace, noPlace)
		}
	}
	if len(list) > 0 {
		return list[:min(len(list), maxPlaces)], ""
	}
	return nil, whyNot(e, f, why)
}

// Changeable reports whether the experiment finds something to change in a
// request like the one that was sent.
func Changeable(e Experiment, from, right playground.Round, base playground.Exchange) bool {
	return Varies(e, 0, from, right, base)
}

// Varies is Changeable for one variant of the experiment.
func Varies(e Experiment, variant int, from, right playground.Round, base playground.Exchange) bool {
	head, _ := wire.ParseHead(right.Request.Head) // of a broken head, what could be read
	req := wire.Request{
		URL: base.Target.URL, Method: right.Method, Params: right.Sent.Get("params").Raw(),
		Header: replaceFields(head.Fields, base.Target.Header), // those of a record are masked
	}
	other := base.Call
	m := Material{
		Round: from, Variant: variant, Call: &other, Header: placeholderPerson,
		Later: Later(base.Fold(), from.N),
	}
	_, err := e.Change(req, m)
	return !errors.Is(err, ErrNothingToChange)
}

// noPlace is the reason if the experiment has none of its own.
const noPlace = "No request of this call can be changed in this way."

// placeholderPerson holds the credentials of a second person for requests that
// are only built and never sent.
var placeholderPerson = []wire.Field{{Name: "Authorization", Value: "Bearer x"}}

// whyNot returns why an experiment has no place in a call: why, if not empty, or else
// what the call lacks.
func whyNot(e Experiment, f playground.Transcript, why string) string {
	asks := e.Group == GroupAnswers || e.Needs == NeedsQuestion
	last := f.Last()
	switch {
	case asks && onlyTaskAsks(f):
		return "Only the task of the call asked questions."
	case asks && f.Status == playground.StatusWaiting && len(last.Questions) > 0:
		return fmt.Sprintf("No answer to the questions of round %d was sent.", last.N)
	}
	return cmp.Or(why, unmetNeed(e))
}

// onlyTaskAsks reports whether a call became a task that asked, and asked nothing
// before.
func onlyTaskAsks(f playground.Transcript) bool {
	asked := false
	for _, r := range f.Rounds {
		if len(r.Questions) > 0 && r.Task == nil {
			return false
		}
		asked = asked || len(r.Questions) > 0
	}
	return asked
}

// unmetNeed returns why no Round of the call fits the experiment.
func unmetNeed(e Experiment) string {
	switch e.Needs {
	case NeedsQuestion:
		return "The call asked no question."
	case NeedsSeveral:
		return "No round of the call asked several questions."
	case NeedsBox:
		return "No form of the call has a required box as its only field."
	case NeedsState:
		return "The call received no requestState."
	case NeedsTask, NeedsTaskCall:
		return "The call did not become a task."
	case NeedsUpdate:
		return "No task of the call asked a question."
	case NeedsUpdates:
		return "No task of the call asked several questions at once."
	}
	return noPlace
}

// NotRunReason returns why an experiment that has a place in the call was not
// run, or "" if it could have been.
func NotRunReason(e Experiment, control playground.Exchange) string {
	if _, ok := OtherArguments(control.Call); ok && e.Wants == WantsOtherArguments {
		return ""
	}
	return e.notRun
}
