// Package board shows the experiments of a report, row by row, and the branches
// of an exchange that they made.
package board

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Board is the results board: a row for each experiment with its verdict. The
// Lab of an exchange and the page of a check show it.
type Board struct {
	Status   lab.Status
	Counts   []Count // those that are not 0, in the order of the bar
	Rows     int
	Waiting  int    // rows that were not run, or are running
	Detail   string // why experiments were not run; may be empty
	Unused   string // one sentence about answers that were never asked; may be empty
	Control  string // one sentence about the right call; may be empty
	Report   string // address of the report, to which a suffix can be added
	Exchange string // id of the exchange whose Lab it is; empty on the page of a check
	Session  string // that can be shared from the board; empty for none
	Groups   []Group
	NA       []Row // experiments that do not apply, folded
	Run      *Run  // nil if nothing can be run from the page
}

// Run is the form that runs experiments.
type Run struct {
	One, All     string // addresses that one, and all, are sent to
	Round        int    // on the page
	Mine, Sample bool
	Person       bool // the token of a second person can be used
	Left         int  // how many experiments Run all makes
}

// Count is one part of the bar above the rows.
type Count struct {
	Kind        string // id of an outcome
	N           int
	Words       string
	From, Width int // in thousandths of the bar
}

// Group holds the rows on one part of a request.
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

// Progress says how many rows have been done.
func (b Board) Progress() string {
	return fmt.Sprintf("Running: %d of %d done.", b.Rows-b.Waiting, b.Rows)
}

// Said returns the words for a screen reader when it changes.
func (b Board) Said() string {
	if b.Running() {
		return "Experiments are running."
	}
	words := make([]string, len(b.Counts))
	for i, c := range b.Counts {
		words[i] = c.Words
	}
	return prose.AsSentence("Experiments: " + strings.Join(words, ", "))
}

// New returns the board of a report.
func New(r lab.Report, path string) Board {
	b := Board{Status: r.Status, Report: path, Detail: text.Visible(r.Detail, 600),
		Unused: r.Unused, Control: text.Visible(r.Compared, 300), Rows: len(r.Results)}
	b.Counts = Counts(r.Experiments().Counts())
	for _, g := range r.Groups() {
		group := Group{Title: string(g.Group)}
		for _, p := range g.Results {
			if p.Possible {
				group.Note = groupNotes[g.Group]
			}
			row := newBoardRow(p)
			if row.Waiting {
				b.Waiting++
			}
			if row.Verdict == verdict.NotApplicable {
				b.NA = append(b.NA, row)
				continue
			}
			group.Rows = append(group.Rows, row)
		}
		if len(group.Rows) > 0 {
			b.Groups = append(b.Groups, group)
		}
	}
	return b
}

// Counts returns the parts of the bar.
func Counts(c verdict.Counts) []Count {
	var list []Count
	for _, o := range verdict.Outcomes() {
		part := Count{Kind: string(o), N: c.Of(o), Words: o.Count(c.Of(o))}
		if part.N == 0 {
			continue
		}
		if n := len(list); n > 0 {
			part.From = list[n-1].From + list[n-1].Width
		}
		part.Width = part.N * 1000 / c.All()
		list = append(list, part)
	}
	return list
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
	for _, g := range b.Groups {
		for i := range g.Rows {
			r := &g.Rows[i]
			r.Bytes, r.Value = "", ""
			if r.Path != "" {
				r.Path = address(r.exchange, r.round)
			}
		}
	}
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
	for _, g := range b.Groups {
		for i := range g.Rows {
			if g.Rows[i].ID != p.ID {
				continue
			}
			g.Rows[i].Bytes = path + "?probe=" + p.ID + "#" + p.ID
			if p.ID == shown {
				w := wireview.NewRound(rounds[len(rounds)-1], true, "", wireview.FramesAt("/x/"+x.ID, ""))
				w.Hidden = server.HiddenInRound(rounds[len(rounds)-1])
				g.Rows[i].Round = &w
			}
		}
	}
}

// groupNotes describe the experiments of a group.
var groupNotes = map[lab.Group]string{
	lab.GroupTask: "Each of these makes the call again with the same answers, to get a task of its own. " +
		"The task of this exchange is left alone.",
}
