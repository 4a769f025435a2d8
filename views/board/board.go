// Package board shows the experiments of a report, row by row, and the branches
// of an exchange that they made.
package board

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Board is the results board: a row for each experiment with its verdict, the worst first. The Lab
// of an exchange and the page of a check show it.
type Board struct {
	Status    lab.Status
	Card      judged.Card
	Detail    string // why experiments were not run; may be empty
	Unused    string // one sentence about answers that were never asked; may be empty
	Control   string // one sentence about the right call; may be empty
	Report    string // address of the report, to which a suffix can be added
	Exchange  string // id of the exchange whose Lab it is; empty on the page of a check
	Session   string // that can be shared from the board; empty for none
	Found     []Row  // what was not in order, and what could not be judged
	Waiting   []Group
	Unreached []Row         // whose place the call did not come to
	Passed    []Row         // folded
	NA        []Row         // experiments that do not apply, folded
	Rules     []VerdictList // what the rules say of all messages, the worst first
	Run       *Run          // nil if nothing can be run from the page
}

// Run is the form that runs experiments.
type Run struct {
	One, All     string // addresses that one, and all, are sent to
	Round        int    // on the page
	Mine, Sample bool
	Person       bool // the token of a second person can be used
	Left         int  // how many experiments Run all makes
}

// Group holds the rows on one part of a request that are running, or were not run.
type Group struct {
	Title, Note string
	Rows        []Row
}

// Row is an experiment with its last result.
type Row struct {
	lab.Experiment
	Verdict  verdict.Outcome
	Waiting  bool // it was not run, or is running
	Standing standing.Standing
	Got      string // the response, in a few words; empty if nothing was sent
	Text     string // one or two sentences about it; may be empty
	Path     string // address of the branch, at the changed Round; empty if nothing was sent
	Bytes    string // address of this page with the bytes unfolded; may be empty
	Round    *wireview.Round
	Value    string // of the button that runs it; empty if it cannot be run

	exchange string // id of the branch
	round    int    // that Path shows; 0 for the newest
}

// ID returns the id of the board's fold for the row.
func (r Row) foldID() string { return "about-" + r.ID }

// Running reports whether the experiments are being run.
func (b Board) Running() bool { return b.Status == lab.Running }

// Live returns the address of the event stream while the experiments are being
// run, and "" after that.
func (b Board) Live() string {
	if !b.Running() {
		return ""
	}
	return b.Report + "/events"
}

// Said returns the words for a screen reader when it changes.
func (b Board) Said() string {
	if b.Running() {
		return "Experiments are running."
	}
	words := make([]string, len(b.Card.Counts))
	for i, c := range b.Card.Counts {
		words[i] = c.Words
	}
	return prose.AsSentence("Experiments: " + strings.Join(words, ", "))
}

// New returns the board of a report, whose page is at path.
func New(r lab.Report, path string) Board {
	b := Board{Status: r.Status, Report: path, Detail: text.Visible(r.Detail, 600),
		Unused: r.Unused, Control: text.Visible(r.Compared, 300)}
	b.Card = judged.New(r.Verdict(), func(l verdict.Line) string { return "#" + l.ID })
	if r.Status == lab.Running {
		b.Card = b.Card.While(running(r))
	}
	for _, g := range r.Groups() {
		group := Group{Title: string(g.Group)}
		for _, p := range g.Results {
			if p.Possible {
				group.Note = groupNotes[g.Group]
			}
			row := newBoardRow(p)
			switch {
			case row.Verdict == verdict.NotApplicable:
				b.NA = append(b.NA, row)
			case row.Waiting:
				group.Rows = append(group.Rows, row)
			case row.Verdict == verdict.Passed:
				b.Passed = append(b.Passed, row)
			case row.Verdict == verdict.NotReached:
				b.Unreached = append(b.Unreached, row)
			default:
				b.Found = append(b.Found, row)
			}
		}
		if len(group.Rows) > 0 {
			b.Waiting = append(b.Waiting, group)
		}
	}
	b.Rules = verdictLists(r)
	slices.SortStableFunc(b.Found, func(x, y Row) int { return x.Verdict.Compare(y.Verdict) })
	return b
}

// VerdictList holds the rules with one outcome.
type VerdictList struct {
	Outcome  verdict.Outcome
	Verdicts []standing.Verdict
}

// verdictLists returns the rules by outcome.
func verdictLists(r lab.Report) []VerdictList {
	lists := map[verdict.Outcome][]standing.Verdict{}
	for _, f := range r.Findings {
		words := f.Text
		if f.Times > 1 {
			words += fmt.Sprintf(" Found %d times.", f.Times)
		}
		lists[f.Verdict] = append(lists[f.Verdict], standing.Verdict{
			Rule: f.Rule, Verdict: string(f.Verdict), Text: text.Visible(words, 400), Link: f.Link,
			Side: string(f.Side), Round: f.Round,
		})
	}
	for _, k := range r.Passed {
		lists[verdict.Passed] = append(lists[verdict.Passed], standing.Verdict{
			Rule: k.ID, Verdict: string(verdict.Passed), Text: k.Requirement, Link: k.Link,
			Side: string(k.Side),
		})
	}
	for _, k := range r.Open {
		words := k.Requirement
		if k.Outcome == verdict.NotJudged { // each for a reason of its own
			words += " " + text.Visible(k.Why, 400)
		}
		lists[k.Outcome] = append(lists[k.Outcome], standing.Verdict{
			Rule: k.ID, Verdict: string(k.Outcome), Text: words, Link: k.Link, Side: string(k.Side),
		})
	}
	var all []VerdictList
	for _, o := range verdict.Outcomes() {
		if len(lists[o]) > 0 {
			all = append(all, VerdictList{o, lists[o]})
		}
	}
	return all
}

// running returns which of the experiments that apply is being made.
func running(r lab.Report) judged.Running {
	var now judged.Running
	for _, p := range r.Results {
		if p.Verdict == verdict.NotApplicable {
			continue
		}
		now.Of++
		if !p.Waiting {
			now.Done++
		}
		if p.Running && len(p.Exchanges) > 0 {
			now.Now, now.Since = p.Title, p.Exchanges[len(p.Exchanges)-1].Created
		}
	}
	if now.Done == 0 && now.Now == "" {
		now.Now, now.Since = "Correct call", r.Control.Created
	}
	return now
}

// rows calls use with each row.
func (b *Board) rows(use func(*Row)) {
	for _, list := range [][]Row{b.Found, b.Passed, b.Unreached, b.NA} {
		for i := range list {
			use(&list[i])
		}
	}
	for _, g := range b.Waiting {
		for i := range g.Rows {
			use(&g.Rows[i])
		}
	}
}

func newBoardRow(p lab.Result) Row {
	row := Row{Experiment: p.Experiment, Verdict: p.Verdict, Waiting: p.Waiting, Got: p.Got(),
		Text: text.Visible(p.Text, 400), Standing: standing.OfVerdict(p.Verdict)}
	if p.Running {
		row.Standing = standing.Running("running")
	}
	if len(p.Exchanges) == 0 {
		return row
	}
	x := p.Exchanges[p.Decisive]
	row.Path, row.exchange = "/x/"+x.ID, x.ID
	if p.Ended() {
		row.Path, row.round = paths.Round(x.ID, p.Round.N), p.Round.N
	}
	return row
}

// ReadOnly removes what only the owner of a board can do, and leads its rows to
// the addresses of their exchanges.
func (b *Board) ReadOnly(address func(id string, round int) string) {
	b.Report, b.Run = "", nil
	b.rows(func(r *Row) {
		r.Bytes, r.Value = "", ""
		if r.Path != "" {
			r.Path = address(r.exchange, r.round)
		}
	})
}

// SetValues sets the values of the buttons that run the experiments, by their ids.
func (b *Board) SetValues(values map[string]string) {
	b.rows(func(r *Row) {
		if r.Verdict != verdict.NotApplicable {
			r.Value = values[r.ID]
		}
	})
}

// Bare removes the links of a board, for a page in a frame.
func (b Board) Bare() Board {
	b.ReadOnly(func(string, int) string { return "" })
	return b
}

// ShowBytes adds the bytes of a result to its row if it is the one to show, else
// a link to the page that does.
func (b Board) ShowBytes(p lab.Result, path, shown string) {
	if len(p.Exchanges) == 0 {
		return
	}
	x := p.Exchanges[p.Decisive]
	rounds := x.Fold().Rounds
	if len(rounds) == 0 {
		return
	}
	b.rows(func(r *Row) {
		if r.ID != p.ID {
			return
		}
		r.Bytes = path + "?probe=" + p.ID + "#" + p.ID
		if p.ID == shown {
			w := wireview.NewRound(rounds[len(rounds)-1], true, "", wireview.FramesAt("/x/"+x.ID, ""))
			w.Hidden = server.HiddenInRound(rounds[len(rounds)-1])
			r.Round = &w
		}
	})
}

// groupNotes describe the experiments of a group.
var groupNotes = map[lab.Group]string{
	lab.GroupTask: "Each of these makes the call again with the same answers, to get a task of its own. " +
		"The task of this exchange is left alone.",
}
