package lab

import (
	"bytes"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Status is the state of a Report.
type Status string

// Statuses of a Report. Failed means that the right call did not get a response
// to compare with, so no experiment was run.
const (
	Running  Status = "running"
	Complete Status = "complete"
	Failed   Status = "failed"
	Stopped  Status = "stopped" // it ended before the last experiment
	Partial  Status = "partial" // of a Lab: some experiments were not run
)

// Report is the results board of a Session: experiments and rules with
// verdicts.
type Report struct {
	Status   Status
	Detail   string // one or two sentences for Failed and Stopped; may be empty
	Target   playground.Target
	Era      playground.Era // of the server, whose rules apply
	Call     playground.Call
	Control  playground.Exchange // the right call
	Worked   bool                // a right call completed, and its tool reported no error
	Compared string              // one sentence about the right call
	Results  []Result
	Findings []Finding // failures and hints of the rules in everything that was recorded
	Passed   []rules.Rule
	Open     []OpenRule // the other rules
	Unused   string     // a sentence on the answers given in advance that were never asked, or ""

	calls    int // that were recorded
	evidence evidence
	ended    string      // why the check ended early, in one sentence
	noted    *reportNote // what a report on the exchanges showed before; nil for none
	named    bool        // the server named itself where it was connected to
	seen     []Finding   // of every rule that something was about
}

// Finding is the worst finding of a rule in all exchanges of a check. Its Text also has
// the sentences of others that are as bad and say something else.
type Finding struct {
	rules.Finding
	// id of the experiment of the exchange; empty for the right call, "connect"
	// for connecting
	Experiment string
	Exchange   string // id; empty for connecting
	Times      int    // how often the rule had this verdict
	more       int    // sentences of Text after that of the first
}

// OpenRule is a rule that nothing in the record shows.
type OpenRule struct {
	rules.Rule
	Outcome verdict.Outcome
	Why     string // one sentence
}

// NewReport returns the report on the exchanges of a check: the right call first,
// then the others in any order. The rules also judge the connection c. What a note
// of Noted is about is not judged again. running is true if more exchanges are to
// come.
func NewReport(exchanges []playground.Exchange, c server.Connection, running bool) Report {
	r := Report{Status: Complete, calls: len(exchanges), noted: notedIn(exchanges)}
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
	if right, ok := rightCallOfCheck(exchanges); ok {
		r.Control = right
	}
	r.Target, r.Call = r.Control.Target, r.Control.Call
	base := r.Control.Fold()
	r.Era = r.eraOf(base, c)
	r.evidence, r.ended = gatherEvidence(base, exchanges), reasonOf(exchanges)
	r.Unused = noted(exchanges, func(n playground.Note) string { return n.Unused })
	if r.Era != playground.Legacy {
		for _, e := range ExperimentsWith(r.Target) {
			r.Results = append(r.Results, r.result(e, made))
		}
		r.passOver()
	}
	r.compare(base, exchanges[0])
	r.judgeRules(exchanges, c)
	r.conclude()
	return r
}

// equalCalls returns the exchanges with a call. The others have other arguments.
func equalCalls(exchanges []playground.Exchange, c playground.Call) []playground.Exchange {
	var list []playground.Exchange
	for _, x := range exchanges {
		if x.Call.Method == c.Method && bytes.Equal(x.Call.Params, c.Params) {
			list = append(list, x)
		}
	}
	return list
}

// eraOf returns the era of a server: that of the connection, or else that of
// the call.
func (r *Report) eraOf(base playground.Transcript, c server.Connection) playground.Era {
	last := base.Last()
	switch {
	case r.Target.Era == playground.Legacy || last != nil && last.Legacy:
		return playground.Legacy
	case last == nil && c.Era != "":
		return c.Era
	case last == nil && r.noted != nil && r.noted.Era == playground.Legacy:
		return playground.Legacy
	}
	return playground.Modern
}

// result returns the result of one experiment. If it has no exchange, Text is
// the reason.
func (r *Report) result(e Experiment, made map[string][]playground.Exchange) Result {
	p := Result{Experiment: e, Verdict: verdict.NotReached, Exchanges: made[e.ID]}
	switch {
	case r.Status == Running && len(p.Exchanges) > 0 && isRunning(p.Exchanges):
		p.Waiting, p.Running = true, true
		return p
	case unfinished(p.Exchanges):
		p.cutOff()
		return p
	case len(p.Exchanges) > 0:
		p.judge(base{r.Control.FoldOwn(), r.evidence})
		r.noted.settle(&p)
		return p
	}
	if _, p.Text = Places(e, r.Control); p.Text != "" {
		p.Verdict = unplaced(e, r.Control)
		return p
	}
	if p.Text = NotRunReason(e, r.Control); p.Text == "" {
		p.Text, p.Waiting = notRun, true
	}
	return p
}

// cutOff sets the result of an experiment that had begun when the run ended.
func (p *Result) cutOff() {
	p.Verdict, p.Waiting = verdict.NotJudged, true
	p.Text = "It was still running when the run ended."
}

// unplaced returns the outcome of an experiment that has no place in a call. It does not
// apply once the call has shown all that it will show; until then it was not reached.
func unplaced(e Experiment, x playground.Exchange) verdict.Outcome {
	f := x.Fold()
	if e.Excluded(x.Target) == "" && (!f.Status.Ended() || !Answered(f)) {
		return verdict.NotReached
	}
	return verdict.NotApplicable
}

// passOver sets the experiments that are not waiting, although they have no
// exchange: a check makes them in the order of the table, so those before the
// last one that was made were not made at all, by an earlier program.
func (r *Report) passOver() {
	later := false
	for i := len(r.Results) - 1; i >= 0; i-- {
		p := &r.Results[i]
		if later && p.Waiting && len(p.Exchanges) == 0 {
			p.Text, p.Waiting = "The check was made without this experiment.", false
		}
		later = later || len(p.Exchanges) > 0
	}
}

// unfinished reports whether the last of the exchanges has not ended, because
// the check was stopped or its process died.
func unfinished(list []playground.Exchange) bool {
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1].FoldOwn().Last()
	if last == nil {
		return true
	}
	switch last.Kind {
	case playground.OutcomePending, playground.OutcomeInterrupted:
		return true
	case playground.OutcomeCancelled:
		return last.Result == nil // a task that was cancelled is an answer
	}
	return false
}

// isGivenUp reports whether the client cancelled the task that a call became.
func isGivenUp(f playground.Transcript) bool {
	return f.Status == playground.StatusCancelled && slices.ContainsFunc(f.Rounds,
		func(r playground.Round) bool { return r.Decision.Action == playground.ActionStop })
}

// reasonOf returns why the check of the exchanges ended early, as far as the record
// says.
func reasonOf(exchanges []playground.Exchange) string {
	if words := whyEnded(exchanges); words != "" {
		return words
	}
	if n := len(exchanges); n > 0 {
		last := playground.Fold(exchanges[n-1].Log).Last()
		if last != nil && last.Kind == playground.OutcomeInterrupted {
			return "The program was ended or restarted."
		}
	}
	return "The record does not say why."
}

// whyEnded returns the newest note on why a check ended early, or "".
func whyEnded(exchanges []playground.Exchange) string {
	return noted(exchanges, func(n playground.Note) string { return n.Check })
}

// noted returns the words of the newest note in the logs that has them, or "".
func noted(exchanges []playground.Exchange, words func(playground.Note) string) string {
	for _, x := range slices.Backward(exchanges) {
		for _, e := range slices.Backward(x.Log) {
			if n, ok := e.Note(); ok && words(n) != "" {
				return words(n)
			}
		}
	}
	return ""
}

// hasResults reports whether an experiment was made.
func (r *Report) hasResults() bool {
	return slices.ContainsFunc(r.Results, func(p Result) bool { return len(p.Exchanges) > 0 })
}

// conclude sets Status and Detail once no exchange is running.
func (r *Report) conclude() {
	base := r.Control.FoldOwn()
	switch {
	case r.Status == Running:
	case unfinished([]playground.Exchange{r.Control}), isGivenUp(base) && !r.hasResults():
		r.Status, r.Detail = Stopped, "The check ended before the right call was complete. "+r.ended
	case !Answered(base):
		r.Status, r.Detail = Failed, failureDetail(base)
	default:
		for _, p := range r.Results {
			if p.Waiting {
				r.Status, r.Detail = Stopped, "The check ended before every experiment was run. "+r.ended
				return
			}
		}
		if !worked(base) {
			r.Detail = r.notWorking(base)
		}
	}
}
