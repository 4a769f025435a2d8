package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Status is how far a check came.
type Status string

// Statuses. Failed means that the right call told too little to probe anything.
const (
	Running  Status = "running"
	Complete Status = "complete"
	Failed   Status = "failed"
	Stopped  Status = "stopped" // it ended before the last probe
)

// Report is what a check found.
type Report struct {
	Status    Status
	Detail    string // one sentence, of Failed and Stopped
	Target    playground.Target
	Call      playground.Call
	Control   playground.Exchange // the right call
	Results   []Result
	Findings  []Finding // what the rules say of everything that was recorded
	Passed    []rules.Rule
	NotJudged []rules.Rule // rules that had nothing to judge
}

// Result is one experiment and what came of it.
type Result struct {
	Experiment
	Verdict   rules.Verdict
	Text      string // one sentence
	Exchanges []playground.Exchange
	Decisive  int  // index of the exchange that the verdict is about
	Waiting   bool // not made yet
}

// Finding is what a rule says about an exchange of the check: the worst, once
// for each rule.
type Finding struct {
	rules.Finding
	Experiment string // of the exchange; empty for the right call, "connect" for connecting
	Exchange   string // id
	Times      int
}

// Counts are how many of each verdict there are.
type Counts struct{ Pass, Fail, Hint, NA int }

// NewReport reads the record of a check: the right call first, then what was tried and
// probed, in any order. What connecting to the server recorded is judged with
// it. running tells whether more is to come.
func NewReport(exchanges []playground.Exchange, c server.Connection, running bool) Report {
	r := Report{Status: Complete}
	if running {
		r.Status = Running
	}
	if len(exchanges) == 0 {
		return r
	}
	made := map[string][]playground.Exchange{}
	for _, x := range exchanges {
		made[experimentOf(x)] = append(made[experimentOf(x)], x)
	}
	r.Control = exchanges[0]
	if right := made[""]; len(right) > 0 {
		r.Control = Control(right)
	}
	r.Target, r.Call = r.Control.Target, r.Control.Call
	for _, e := range Experiments() {
		r.Results = append(r.Results, r.result(e, made))
	}
	r.judgeRules(exchanges, c)
	r.conclude()
	return r
}

// experimentOf is what an exchange was made for.
func experimentOf(x playground.Exchange) string {
	f := playground.Fold(x.Log)
	if len(f.Rounds) == 0 {
		return ""
	}
	return f.Rounds[0].Decision.Experiment
}

// result judges one experiment; without an exchange it says why there is none.
func (r *Report) result(e Experiment, made map[string][]playground.Exchange) Result {
	p := Result{Experiment: e, Verdict: rules.NA, Exchanges: made[e.ID]}
	if unfinished(p.Exchanges) {
		p.Text, p.Waiting = "It was under way when the check ended.", true
		return p
	}
	if len(p.Exchanges) > 0 {
		base := playground.Fold(r.Control.Log)
		p.judge(base, gatherEvidence(base, made))
		return p
	}
	if _, p.Text = Place(e, r.Control); p.Text == "" {
		p.Text = NotRunReason(e, r.Control)
	}
	if p.Text == "" {
		p.Text = "It was not made."
		p.Waiting = true
	}
	return p
}

// unfinished reports whether the last of the exchanges has no end, because the
// check was stopped or its process died.
func unfinished(list []playground.Exchange) bool {
	if len(list) == 0 {
		return false
	}
	last := playground.Fold(list[len(list)-1].Log).Last()
	if last == nil {
		return true
	}
	switch last.Kind {
	case playground.OutcomePending, playground.OutcomeCancelled, playground.OutcomeInterrupted:
		return true
	}
	return false
}

// conclude says how the check ended, once nothing is under way.
func (r *Report) conclude() {
	base := playground.Fold(r.Control.Log)
	switch {
	case r.Status == Running:
	case unfinished([]playground.Exchange{r.Control}):
		r.Status, r.Detail = Stopped, "The check ended before the right call did."
	case !Answered(base):
		r.Status, r.Detail = Failed, failureDetail(base)
	default:
		for _, p := range r.Results {
			if p.Waiting {
				r.Status, r.Detail = Stopped, "The check ended before every probe was made."
				return
			}
		}
		if base.Last().IsError {
			r.Detail = "The right call itself ended with an error of the tool; other arguments or answers would tell more."
		}
	}
}

func failureDetail(base playground.Transcript) string {
	last := base.Last()
	switch {
	case last == nil:
		return "The call was not sent."
	case last.Detail != "":
		return last.Detail
	}
	return "The right call came to no end that could be compared with."
}

// ResultCounts counts the verdicts of the probes.
func (r Report) ResultCounts() Counts {
	var c Counts
	for _, p := range r.Results {
		c.add(p.Verdict)
	}
	return c
}

// Total counts the verdicts of probes and rules together.
func (r Report) Total() Counts {
	c := r.ResultCounts()
	for _, f := range r.Findings {
		c.add(f.Verdict)
	}
	c.Pass += len(r.Passed)
	c.NA += len(r.NotJudged)
	return c
}

func (c *Counts) add(v rules.Verdict) {
	switch v {
	case rules.Pass:
		c.Pass++
	case rules.Fail:
		c.Fail++
	case rules.Hint:
		c.Hint++
	default:
		c.NA++
	}
}

// OK reports whether the check came to its end and found no failure.
func (r Report) OK() bool { return r.Status == Complete && r.Total().Fail == 0 }
