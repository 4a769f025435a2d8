package lab

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// NewLabReport returns the report on a Session whose experiments were made one by
// one, or all at once by a check within it: for each experiment its last result
// or, if it has none, whether it can be made on x and from which Round (n if
// possible). x is one of the exchanges, oldest first. The rules also judge the
// connection c, but not what a note is about, as in NewReport. running is true
// while a check runs in the Session.
//
// A check within a Session makes the right call as a branch from the start of x.
// Its experiments are branches from the start of that right call.
func NewLabReport(exchanges []playground.Exchange, x playground.Exchange, n int, c server.Connection,
	running bool) Report {
	r := Report{Status: Partial, Control: x, Target: x.Target, Call: x.Call, calls: len(exchanges),
		noted: notedIn(exchanges)}
	judge := NewJudge(exchanges)
	tries := map[string][]playground.Exchange{}
	var last []playground.Exchange
	for _, id := range triedIDs(exchanges) {
		tries[id] = lastTry(exchanges, id)
		if last == nil || tries[id][0].Created.After(last[0].Created) {
			last = tries[id]
		}
	}
	if len(last) > 0 {
		if control, ok := rightCallOf(last[0], exchanges); ok {
			r.Control = control
		}
	}
	f := r.Control.Fold()
	if r.Era = r.eraOf(f, c); r.Era != playground.Legacy {
		for _, e := range ExperimentsWith(r.Target) {
			r.Results = append(r.Results, judge.result(e, tries[e.ID], x, r.Control, n))
		}
		r.addOthers(exchanges, judge)
	}
	r.compare(f, r.Control)
	r.judgeRules(exchanges, c)
	r.settleStatus(exchanges, last, running)
	return r
}

// triedIDs returns the ids of the experiments that the exchanges were made for,
// in the order of their first exchanges.
func triedIDs(exchanges []playground.Exchange) []string {
	var ids []string
	for _, x := range exchanges {
		if id := x.Experiment(); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// lastTry returns the exchanges of the last time that an experiment was made:
// one, or those of a check, which makes one for each variant and Round. These
// are branches from the start of the same call, with no other experiment in
// between.
func lastTry(exchanges []playground.Exchange, id string) []playground.Exchange {
	var list []playground.Exchange
	for _, x := range slices.Backward(exchanges) {
		made := x.Experiment()
		switch {
		case made == id && (len(list) == 0 || sameRun(x, list[0])):
			list = append(list, x)
		case made != "" && len(list) > 0:
			slices.Reverse(list)
			return list
		}
	}
	slices.Reverse(list)
	return list
}

// sameRun reports whether two exchanges may be of the same check.
func sameRun(a, b playground.Exchange) bool {
	if a.Origin == nil || b.Origin == nil {
		return a.Origin == b.Origin
	}
	return a.Origin.Round == 0 && b.Origin.Round == 0 && a.Origin.Exchange == b.Origin.Exchange
}

// result returns the result of an experiment from its last exchanges, or whether
// it can be made on x. right is the newest right call of the Session.
func (j *Judge) result(
	e Experiment, tries []playground.Exchange, x, right playground.Exchange, n int,
) Result {
	p := Result{Experiment: e, Verdict: verdict.NotReached, Exchanges: tries}
	from, why := PlaceNear(e, x, n)
	p.From, p.Possible = from, why == ""
	switch {
	case len(tries) == 0 && p.Possible:
		p.Waiting = true
	case len(tries) == 0:
		p.Text, p.Verdict = why, unplaced(e, right)
	case isRunning(tries):
		p.Waiting, p.Running = true, true
	case unfinished(tries):
		p.cutOff()
	default:
		p.judge(j.baseOf(tries[0]))
		notedIn(j.session).settle(&p)
	}
	return p
}

// isRunning reports whether the last of the exchanges has no response to its
// changed request yet.
func isRunning(list []playground.Exchange) bool {
	last := list[len(list)-1]
	_, answered := changed(last)
	status := last.Fold().Status
	return !answered && (status == playground.StatusRunning || status == playground.StatusReady)
}

// addOthers adds the results of experiments that are not in the table, one for
// each exchange.
func (r *Report) addOthers(exchanges []playground.Exchange, j *Judge) {
	for _, x := range exchanges {
		id := x.Experiment()
		inTable := slices.ContainsFunc(Experiments(), func(e Experiment) bool { return e.ID == id })
		e, known := ExperimentByID(id)
		if !known || inTable {
			continue
		}
		p := j.result(e, []playground.Exchange{x}, x, x, 0)
		p.Possible = false
		r.Results = append(r.Results, p)
	}
}

// settleStatus sets Status, and Detail if the newest right call failed after the
// last experiments, so that no experiment could be compared with it.
func (r *Report) settleStatus(exchanges, last []playground.Exchange, running bool) {
	waiting := slices.ContainsFunc(r.Results, func(p Result) bool { return p.Waiting })
	ended := whyEnded(exchanges[max(0, len(exchanges)-1):])
	switch {
	case running:
		r.Status = Running
	case !waiting:
		r.Status = Complete
	case ended != "":
		r.Detail = "The run ended before every experiment was made. " + ended
	}
	again, ok := newestRepeat(exchanges, last)
	if running || !ok {
		return
	}
	f := again.Fold()
	switch {
	case unfinished([]playground.Exchange{again}):
		r.Status = Stopped
		r.Detail = "The run ended before the right call was complete, so no experiment was run after it. " +
			reasonOf([]playground.Exchange{again})
	case !Answered(f):
		r.Status, r.Control = Failed, again
		r.compare(f, again)
		r.Detail = "The right call was repeated and failed, so no experiment was run after it. " +
			failureDetail(f)
	}
}

// newestRepeat returns the newest repeat of the right call from the start if it
// was made after the last experiment and not for the same check.
func newestRepeat(exchanges, last []playground.Exchange) (playground.Exchange, bool) {
	for _, x := range slices.Backward(exchanges) {
		switch {
		case x.Experiment() != "":
			return playground.Exchange{}, false
		case x.Origin == nil || x.Origin.Round > 0:
		case len(last) > 0 && sameRun(x, last[0]) && x.Origin.Exchange != exchanges[0].ID:
			return playground.Exchange{}, false
		default:
			return x, true
		}
	}
	return playground.Exchange{}, false
}

// PlaceNear returns the number of the Round of x whose result the experiment's
// request can answer: n if it can, else the first Round that does; 0 is before
// the first. If there is none, why is the reason in one sentence.
//
// Unlike Places it includes Rounds that have not been answered yet.
func PlaceNear(e Experiment, x playground.Exchange, n int) (round int, why string) {
	if why := e.Excluded(x.Target); why != "" {
		return 0, why
	}
	if e.Group == GroupTask {
		from, why := Place(e, x)
		return from.N, why
	}
	f := x.Fold()
	candidates := []int{n}
	for _, r := range f.Rounds {
		candidates = append(candidates, r.N)
	}
	if candidates = append(candidates, 0); e.FromStart() {
		candidates = []int{0}
	}
	for _, at := range candidates {
		from := playground.Round{}
		if at > 0 {
			r := f.Round(at)
			if r == nil || !r.Branchable() {
				continue
			}
			from = *r
		}
		if !e.Fits(from) {
			continue
		}
		right := f.Round(at + 1)
		if right == nil && at > 0 || right != nil && Changeable(e, from, *right, x) {
			return at, ""
		}
		why = cmp.Or(e.noPlace, noPlace)
	}
	return 0, whyNot(e, f, why)
}

// ResultGroup holds the results of the experiments on one part of a request.
type ResultGroup struct {
	Group   Group
	Results []Result
}

// Groups returns the results by group, in the order of the groups' first
// results, each in the order of the outcomes.
func (r Report) Groups() []ResultGroup {
	var list []ResultGroup
	for _, p := range r.Results {
		i := slices.IndexFunc(list, func(g ResultGroup) bool { return g.Group == p.Group })
		if i < 0 {
			i, list = len(list), append(list, ResultGroup{Group: p.Group})
		}
		list[i].Results = append(list[i].Results, p)
	}
	for _, g := range list {
		slices.SortStableFunc(g.Results, func(a, b Result) int { return a.Verdict.Compare(b.Verdict) })
	}
	return list
}

// maxGot is the longest text of a response in a row, in characters.
const maxGot = 60

// Got returns the response in a few words, such as `400 -32602 "invalid
// state"`, or "" if nothing was sent. Words of the server are made harmless.
func (r Result) Got() string {
	if !r.Ended() {
		return ""
	}
	round := r.Round
	quoted := func(s string) string {
		if s == "" {
			return ""
		}
		return ` "` + text.Visible(s, maxGot) + `"`
	}
	switch {
	case round.Kind == playground.OutcomeRPCError && round.OnLine():
		return fmt.Sprintf("%d%s", round.Error.Code, quoted(round.Error.Message))
	case round.Kind == playground.OutcomeRPCError:
		return fmt.Sprintf("%d %d%s", round.Head.Status, round.Error.Code, quoted(round.Error.Message))
	case round.IsError:
		return "tool error" + quoted(round.FirstText())
	case r.Reaction == AskedAgain:
		return "asked again for " + narrate.Keys(round.Questions)
	case round.Kind == playground.OutcomeInputRequired:
		return "continued: asked for " + narrate.Keys(round.Questions)
	case round.Kind == playground.OutcomeComplete:
		return "completed" + quoted(round.FirstText())
	}
	return narrate.Response(round)
}
