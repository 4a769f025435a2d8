package views

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// ClientTest is the board of the client test.
type ClientTest struct {
	Counts []BoardCount
	Open   []TickRow          // what failed, then advisories, then where the client stopped
	Next   []capture.Scenario // that were not called
	Folds  []TickFold         // the rest
}

// TickFold has the checks with one outcome.
type TickFold struct {
	Outcome verdict.Outcome
	Ticks   []TickRow
}

// TickRow is what was observed of one check.
type TickRow struct {
	Scenario, Check, Title, Text, Link string
	Path                               string // to the bytes; empty for none
	Verdict                            verdict.Outcome
}

// setTest adds the board of the client test. Its server sends deliberate oddities, so it
// is not judged.
func (c *Client) setTest(ticks []capture.Tick, r capture.Report) {
	for i := range c.Calls {
		c.Calls[i].Server = Standing{glyphNothing, "deliberate", classMuted}
	}
	t := ClientTest{}
	var counts verdict.Counts
	reached := map[string]bool{}
	rows := map[verdict.Outcome][]TickRow{}
	for _, tick := range ticks {
		counts.Add(tick.Verdict)
		reached[tick.Scenario] = reached[tick.Scenario] || tick.Verdict != verdict.NotReached
		rows[tick.Verdict] = append(rows[tick.Verdict], newTickRow(tick, r))
	}
	t.Open = slices.Concat(rows[verdict.Failed], rows[verdict.Advisory], rows[verdict.Stopped])
	t.Counts = boardCounts(counts)
	for _, o := range folded {
		if len(rows[o]) > 0 {
			t.Folds = append(t.Folds, TickFold{o, rows[o]})
		}
	}
	for _, s := range capture.Scenarios() {
		if !reached[s.ID] {
			t.Next = append(t.Next, s)
		}
	}
	c.Test = &t
}

// ticksOf returns the ticks that a group of the report has a line for.
func ticksOf(ticks []capture.Tick, g verdict.Group) []capture.Tick {
	var list []capture.Tick
	for _, t := range ticks {
		if slices.ContainsFunc(g.Lines, func(l verdict.Line) bool {
			return l.Scope == t.Scenario && l.ID == t.Check
		}) {
			list = append(list, t)
		}
	}
	return list
}

func newTickRow(t capture.Tick, r capture.Report) TickRow {
	row := TickRow{
		Scenario: t.Scenario, Check: t.Check, Text: text.Visible(t.Text, 400), Verdict: t.Verdict,
		Path: pathOf(t.Evidence, r),
	}
	if s, ok := capture.ByID(t.Scenario); ok {
		row.Title = s.Title
	}
	if sentence, ok := spec.ByID(t.Requirement); ok {
		row.Link = sentence.Link()
	}
	return row
}

// pathOf returns where the bytes of a request are.
func pathOf(e capture.Evidence, r capture.Report) string {
	if e.Exchange == "" && e.Conn > 0 {
		return fmt.Sprintf("#round-%d", e.Conn)
	}
	for _, c := range r.Calls {
		if c.Exchange.ID != e.Exchange {
			continue
		}
		for _, round := range c.Transcript.Rounds {
			if holds(round, e.Conn) {
				return fmt.Sprintf("/x/%s?round=%d&panel=wire", e.Exchange, round.N)
			}
		}
	}
	return ""
}

func holds(r playground.Round, conn int) bool {
	if r.Conn == conn {
		return true
	}
	for _, o := range r.Others {
		if o.Conn == conn {
			return true
		}
	}
	return false
}
