package client

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Test is the board of the client test.
type Test struct {
	Counts []boardview.Count
	Open   []TickRow        // what failed, then advisories, then where the client stopped
	Next   []rules.Scenario // that were not called
	Folds  []TickFold       // the rest
}

// TickFold has the checks with one outcome.
type TickFold struct {
	Outcome verdict.Outcome
	Ticks   []TickRow
}

// TickRow is the observation of one check.
type TickRow struct {
	Scenario, Check, Title, Text, Link string
	Path                               string // to the bytes; empty for none
	Verdict                            verdict.Outcome
}

// setTest adds the board of the client test. Its server sends deliberate oddities, so it
// is not judged.
func (c *Client) setTest(checks []rules.Observation, r capture.Report) {
	for i := range c.Calls {
		c.Calls[i].Server = standing.Muted("deliberate")
	}
	t := Test{}
	var counts verdict.Counts
	reached := map[string]bool{}
	rows := map[verdict.Outcome][]TickRow{}
	for _, o := range checks {
		counts.Add(o.Outcome)
		reached[o.Scope] = reached[o.Scope] || o.Outcome != verdict.NotReached
		rows[o.Outcome] = append(rows[o.Outcome], newTickRow(o, r))
	}
	t.Open = slices.Concat(rows[verdict.Failed], rows[verdict.Advisory], rows[verdict.Stopped])
	t.Counts = boardview.Counts(counts)
	for _, o := range folded {
		if len(rows[o]) > 0 {
			t.Folds = append(t.Folds, TickFold{o, rows[o]})
		}
	}
	for _, s := range rules.Scenarios() {
		if !reached[s.ID] {
			t.Next = append(t.Next, s)
		}
	}
	c.Test = &t
}

// chosenOf returns the observations that a group of the report has a line for.
func chosenOf(checks []rules.Observation, g verdict.Group) []rules.Observation {
	var list []rules.Observation
	for _, o := range checks {
		if slices.ContainsFunc(g.Lines, func(l verdict.Line) bool {
			return l.Scope == o.Scope && l.ID == o.ID
		}) {
			list = append(list, o)
		}
	}
	return list
}

func newTickRow(o rules.Observation, r capture.Report) TickRow {
	return TickRow{
		Scenario: o.Scope, Check: o.ID, Title: o.Title, Text: text.Visible(o.Sentence, 400), Link: o.Clause,
		Verdict: o.Outcome, Path: PathOf(o.Shown, r),
	}
}

// PathOf returns where the bytes of the first of some requests are.
func PathOf(shown []rules.Recorded, r capture.Report) string {
	if len(shown) == 0 {
		return ""
	}
	e := shown[0]
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
