package client

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TickRow is the observation of one check.
type TickRow struct {
	Scenario, Check, Title, Text, Link string
	Path                               string // to the bytes; empty for none
	Verdict                            verdict.Outcome
}

// notCalled returns the scenarios of which no check was reached.
func notCalled(checks []rules.Observation) []rules.Scenario {
	reached := map[string]bool{}
	for _, o := range checks {
		reached[o.Scope] = reached[o.Scope] || o.Outcome != verdict.NotReached
	}
	var list []rules.Scenario
	for _, s := range rules.Scenarios() {
		if !reached[s.ID] {
			list = append(list, s)
		}
	}
	return list
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
