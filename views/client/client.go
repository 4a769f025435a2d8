// Package client shows the requests of a foreign client at its address: its
// calls, the findings about them, and the client test with the questions of
// each scenario.
package client

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// StandingOf says whether the address of a capture answers.
func StandingOf(k capture.Capture, open bool) standing.Standing {
	switch {
	case open:
		return standing.Running("open")
	case !k.Ended.IsZero():
		return standing.Muted("ended")
	}
	return standing.Muted("expired")
}

// Input has the parts that a page of a capture is made from.
type Input struct {
	Capture                         capture.Capture
	Open                            bool
	Address                         string
	Report                          capture.Report
	Imported                        bool                // another program recorded it
	Note                            string              // of the recording that was imported
	Checks                          []rules.Observation // nil unless the client test is behind the address
	Selection                       capture.Selection   // of the scenarios that the page is about
	Progress                        int64
	Now                             time.Time
	RequestChanges, ResponseChanges []string
}

// Client is the page of a capture.
type Client struct {
	ID, Target, URL                 string
	Sample                          bool // a sample is behind the address
	IsOpen                          bool // the address answers
	Imported                        bool // another program recorded it
	Note                            string
	Standing                        standing.Standing
	Address                         string
	Expires                         string
	Live                            string // address of the events; empty if nothing more can come
	Who                             string // names of the clients; empty if none is known
	Requests                        int
	Card                            judged.Card
	Open                            Lines            // of the client: what is not in order
	Next                            []rules.Scenario // of the client test that were not called
	Folds                           []Fold           // of the client: the rest
	Server                          Side
	Told                            []Call // those in which something is not in order
	Quiet                           []Call // the others
	Others                          []wireview.Round
	Snippets                        []capture.Snippet
	RequestChanges, ResponseChanges string
}

// Lines are lines of the report: findings of rules, and checks of the client test.
type Lines struct {
	Findings []Finding
	Ticks    []TickRow
}

func (l Lines) n() int { return len(l.Findings) + len(l.Ticks) }

// of returns the lines with one of the outcomes.
func (l Lines) of(outcomes ...verdict.Outcome) Lines {
	var list Lines
	for _, f := range l.Findings {
		if slices.Contains(outcomes, f.Verdict) {
			list.Findings = append(list.Findings, f)
		}
	}
	for _, r := range l.Ticks {
		if slices.Contains(outcomes, r.Verdict) {
			list.Ticks = append(list.Ticks, r)
		}
	}
	return list
}

// Fold has the lines with one outcome.
type Fold struct {
	Outcome verdict.Outcome
	Lines   Lines
}

// N returns how many lines the fold has.
func (f Fold) N() int { return f.Lines.n() }

// folds returns the lines that are folded, by outcome.
func folds(l Lines) []Fold {
	var list []Fold
	for _, o := range folded {
		if of := l.of(o); of.n() > 0 {
			list = append(list, Fold{o, of})
		}
	}
	return list
}

// Side is what was judged of the server behind the address.
type Side struct {
	Open  Lines
	Folds []Fold
	Kept  int // lines that passed
}

func (s Side) title() string {
	has := func(o verdict.Outcome) bool { return s.Open.of(o).n() > 0 }
	switch {
	case has(verdict.Failed):
		return "What the server does wrong"
	case has(verdict.Advisory):
		return "Advice for the server"
	}
	return "Requirements on the server"
}

// Finding is a line of the report, with the requests that it is about.
type Finding struct {
	Rule, Check string // id: of a rule, or of a line about all calls together
	Text, Link  string
	Advice      string // of a rule that failed: its advice elsewhere; may be empty
	SameAs      string // the check that counts the same fault; empty if this line does
	Verdict     verdict.Outcome
	Where       []Place
	More        int // requests beyond those of Where
}

// Place is a request with a finding.
type Place struct{ Words, Path string }

// Call is a row of the table of calls.
type Call struct {
	ID, Method, Name, At string
	Rounds               int
	Likely               bool // a Round only likely belongs to the call
	Standing             standing.Standing
	Client, Server       standing.Standing
	told                 bool // something of it is not in order
}

// mostPlaces is how many requests of one finding are named.
const mostPlaces = 3

// New returns the page of a capture.
func New(in Input) Client {
	k, r := in.Capture, in.Report
	c := Client{
		ID: k.ID, Target: text.Visible(k.Target.Name, 120), URL: text.Visible(k.Target.URL, 300),
		Sample: k.Target.Sample != "", IsOpen: in.Open, Imported: in.Imported, Note: in.Note,
		Standing: StandingOf(k, in.Open), Address: in.Address,
		Expires:  k.Expires().UTC().Format("2 January 2006, 15:04 UTC"),
		Requests: r.Requests(), Who: text.Visible(strings.Join(r.Clients, ", "), 200),
		Snippets:       capture.Snippets("captured", in.Address),
		RequestChanges: strings.Join(in.RequestChanges, ", "),
		ResponseChanges: strings.Join(in.ResponseChanges,
			", "),
	}
	if in.Open {
		c.Live = fmt.Sprintf("/clients/%s/events?after=%d", k.ID, in.Progress)
	}
	v := in.verdict()
	ofRules, ofCalls := v.Group(capture.GroupRules), v.Group(capture.GroupCalls)
	lines := Lines{Findings: findings(r, rules.Client, ofRules, ofCalls)}
	if in.Checks != nil {
		checks := chosenOf(in.Checks, v.Group(capture.GroupChecks))
		for _, o := range checks {
			lines.Ticks = append(lines.Ticks, newTickRow(o, r))
		}
		c.Next = notCalled(checks)
	}
	c.Open, c.Folds = lines.of(inView...), folds(lines)
	c.Server = newServerSide(findings(r, rules.Server, v.Group(capture.GroupServer)))
	c.Card = in.card(v, c.Open)
	for _, call := range slices.Backward(r.Calls) {
		if row := newClientCall(in, call); row.told {
			c.Told = append(c.Told, row)
		} else {
			c.Quiet = append(c.Quiet, row)
		}
	}
	for _, o := range slices.Backward(r.Others) {
		whole := func(seq int) string { return fmt.Sprintf("/clients/%s/frames/%d", k.ID, seq) }
		w := wireview.NewRound(o.Round, false, "", whole)
		w.Label = fmt.Sprintf("Request %d", o.N)
		c.Others = append(c.Others, w)
	}
	return c
}

// verdict returns the report of every judge of the record.
func (in Input) verdict() verdict.Report {
	run := capture.Run{Open: in.Open, Report: in.Report, Checks: in.Checks}
	return capture.NewBoard(in.Capture.Target.Name, []capture.Run{run}, in.Selection).Verdict()
}

// card returns the card of the report, whose failures lead to the requests that show them.
func (in Input) card(v verdict.Report, open Lines) judged.Card {
	if in.Checks != nil && in.Report.IsLegacy() {
		v.Left = append(v.Left, "The client test needs a client of revision 2026-07-28.")
	}
	return judged.New(v, open.path)
}

// path returns where a failed line is shown, or "".
func (l Lines) path(line verdict.Line) string {
	for _, r := range l.Ticks {
		if r.Scenario == line.Scope && r.Check == line.ID {
			return r.Path
		}
	}
	for _, f := range l.Findings {
		if line.Scope == "" && f.Rule == line.ID && len(f.Where) > 0 {
			return f.Where[0].Path
		}
	}
	return ""
}

// folded are the outcomes of lines that are folded, in their order on the page.
var folded = []verdict.Outcome{
	verdict.NotJudged, verdict.NotReached, verdict.NotApplicable, verdict.Passed,
}

// inView are the outcomes of lines that are not folded.
var inView = []verdict.Outcome{verdict.Failed, verdict.Advisory, verdict.Stopped}

// title returns who the page is about.
func (c Client) title() string {
	switch {
	case c.Who != "":
		return c.Who
	case c.Requests > 0:
		return "A client without a name"
	}
	return "Waiting for your client"
}

// quietWords counts the calls that are folded.
func (c Client) quietWords() string {
	if len(c.Told) == 0 {
		return "All " + text.Plural(len(c.Quiet), "call")
	}
	return text.Plural(len(c.Quiet), "other call")
}

// findings returns the lines of groups on one side.
func findings(r capture.Report, side rules.Side, groups ...verdict.Group) []Finding {
	var list []Finding
	for _, g := range groups {
		for _, l := range g.Lines {
			list = append(list, newClientFinding(r, side, g, l))
		}
	}
	return list
}

func newServerSide(list []Finding) Side {
	lines := Lines{Findings: list}
	passed := lines.of(verdict.Passed)
	rest := lines.of(verdict.NotJudged, verdict.NotReached, verdict.NotApplicable)
	return Side{Open: lines.of(inView...), Folds: folds(rest), Kept: passed.n()}
}

// newClientFinding returns a line with the requests in which its rule has its outcome. Those
// that passed are not named.
func newClientFinding(r capture.Report, side rules.Side, g verdict.Group, l verdict.Line) Finding {
	row := Finding{
		Text: text.Visible(cmp.Or(l.Sentence, l.Title), 400), Link: l.Clause, SameAs: l.SameAs,
		Verdict: l.Outcome,
	}
	if g.ID == capture.GroupCalls {
		row.Check = l.ID
		return row
	}
	row.Rule = l.ID
	for _, f := range r.Findings {
		switch {
		case f.Rule != l.ID || f.Side != side || l.Outcome == verdict.Passed:
		case f.Verdict == verdict.Advisory && l.Outcome == verdict.Failed && row.Advice == "":
			row.Advice = text.Visible(f.Text, 400)
		case f.Verdict != l.Outcome:
		case len(row.Where) == mostPlaces:
			row.More++
		default:
			row.Where = append(row.Where, placeOf(r, f))
		}
	}
	return row
}

// placeOf names the request of a finding.
func placeOf(r capture.Report, f capture.Finding) Place {
	if f.Exchange == "" {
		for _, o := range r.Others {
			if o.N == f.Conn {
				return Place{
					fmt.Sprintf("request %d, %s", o.N, cmp.Or(text.Visible(o.Method, 60), "a response")),
					fmt.Sprintf("#round-%d", o.N),
				}
			}
		}
	}
	for _, c := range r.Calls {
		if c.Exchange.ID == f.Exchange {
			return Place{
				fmt.Sprintf("%s, round %d", text.Visible(prose.CallName(c.Exchange.Call), 60), f.Round),
				fmt.Sprintf("/x/%s?round=%d&panel=rules", f.Exchange, f.Round),
			}
		}
	}
	return Place{Words: "a request"}
}

func newClientCall(in Input, c capture.Call) Call {
	id := c.Exchange.ID
	var client, server verdict.Counts
	for _, f := range in.Report.Findings {
		switch {
		case f.Exchange != id:
		case f.Side == rules.Server:
			server.Add(f.Verdict)
		case f.CountedBy(in.Checks) == "":
			client.Add(f.Verdict)
		}
	}
	for _, o := range in.Checks {
		if len(o.Shown) > 0 && o.Shown[0].Exchange == id {
			client.Add(o.Outcome)
		}
	}
	row := Call{
		ID: id, Method: text.Visible(c.Exchange.Call.Method, 60),
		Name:   text.Visible(prose.CallName(c.Exchange.Call), 80),
		At:     c.Exchange.Created.UTC().Format("15:04:05"),
		Rounds: len(c.Transcript.Rounds), Standing: standing.Of(c.Transcript),
		Client: worstOf(client), Server: worstOf(server),
	}
	for _, round := range c.Transcript.Rounds {
		row.Likely = row.Likely || slices.Contains(byLikeness, round.Decision.Join)
	}
	// The server of the client test breaks rules on purpose, so it is not judged.
	deliberate := in.Checks != nil
	if deliberate {
		row.Server = standing.Muted("deliberate")
		row.Standing = row.Standing.Deliberate()
	}
	row.told = isTold(client) || !deliberate && isTold(server)
	return row
}

// byLikeness are the joins that are not certain.
var byLikeness = []playground.Join{playground.JoinLikely, playground.JoinEither}

// isTold reports whether something is not in order.
func isTold(c verdict.Counts) bool { return c.Failed+c.Advisory+c.Stopped > 0 }

// worstOf returns the standing of one side of a call: a fault, or that the
// client stopped, before a pass, and a pass before a line that was not judged.
func worstOf(c verdict.Counts) standing.Standing {
	for _, o := range []verdict.Outcome{verdict.Failed, verdict.Advisory, verdict.Stopped} {
		if n := c.Of(o); n > 0 {
			s := standing.OfVerdict(o)
			s.Word = o.Count(n)
			return s
		}
	}
	for _, o := range []verdict.Outcome{verdict.Passed, verdict.NotJudged} {
		if c.Of(o) > 0 {
			return standing.OfVerdict(o)
		}
	}
	return standing.OfVerdict(verdict.NotApplicable)
}
