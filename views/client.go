package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// ClientsTitle is the title of the page of captures.
const ClientsTitle = "Clients"

// Clients lists the captures of a workspace, and what a new one can be in front of.
type Clients struct {
	Captures []CaptureRow
	Samples  []StartLine
	Mine     []server.Row
	Problem  *Sentence
	Program  launch.Program // of the reader
}

// CaptureRow is a capture in the list.
type CaptureRow struct {
	capture.Capture
	Open bool
}

// Standing says whether the address answers.
func (r CaptureRow) Standing() Standing { return captureStanding(r.Open, !r.Ended.IsZero()) }

func captureStanding(open, ended bool) Standing {
	switch {
	case open:
		return Standing{glyphRunning, "open", classInk}
	case ended:
		return Standing{glyphNothing, "ended", classMuted}
	}
	return Standing{glyphNothing, "expired", classMuted}
}

// ClientInput is what a page of a capture is made from.
type ClientInput struct {
	Capture                         capture.Capture
	Open                            bool
	Address                         string
	Report                          capture.Report
	Ticks                           []capture.Tick    // nil unless the client test is behind the address
	Selection                       capture.Selection // of what the page is about
	Progress                        int64
	Now                             time.Time
	RequestChanges, ResponseChanges []string
}

// Client is the page of a capture.
type Client struct {
	ID, Target, URL                 string
	Sample                          bool // a sample is behind the address
	Open                            bool
	Standing                        Standing
	Address                         string
	Expires                         string
	Live                            string // address of the events; empty if nothing more can come
	Who                             string // names of the clients; empty if none is known
	Requests                        int
	Words                           string // what the record says of the client, in one sentence
	Good                            bool   // they are green
	Client, Server                  ClientSide
	Test                            *ClientTest // nil unless the client test is behind the address
	Calls                           []ClientCall
	Others                          []WireRound
	Snippets                        []capture.Snippet
	RequestChanges, ResponseChanges string
}

// ClientSide is what was found on one side.
type ClientSide struct {
	Failed, Hints []ClientFinding
	Passed        int // rules
}

func (s ClientSide) title(side string) string {
	if len(s.Failed) > 0 {
		return "What the " + side + " does wrong"
	}
	return "Advice for the " + side
}

// ClientFinding is a violation or advisory, with the requests that have it.
type ClientFinding struct {
	Rule, Text, Link string
	Verdict          verdict.Outcome
	Where            []ClientPlace
	More             int // requests beyond those of Where
}

// ClientPlace is a request with a finding.
type ClientPlace struct{ Words, Path string }

// ClientCall is a row of the table of calls.
type ClientCall struct {
	ID, Method, Name, At string
	Rounds               int
	Likely               bool // a Round only likely belongs to the call
	Standing             Standing
	Client, Server       Standing
}

// mostPlaces is how many requests of one finding are named.
const mostPlaces = 3

// NewClient returns the page of a capture.
func NewClient(in ClientInput) Client {
	k, r := in.Capture, in.Report
	c := Client{
		ID: k.ID, Target: text.Visible(k.Target.Name, 120), URL: text.Visible(k.Target.URL, 300),
		Sample: k.Target.Sample != "", Open: in.Open,
		Standing: captureStanding(in.Open, !k.Ended.IsZero()), Address: in.Address,
		Expires:  k.Expires().UTC().Format("2 January 2006, 15:04 UTC"),
		Requests: r.Requests(), Who: text.Visible(strings.Join(r.Clients, ", "), 200),
		Snippets:       capture.Snippets(in.Address),
		RequestChanges: strings.Join(in.RequestChanges, ", "),
		ResponseChanges: strings.Join(in.ResponseChanges,
			", "),
	}
	if in.Open {
		c.Live = fmt.Sprintf("/clients/%s/events?after=%d", k.ID, in.Progress)
	}
	c.Client, c.Server = newClientSide(r, rules.Client), newClientSide(r, rules.Server)
	c.Words, c.Good = in.headline(c.Requests)
	for _, call := range slices.Backward(r.Calls) {
		c.Calls = append(c.Calls, newClientCall(in, call))
	}
	if in.Ticks != nil {
		c.setTest(in.Ticks, r)
	}
	for _, o := range slices.Backward(r.Others) {
		whole := func(seq int) string { return fmt.Sprintf("/clients/%s/frames/%d", k.ID, seq) }
		w := NewWireRound(o.Round, false, "", whole)
		w.Label = fmt.Sprintf("Request %d", o.N)
		c.Others = append(c.Others, w)
	}
	return c
}

// headline says what every judge of the record says of the client, and whether it is
// green.
func (in ClientInput) headline(requests int) (words string, good bool) {
	if requests == 0 {
		return "No request yet.", false
	}
	run := capture.Run{Open: in.Open, Report: in.Report, Ticks: in.Ticks}
	h := capture.NewBoard(in.Capture.Target.Name, []capture.Run{run}, in.Selection).Verdict().Headline()
	if in.Ticks != nil && in.Report.IsLegacy() {
		h.Words += " The client test needs a client of revision 2026-07-28."
	}
	return h.Words, h.Outcome == verdict.Passed
}

func newClientSide(r capture.Report, side rules.Side) ClientSide {
	var s ClientSide
	failed := map[string]bool{}
	group := func(v verdict.Outcome) []ClientFinding {
		var list []ClientFinding
		for _, f := range r.Of(side, v) {
			failed[f.Rule] = true
			i := slices.IndexFunc(list, func(known ClientFinding) bool { return known.Rule == f.Rule })
			if i < 0 {
				i = len(list)
				list = append(list, ClientFinding{
					Rule: f.Rule, Text: text.Visible(f.Text, 400), Link: f.Link, Verdict: v,
				})
			}
			if len(list[i].Where) == mostPlaces {
				list[i].More++
				continue
			}
			list[i].Where = append(list[i].Where, placeOf(r, f))
		}
		return list
	}
	s.Failed, s.Hints = group(verdict.Failed), group(verdict.Advisory)
	passed := map[string]bool{}
	for _, f := range r.Of(side, verdict.Passed) {
		if !failed[f.Rule] {
			passed[f.Rule] = true
		}
	}
	s.Passed = len(passed)
	return s
}

// placeOf names the request of a finding.
func placeOf(r capture.Report, f capture.Finding) ClientPlace {
	if f.Exchange == "" {
		for _, o := range r.Others {
			if o.N == f.Conn {
				return ClientPlace{
					fmt.Sprintf("request %d, %s", o.N, cmp.Or(text.Visible(o.Method, 60), "a response")),
					fmt.Sprintf("#round-%d", o.N),
				}
			}
		}
	}
	for _, c := range r.Calls {
		if c.Exchange.ID == f.Exchange {
			return ClientPlace{
				fmt.Sprintf("%s, round %d", text.Visible(callName(c.Exchange.Call), 60), f.Round),
				fmt.Sprintf("/x/%s?round=%d&panel=rules", f.Exchange, f.Round),
			}
		}
	}
	return ClientPlace{Words: "a request"}
}

func callName(c playground.Call) string { return cmp.Or(c.Name(), c.Method) }

func newClientCall(in ClientInput, c capture.Call) ClientCall {
	id := c.Exchange.ID
	var client, server verdict.Counts
	for _, f := range in.Report.Findings {
		switch {
		case f.Exchange != id:
		case f.Side == rules.Client:
			client.Add(f.Verdict)
		default:
			server.Add(f.Verdict)
		}
	}
	for _, t := range in.Ticks {
		if t.Evidence.Exchange == id {
			client.Add(t.Verdict)
		}
	}
	row := ClientCall{
		ID: id, Method: text.Visible(c.Exchange.Call.Method, 60),
		Name: text.Visible(callName(c.Exchange.Call), 80), At: c.Exchange.Created.UTC().Format("15:04:05"),
		Rounds: len(c.Transcript.Rounds), Standing: standingOf(c.Transcript),
		Client: worstOf(client), Server: worstOf(server),
	}
	for _, round := range c.Transcript.Rounds {
		row.Likely = row.Likely || slices.Contains(byLikeness, round.Decision.Join)
	}
	return row
}

// byLikeness are the joins that are not certain.
var byLikeness = []playground.Join{playground.JoinLikely, playground.JoinEither}

// worstOf returns the standing of one side of a call: what is wrong, or that the client
// stopped, before what passed, and that before what was not judged.
func worstOf(c verdict.Counts) Standing {
	for _, o := range []verdict.Outcome{verdict.Failed, verdict.Advisory, verdict.Stopped} {
		if n := c.Of(o); n > 0 {
			s := verdictStanding(o)
			s.Word = o.Count(n)
			return s
		}
	}
	for _, o := range []verdict.Outcome{verdict.Passed, verdict.NotJudged} {
		if c.Of(o) > 0 {
			return verdictStanding(o)
		}
	}
	return verdictStanding(verdict.NotApplicable)
}
