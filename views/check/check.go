// Package check shows the check of a server: its form while it can be started,
// and its report.
package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/expect"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
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
	ID, Session string // of the server; of the check
	Name, Tool  string
	Status      lab.Status
	Board       boardview.Board
	Base        string
	Again       string // address of the form with the same call
	Asks        bool   // the correct call asked something or returned a state
	Legacy      bool   // the server is of an earlier revision
	Exercise    string // address of the list, if the call is that of the exercise
	Since       *Since // what differs from the last check; nil for nothing to compare with
	CI          string // command that makes this check with the report as its baseline
}

// Since says what differs from the last check of the same call.
type Since struct {
	Path    string // of that check
	Made    time.Time
	Words   string // "1 new, 2 gone"
	Changes []Difference
}

// Difference is one line that differs.
type Difference struct {
	Word, Text string // "new", and the finding
	Path       string // of its row on the page
}

// NewSince returns the comparison with an earlier check, whose page is at path. The address of the
// row of a line is anchor with its id.
func NewSince(path string, made time.Time, c verdict.Comparison, anchor string) *Since {
	s := &Since{Path: path, Made: made}
	var words []string
	for _, part := range []struct {
		word  string
		lines []verdict.Line
	}{{"new", c.New}, {"not judged any more", c.Lost}, {"gone", c.Gone}} {
		if len(part.lines) > 0 {
			words = append(words, fmt.Sprintf("%d %s", len(part.lines), part.word))
		}
		for _, l := range part.lines {
			s.Changes = append(s.Changes, Difference{part.word, text.Visible(l.Told(), 300), anchor + l.ID})
		}
	}
	if n := len(c.Unchanged); n > 0 && len(words) > 0 {
		words = append(words, fmt.Sprintf("%d failed before too", n))
	}
	s.Words = strings.Join(words, ", ")
	return s
}

// mostAnswers is how long the answers in a command may be, in bytes.
const mostAnswers = 400

// ciCommand returns the command of a CI step that makes the check of a report again, with the
// file baseline.json as its baseline. Variables stand for what is masked.
func ciCommand(r lab.Report) string {
	quote := launch.ShellOf("linux").Quote
	what := map[string]string{
		playground.ToolsCall: "-tool", playground.PromptsGet: "-prompt",
		playground.ResourcesRead: "-resource",
	}[r.Call.Method]
	server := quote(r.Target.URL)
	if r.Target.IsCommand() {
		server = "-stdio 'COMMAND'"
	}
	lines := []string{fmt.Sprintf("mrtr-playground check %s %s %s", server, what, quote(r.Call.Name()))}
	params, err := jsontree.Parse(r.Call.Params, jsontree.Limits{})
	if a := params.Get("arguments"); err == nil && a != nil {
		given, _ := expect.Unmasked(a.Raw())
		lines = append(lines, "-args "+quote(string(given)))
	}
	if a := answersOf(r.Control.Fold()); a != "" && r.Era != playground.Legacy { // where no key is stable
		lines = append(lines, "-answers "+quote(a))
	}
	for _, f := range r.Target.Header {
		if raw, _ := expect.Unmasked(jsontree.Quote(f.Name + ": " + f.Value)); raw != nil {
			value, err := jsontree.Parse(raw, jsontree.Limits{})
			if err == nil {
				lines = append(lines, "-header "+quote(value.Str()))
			}
		}
	}
	lines = append(lines, "-baseline baseline.json -report check.xml")
	return strings.Join(lines, " \\\n  ")
}

// answersOf returns the answers of the correct call as one JSON object; "" for none, and for
// more than a command should have.
func answersOf(f playground.Transcript) string {
	answers := f.Answers()
	var pairs []jsontree.Pair
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		pairs = append(pairs, jsontree.Pair{Key: key, Value: answers[key]})
	}
	if len(pairs) == 0 {
		return ""
	}
	if given, _ := expect.Unmasked(jsontree.ObjectOf(pairs...)); len(given) <= mostAnswers {
		return string(given)
	}
	return ""
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
		ID: server, Session: session, Name: text.Visible(strings.TrimSuffix(r.Target.Name, " (sample)"), 120),
		Tool: text.Visible(prose.Heading(r.Call), 80), Status: r.Status,
		Base:   "/x/" + r.Control.ID,
		Legacy: r.Era == playground.Legacy,
	}
	if session != "" && exercise.Is(r.Call) {
		out.Exercise = lesson.ExercisePath + "/" + session
	}
	out.Board = boardview.New(r, out.Path())
	out.Board.Base = out.Base
	if session != "" {
		out.Board.Share = "/sessions/" + session + "/share"
	}
	for _, p := range r.Results {
		out.Board.ShowBytes(p, out.Path(), shown)
	}
	if session != "" && r.Status == lab.Complete {
		out.CI = ciCommand(r)
	}
	right := r.Control.Fold()
	out.Asks = asks(right)
	out.qualify()
	return out
}

// qualify says of a report without a fault what it does not prove.
func (r *Report) qualify() {
	card := &r.Board.Card
	switch {
	case r.Legacy:
		card.After = append(card.After,
			"Only the correct call was made: the server is of an earlier revision.")
	case !r.Asks && r.Status == lab.Complete:
		card.After = append(card.After, "The correct call asked nothing, so most experiments could not run. "+
			"Choose arguments that make the tool ask.")
		if card.Verdict == verdict.Passed {
			card.Verdict = verdict.NotJudged
		}
	}
}

// asks reports whether a call used multi round-trip requests.
func asks(f playground.Transcript) bool {
	return slices.ContainsFunc(f.Rounds, func(r playground.Round) bool {
		return len(r.Questions) > 0 || r.State != nil
	})
}

// Said returns the words for a screen reader when it changes. How much of a
// check is done is only on the page.
func (r Report) Said() string {
	if r.Status == lab.Running {
		return "The check is running."
	}
	return "The check has ended. " + r.Board.Card.Words
}
