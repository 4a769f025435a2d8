// Package exercise shows the two exercises of the lessons and their open
// requirements.
package exercise

import (
	"fmt"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	clientview "github.com/mrtr-playground/mrtr-playground/views/client"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Exercise is the page of the exercise: what to write, the learner's server, and
// the requirements.
type Exercise struct {
	Parts []Part
	Met   int
	All   int
	Local bool   // the program runs on the learner's machine
	Check string // command that judges the server in a terminal

	URL         string // of the learner's server
	Mine        bool   // ticked: it is the learner's
	Server      string // id of the server; "" before it was connected to
	Problem     *prose.Sentence
	Detail      string
	Suggestions []server.Suggestion

	Session string // of the check; "" before there is one
	Status  lab.Status
	Report  string // address of the whole report
	Stopped string // why the check ended early; may be empty
	// because of which requirements others were not judged, a sentence for each
	Unjudged [][]clientview.CodeText
	Praise   string       // the sentence for a list that is all met, if nothing else is wrong
	Next     []Next       // where to go on from a list that is all met, the whole report first
	Card     *judged.Card // of the whole report; nil before there is one
}

// Next is a button that leads on from the list.
type Next struct{ Words, Path string }

// Part is a group of requirements.
type Part struct {
	Title string
	Rows  []Row
}

// Row is one requirement.
type Row struct {
	exercise.Requirement
	Standing standing.Standing
	Words    []clientview.CodeText // what the server must do
	Reason   []clientview.CodeText // the behavior that was seen instead; empty if it is met
	Lesson   string                // address
	Clause   string                // address of the clause; empty for the server's
	Bytes    string                // address of the bytes that decided; may be empty
}

// add adds a row to the part that it belongs to.
func (e *Exercise) add(row Row) {
	if n := len(e.Parts); n == 0 || e.Parts[n-1].Title != row.Part {
		e.Parts = append(e.Parts, Part{Title: row.Part})
	}
	last := &e.Parts[len(e.Parts)-1]
	last.Rows = append(last.Rows, row)
}

// good reports whether the whole report is green.
func (e *Exercise) good() bool { return e.Card != nil && e.Card.Verdict == verdict.Passed }

// newExerciseRow returns the row of a requirement.
func newExerciseRow(r exercise.Requirement) Row {
	row := Row{
		Requirement: r, Words: clientview.CodeTexts(r.Text),
		Reason: clientview.CodeTexts(text.Visible(r.Why, 600)),
		Lesson: "/learn/" + r.Lesson,
	}
	row.Standing = standing.OfVerdict(r.Outcome)
	return row
}

// New returns the page before a server was checked. p is the program of the
// learner.
func New(local bool, p launch.Program) Exercise {
	e := Exercise{Local: local, Check: p.Command("check http://127.0.0.1:8080/mcp -exercise"),
		Praise: "Your server asks, remembers and refuses as it should."}
	e.show(exercise.Requirements())
	return e
}

// show sets the rows.
func (e *Exercise) show(list []exercise.Requirement) {
	e.Parts, e.All, e.Met, e.Unjudged = nil, len(list), exercise.Count(list), nil
	for _, b := range exercise.Unjudged(list) {
		e.Unjudged = append(e.Unjudged, clientview.CodeTexts(b.Words()))
	}
	for _, r := range list {
		row := newExerciseRow(r)
		if r.Probe != "" && e.Report != "" {
			row.Bytes = e.Report + "?" + url.Values{"probe": {r.Probe}}.Encode() + "#" + r.Probe
		}
		e.add(row)
	}
}

// Judge fills in the results of a check.
func (e *Exercise) Judge(session string, report lab.Report, exchanges []playground.Exchange) {
	e.Session, e.Status = session, report.Status
	if report.Status == lab.Failed || report.Status == lab.Stopped {
		e.Stopped = report.Detail
	}
	e.URL, e.Server = report.Target.URL, report.Target.ID
	e.Report = paths.Check(report.Target.ID, session)
	e.Next = []Next{
		{"Read the whole report", e.Report},
		{"Next: " + ClientExerciseTitle, lesson.ClientExercisePath},
		{"Check another tool", "/servers/" + url.PathEscape(e.Server) + "/check"},
	}
	e.judge(report, exchanges)
}

// judge sets the rows, and the summary of the whole report.
func (e *Exercise) judge(report lab.Report, exchanges []playground.Exchange) {
	list := exercise.Judge(report, exchanges)
	e.show(list)
	card := judged.New(exercise.Verdict(list, report), nil)
	e.Card = &card
}

// At says why the learner's server cannot be checked yet.
func (e *Exercise) At(t playground.Target, c server.Connection) {
	e.URL, e.Server = t.URL, t.ID
	var problem prose.Sentence
	switch {
	case c.Status == server.Connecting:
		e.Status = lab.Running
		problem = prose.Sentence{Code: "connecting", What: "The playground is connecting to your server.",
			Try: "Check it again when it has answered."}
	case c.Status == server.ConnectFailed:
		problem, e.Detail = doctor.FailureSentence(c.Class, c.Detail)
	case c.Era == playground.Legacy:
		problem = prose.Sentence{Code: "legacy",
			What: "This server speaks a revision before 2026-07-28, which has no multi round-trip requests.",
			Try:  "Use a version of your SDK that supports 2026-07-28."}
	default:
		problem = prose.Sentence{
			Code: "no_tool", What: "This server has no tool book_table.", Try: toolNames(c),
		}
	}
	e.Problem = &problem
}

// toolNames returns a sentence about the tools of a server.
func toolNames(c server.Connection) string {
	var names []string
	for _, t := range c.Tools {
		if t.Name == exercise.Tool {
			return "Its definition is not valid: " + t.Excluded
		}
		names = append(names, t.Name)
	}
	if len(names) == 0 {
		return "It lists no tool at all."
	}
	return "It lists " + narrate.Names(names) + "."
}

// notConfirmed is the sentence for a check of a server that the user did not
// confirm to be theirs.
var notConfirmed = prose.Sentence{Code: "not_confirmed", What: "Confirm that the server is yours.",
	Try: "A check sends it invalid requests."}

// Unconfirmed says that the learner has not confirmed whose server it is.
func (e *Exercise) Unconfirmed() { e.Problem = &notConfirmed }

// At returns the address of the exercise with the server that could not
// be checked.
func At(server string) string {
	return lesson.ExercisePath + "?" + url.Values{"server": {server}}.Encode()
}

// Running reports whether the check is running or about to start.
func (e Exercise) Running() bool { return e.Status == lab.Running }

// Live returns the address of the events of the check while it runs, or "".
func (e Exercise) Live() string {
	if !e.Running() || e.Report == "" {
		return ""
	}
	return e.Report + "/events"
}

// checkWords returns the words of the button that checks the server.
func (e Exercise) checkWords() string {
	if e.Session == "" {
		return "Check"
	}
	return "Check again"
}

// Done reports whether everything is met.
func (e Exercise) Done() bool { return e.Met == e.All }

// steps returns the buttons below the verdict: where to go on from a list that is
// all met, else to the report and to the lesson on the first requirement that is
// not. There are none before anything was judged.
func (e Exercise) steps() []Next {
	switch {
	case e.Running() || len(e.Next) == 0:
		return nil
	case e.Done():
		return e.Next
	}
	judged := false
	for _, part := range e.Parts {
		for _, r := range part.Rows {
			if r.Outcome == verdict.Failed {
				return []Next{e.Next[0], {"Lesson on the first fault", r.Lesson}}
			}
			judged = judged || r.Outcome == verdict.Passed
		}
	}
	if !judged {
		return nil
	}
	return e.Next[:1]
}

// Words returns how far the server is.
func (e Exercise) Words() string {
	switch {
	case e.Session == "":
		return text.Plural(e.All, "requirement")
	case e.Done():
		return fmt.Sprintf("All %d requirements are met", e.All)
	}
	return fmt.Sprintf("%d of %d met", e.Met, e.All)
}

// List returns the list for a report that is shown elsewhere, or nil if
// it is not one on the exercise.
func List(report lab.Report, exchanges []playground.Exchange) *Exercise {
	if !exercise.Is(report.Call) {
		return nil
	}
	e := New(false, launch.Program{})
	e.Session = "shared"
	e.judge(report, exchanges)
	return &e
}
