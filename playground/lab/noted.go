package lab

import (
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// reportNote is the note on what a report showed, and when it was made.
type reportNote struct {
	playground.NotedReport
	at time.Time
}

// Noted returns the exchanges of the report with a note on what it shows. Its verdicts
// stay the same when the exchanges are judged without the connection, or with masked
// values.
func (r Report) Noted(exchanges []playground.Exchange) []playground.Exchange {
	if len(exchanges) == 0 {
		return exchanges
	}
	n := &playground.NotedReport{Era: r.Era, Named: r.named}
	begun, at := map[string]time.Time{}, time.Time{}
	for _, x := range exchanges {
		begun[x.ID] = x.Created
		if at.Before(x.Created) {
			at = x.Created
		}
	}
	for _, f := range r.seen {
		v := playground.NotedVerdict{ID: f.Rule, Verdict: string(f.Verdict), Text: f.Text,
			Experiment: f.Experiment, Round: f.Round, Times: f.Times}
		if b, ok := begun[f.Exchange]; ok {
			v.Begun = &b
		}
		n.Rules = append(n.Rules, v)
	}
	for _, p := range r.Results {
		if len(p.Exchanges) > 0 && !p.Waiting {
			n.Experiments = append(n.Experiments,
				playground.NotedVerdict{ID: p.ID, Verdict: string(p.Verdict), Text: p.Text})
		}
	}
	list := slices.Clone(exchanges)
	first := &list[0]
	e := playground.Note{Report: n}.Event(at)
	if e.Seq = 1; len(first.Log) > 0 {
		e.Seq = first.Log[len(first.Log)-1].Seq + 1
	}
	first.Log = append(slices.Clone(first.Log), e)
	return list
}

// notedIn returns the note on a report in the log of the first exchange, or nil.
func notedIn(exchanges []playground.Exchange) *reportNote {
	if len(exchanges) == 0 {
		return nil
	}
	for _, e := range slices.Backward(exchanges[0].Log) {
		if n, ok := e.Note(); ok && n.Report != nil {
			return &reportNote{*n.Report, e.At}
		}
	}
	return nil
}

// covers reports whether the note is about an exchange. It is about none if there is no
// note.
func (n *reportNote) covers(x playground.Exchange) bool { return n != nil && !x.Created.After(n.at) }

// maxNoted is the longest sentence that is read from a note, in characters.
const maxNoted = 2000

// findings returns what the rules showed, in the order of the note, which may come from
// a file: unknown rules and verdicts are left out.
func (n *reportNote) findings(exchanges []playground.Exchange) []Finding {
	if n == nil {
		return nil
	}
	var list []Finding
	for _, v := range n.Rules {
		rule, known := rules.ByID(v.ID)
		if !known || rule.Side != rules.Server || !isNoted(v.Verdict) {
			continue
		}
		f := Finding{
			Finding: rules.Finding{Rule: rule.ID, Verdict: verdict.Outcome(v.Verdict), Round: v.Round,
				Side: rule.Side, Text: text.Visible(v.Text, maxNoted), Link: rule.Link},
			Experiment: v.Experiment, Times: max(1, v.Times), more: maxMore,
		}
		i := slices.IndexFunc(exchanges, func(x playground.Exchange) bool {
			return v.Begun != nil && x.Created.Equal(*v.Begun) && x.Experiment() == v.Experiment
		})
		if i >= 0 {
			f.Exchange = exchanges[i].ID
		}
		list = append(list, f)
	}
	return list
}

// isNoted reports whether a note can have the verdict.
func isNoted(v string) bool {
	switch verdict.Outcome(v) {
	case verdict.Failed, verdict.Advisory, verdict.Passed, verdict.NotJudged:
		return true
	}
	return false
}

// settle sets the verdict of a result to that of the note, if it is about its exchanges.
func (n *reportNote) settle(p *Result) {
	newer := func(x playground.Exchange) bool { return !n.covers(x) }
	if n == nil || slices.ContainsFunc(p.Exchanges, newer) {
		return
	}
	i := slices.IndexFunc(n.Experiments, func(v playground.NotedVerdict) bool { return v.ID == p.ID })
	if i < 0 || !isNoted(n.Experiments[i].Verdict) {
		return
	}
	e, _ := ExperimentByID(p.ID)
	p.show(e.Level, verdict.Outcome(n.Experiments[i].Verdict), text.Visible(n.Experiments[i].Text, maxNoted))
}
