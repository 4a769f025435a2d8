package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Status is the state of a check.
type Status string

// Statuses of a check. Failed means that the right call did not get a response
// to compare with, so no experiment was run.
const (
	Running  Status = "running"
	Complete Status = "complete"
	Failed   Status = "failed"
	Stopped  Status = "stopped" // it ended before the last experiment
)

// Report is the results board of a Session: experiments and rules with
// verdicts.
type Report struct {
	Status    Status
	Detail    string // one sentence for Failed and Stopped; may be empty
	Target    playground.Target
	Call      playground.Call
	Control   playground.Exchange // the right call
	Results   []Result
	Findings  []Finding // failures and hints of the rules in everything that was recorded
	Passed    []rules.Rule
	NotJudged []rules.Rule // rules that applied to nothing in the record
}

// Finding is the worst finding of a rule in all exchanges of a check.
type Finding struct {
	rules.Finding
	// id of the experiment of the exchange; empty for the right call, "connect"
	// for connecting
	Experiment string
	Exchange   string // id; empty for connecting
	Times      int    // how often the rule had this verdict
}

// Counts holds the number of results with each verdict.
type Counts struct{ Pass, Fail, Hint, NA int }

// NewReport returns the report on the exchanges of a check: the right call
// first, then the others in any order. The rules also judge the connection c.
// running is true if more exchanges are to come.
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
		made[x.Experiment()] = append(made[x.Experiment()], x)
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

// result returns the result of one experiment. If it has no exchange, Text is
// the reason.
func (r *Report) result(e Experiment, made map[string][]playground.Exchange) Result {
	p := Result{Experiment: e, Verdict: rules.NA, Exchanges: made[e.ID]}
	if unfinished(p.Exchanges) {
		p.Text, p.Waiting = "The experiment was still running when the check ended.", true
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
		p.Text = "The experiment was not run."
		p.Waiting = true
	}
	return p
}

// unfinished reports whether the last of the exchanges has not ended, because
// the check was stopped or its process died.
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

// conclude sets Status and Detail once no exchange is running.
func (r *Report) conclude() {
	base := playground.Fold(r.Control.Log)
	switch {
	case r.Status == Running:
	case unfinished([]playground.Exchange{r.Control}):
		r.Status, r.Detail = Stopped, "The check ended before the right call was complete."
	case !Answered(base):
		r.Status, r.Detail = Failed, failureDetail(base)
	default:
		for _, p := range r.Results {
			if p.Waiting {
				r.Status, r.Detail = Stopped, "The check ended before every experiment was run."
				return
			}
		}
		if base.Last().IsError {
			r.Detail = "The right call ended with a tool error. Other arguments or answers would allow " +
				"more checks."
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
	return "The right call did not end with a response that the experiments could be compared with."
}

// ResultCounts returns the counts of the experiments.
func (r Report) ResultCounts() Counts {
	var c Counts
	for _, p := range r.Results {
		c.add(p.Verdict)
	}
	return c
}

// Total returns the counts of experiments and rules together.
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

// OK reports whether the check is complete and found no failure.
func (r Report) OK() bool { return r.Status == Complete && r.Total().Fail == 0 }
