// Package check shows the check of a server: its form while it can be started,
// and its report.
package check

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Form is the page that lists what a check will send and starts it.
type Form struct {
	ID, Name      string // of the server
	Sample        bool
	Asks          bool   // whether the user may test the server
	Ready         bool   // connected, with a protocol revision that can be checked
	Why           string // why it is not Ready
	Tools         []Tool
	Tool          string // chosen
	Args, Answers string
	State         string // of a sample: how it protects its state
	Wait          string // seconds to wait for a state without a visible expiry; may be empty
	Mine          bool   // ticked: the user may test the server
	Legacy        bool   // the server is of an earlier revision, so only the correct call is made
	Problem       string
	Experiments   []lab.Experiment
}

// Tool is a tool, prompt or resource that can be chosen.
type Tool struct{ Name, Label string }

// Path returns the address that the form is sent to.
func (f Form) Path() string { return "/servers/" + f.ID + "/check" }

// Report is the page of a check, running or ended.
type Report struct {
	ID, Session      string // of the server; of the check
	Name, Tool       string
	Status           lab.Status
	Board            boardview.Board
	Headline         verdict.Headline
	Base             string
	Findings, Passed []standing.Verdict
	Open             []VerdictList // the other rules, by outcome
	Again            string        // address of the form with the same call
	Asks             bool          // the correct call asked something or returned a state
	Legacy           bool          // the server is of an earlier revision
	Exercise         string        // address of the list, if the call is that of the exercise
}

// Live returns the address of the event stream while the check runs, and ""
// after that.
func (r Report) Live() string {
	if r.Status != lab.Running {
		return ""
	}
	return r.Path() + "/events"
}

// Path returns the address of the report.
func (r Report) Path() string { return paths.Check(r.ID, r.Session) }

// NewReport returns the page of r. Only the probe with the id shown has
// its bytes on the page; the others link to theirs, to keep the page small.
func NewReport(server, session string, r lab.Report, shown string) Report {
	out := Report{
		ID: server, Session: session, Name: text.Visible(r.Target.Name, 120),
		Tool: text.Visible(prose.Heading(r.Call), 80), Status: r.Status, Headline: r.Verdict().Headline(),
		Base:   "/x/" + r.Control.ID,
		Legacy: r.Era == playground.Legacy,
	}
	if session != "" && exercise.Is(r.Call) {
		out.Exercise = lesson.ExercisePath + "/" + session
	}
	out.Board = boardview.New(r, out.Path())
	for _, p := range r.Results {
		out.Board.ShowBytes(p, out.Path(), shown)
	}
	right := r.Control.Fold()
	out.Asks = asks(right)
	out.rules(r)
	return out
}

// asks reports whether a call used multi round-trip requests.
func asks(f playground.Transcript) bool {
	return slices.ContainsFunc(f.Rounds, func(r playground.Round) bool {
		return len(r.Questions) > 0 || r.State != nil
	})
}

func (r *Report) rules(report lab.Report) {
	for _, f := range report.Findings {
		words := f.Text
		if f.Times > 1 {
			words += fmt.Sprintf(" Found %d times.", f.Times)
		}
		r.Findings = append(r.Findings, standing.Verdict{
			Rule: f.Rule, Verdict: string(f.Verdict), Text: text.Visible(words, 400), Link: f.Link,
			Side: string(f.Side), Round: f.Round,
		})
	}
	for _, k := range report.Passed {
		r.Passed = append(r.Passed, standing.Verdict{
			Rule: k.ID, Verdict: string(verdict.Passed), Text: k.Requirement, Link: k.Link,
			Side: string(k.Side),
		})
	}
	for _, o := range verdict.Outcomes() {
		list := VerdictList{Outcome: o}
		for _, k := range report.Open {
			if k.Outcome != o {
				continue
			}
			words := k.Requirement
			if o == verdict.NotJudged { // each for a reason of its own
				words += " " + text.Visible(k.Why, 400)
			}
			list.Verdicts = append(list.Verdicts, standing.Verdict{
				Rule: k.ID, Verdict: string(o), Text: words, Link: k.Link, Side: string(k.Side),
			})
		}
		if len(list.Verdicts) > 0 {
			r.Open = append(r.Open, list)
		}
	}
}

// VerdictList holds the rules with one outcome.
type VerdictList struct {
	Outcome  verdict.Outcome
	Verdicts []standing.Verdict
}

// Said returns the words for a screen reader when it changes. How much of a
// check is done is only on the page.
func (r Report) Said() string {
	if r.Status == lab.Running {
		return "The check is running."
	}
	return "The check has ended. " + r.Words()
}

// Words summarizes the check in a few sentences.
func (r Report) Words() string {
	switch {
	case r.Status == lab.Running:
		return r.Board.Progress()
	case r.Legacy:
		return r.Headline.Words + " Only the correct call was made: the server is of an earlier revision."
	case !r.Asks && r.Status == lab.Complete:
		return r.Headline.Words + " The correct call asked nothing, so most experiments could not run. " +
			"Choose arguments that make the tool ask."
	}
	return r.Headline.Words
}

// Tone returns the CSS class of the summary.
func (r Report) Tone() string {
	switch {
	case r.Status == lab.Running:
		return ""
	case r.Headline.Outcome == verdict.Failed, r.Status == lab.Failed:
		return "bad"
	case r.Headline.Outcome == verdict.Passed && (r.Asks || r.Legacy):
		return "good"
	}
	return ""
}
