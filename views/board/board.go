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
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Board is the results board: a row for each experiment with its verdict, the worst first. The Lab
// of an exchange and the page of a check show it.
type Board struct {
	Status   lab.Status
	Card     judged.Card
	Detail   string // why experiments were not run; may be empty
	Unused   string // one sentence about answers that were never asked; may be empty
	Control  string // one sentence about the correct call; may be empty
	Base     string // address of the correct call; empty for none
	Report   string // address of the report, to which a suffix can be added
	Exchange string // id of the exchange whose Lab it is; empty on the page of a check
	Session  string // that can be shared from the board; empty for none
	Share    string // address of the form that shares it; empty for none
	Waiting  []Group
	Found    []Outcome // what failed and what has an advisory, the worst first
	Rest     []Outcome // the other results, folded
	Run      *Run      // nil if nothing can be run from the page
}

// Outcome holds the results with one outcome: experiments, and rules on all messages.
type Outcome struct {
	verdict.Outcome
	Rows  []Row
	Rules []standing.Verdict
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
	return text.AsSentence("Experiments: " + strings.Join(words, ", "))
}

// New returns the board of a report, whose page is at path.
func New(r lab.Report, path string) Board {
	b := Board{Status: r.Status, Report: path, Detail: text.Visible(r.Detail, 600),
		Unused: r.Unused, Control: text.Visible(r.Compared, 300)}
	b.Card = judged.New(r.Verdict(), nil).Above()
	if r.Status == lab.Running {
		b.Card = b.Card.While(running(r))
	}
	rows, findings := map[verdict.Outcome][]Row{}, findings(r)
	for _, g := range r.Groups() {
		group := Group{Title: string(g.Group)}
		for _, p := range g.Results {
			if p.Possible {
				group.Note = groupNotes[g.Group]
			}
			row := newBoardRow(p)
			if row.Waiting && row.Verdict != verdict.NotApplicable {
				group.Rows = append(group.Rows, row)
			} else {
				rows[row.Verdict] = append(rows[row.Verdict], row)
			}
		}
		if len(group.Rows) > 0 {
			b.Waiting = append(b.Waiting, group)
		}
	}
	for _, o := range verdict.Outcomes() {
		list := Outcome{o, rows[o], findings[o]}
		switch {
		case len(list.Rows)+len(list.Rules) == 0:
		case o.Wrong():
			b.Found = append(b.Found, list)
		default:
			b.Rest = append(b.Rest, list)
		}
	}
	return b
}

// findings returns what the rules say of all messages, by outcome.
func findings(r lab.Report) map[verdict.Outcome][]standing.Verdict {
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
	return lists
}

// words counts the results in a heading: "21 experiments and 46 rules passed".
func (o Outcome) words() string {
	var parts []string
	if n := len(o.Rows); n > 0 {
		parts = append(parts, text.Plural(n, "experiment"))
	}
	if n := len(o.Rules); n > 0 {
		parts = append(parts, text.Plural(n, "rule"))
	}
	return strings.Join(parts, " and ") + ": " + o.Words(len(o.Rows)+len(o.Rules))
}

// restWords counts the results that are folded, apart from what does not apply, which the card
// does not count either.
func (b Board) restWords() string {
	n := map[bool]int{}
	for _, o := range b.Rest {
		n[o.Outcome == verdict.NotApplicable] += len(o.Rows) + len(o.Rules)
	}
	words := text.Plural(n[false], "other")
	if n[true] > 0 {
		words += ", " + verdict.NotApplicable.Count(n[true])
	}
	return words
}

// onlyRest reports whether nothing stands above the fold, which is open then.
func (b Board) onlyRest() bool { return len(b.Found)+len(b.Waiting) == 0 }

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
	for _, o := range slices.Concat(b.Found, b.Rest) {
		for i := range o.Rows {
			use(&o.Rows[i])
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
	b.Report, b.Share, b.Base, b.Run = "", "", "", nil
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
