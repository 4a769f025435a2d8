package lab

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// Result is the verdict on one experiment: on a branch, or in a Report.
type Result struct {
	Experiment
	Verdict rules.Verdict
	Text    string // one sentence

	Round    playground.Round // with the changed request; zero if it has no response
	Reaction Reaction         // to Round

	Exchanges []playground.Exchange // that were made for the experiment; one for each variant
	Decisive  int                   // index of the exchange that the verdict is about
	Waiting   bool                  // the experiment has not been run yet
}

// Ended reports whether there is a response to judge.
func (r Result) Ended() bool { return r.Round.N > 0 }

// JudgeBranch returns the result of the experiment that x was made for, using
// what the other exchanges of its session show. It returns false if x was made
// for none.
func JudgeBranch(x playground.Exchange, session []playground.Exchange) (Result, bool) {
	own := playground.Fold(x.Log).Rounds
	if len(own) == 0 {
		return Result{}, false
	}
	e, known := ExperimentByID(own[0].Decision.Experiment)
	if !known {
		return Result{}, false
	}
	r := Result{Experiment: e, Verdict: rules.NA, Text: "There is no response yet.",
		Exchanges: []playground.Exchange{x}}
	if _, ended := changed(x); ended {
		base := controlOf(x, session)
		r.judge(base, gatherEvidence(base, byExperiment(session)))
	}
	return r, true
}

// controlOf returns the transcript of the unchanged call: of the exchange that
// x branches from if it goes on after that Round, else of the session's first
// call. It is empty if neither is recorded.
func controlOf(x playground.Exchange, session []playground.Exchange) playground.Transcript {
	if x.Origin == nil {
		return playground.Transcript{}
	}
	if x.Origin.Parent != nil {
		f := x.Origin.Parent.Fold()
		if f.Round(x.Origin.Round+1) != nil {
			return f
		}
	}
	for _, other := range session {
		if other.Origin == nil && other.ID != x.ID {
			return other.Fold()
		}
	}
	return playground.Transcript{}
}

// byExperiment groups exchanges by the id of the experiment in them. Exchanges
// without an experiment are left out.
func byExperiment(session []playground.Exchange) map[string][]playground.Exchange {
	made := map[string][]playground.Exchange{}
	for _, x := range session {
		own := playground.Fold(x.Log).Rounds
		i := slices.IndexFunc(own, func(r playground.Round) bool { return r.Decision.Experiment != "" })
		if i >= 0 {
			id := own[i].Decision.Experiment
			made[id] = append(made[id], x)
		}
	}
	return made
}

// judge sets the result to the worst judgement on its exchanges.
func (r *Result) judge(base playground.Transcript, k evidence) {
	worst := judgement{}
	for i, x := range r.Exchanges {
		one := trial{}
		o := unknown("The server did not reach the same point again, so the changed request was not sent.")
		if round, ok := changed(x); ok {
			one = trial{e: r.Experiment, x: x, round: round, evidence: k, earlier: roundsBefore(x, round.N)}
			one.right = rightOf(one, base)
			o = one.judge()
		}
		if severity(o.verdict) <= severity(worst.verdict) {
			continue
		}
		worst, r.Decisive, r.Round, r.Reaction = o, i, one.round, ""
		if one.round.N > 0 {
			r.Reaction = one.reaction()
		}
	}
	r.Verdict, r.Text = worst.verdict, worst.text
}

// severity orders judgements on the variants of one experiment: a variant that
// the server accepted weighs more than those that it rejected.
func severity(v rules.Verdict) int {
	switch v {
	case rules.Fail:
		return 4
	case rules.Hint:
		return 3
	case rules.Pass:
		return 2
	case rules.NA:
		return 1
	}
	return 0
}

// changed returns the Round with the changed request, and false until that
// Round has ended.
func changed(x playground.Exchange) (playground.Round, bool) {
	for _, r := range x.Fold().Rounds {
		if !x.Inherits(r.N) && r.Decision.Changed && r.Kind != playground.OutcomePending {
			return r, true
		}
	}
	return playground.Round{}, false
}

// rightOf returns the Round of the right request: the same Round of the right
// call, or the first of two equal retries. It is zero if neither is recorded.
func rightOf(s trial, base playground.Transcript) playground.Round {
	if s.e.When == Twice && len(s.earlier) > 0 {
		return s.earlier[len(s.earlier)-1]
	}
	if right := base.Round(s.round.N); right != nil {
		return *right
	}
	return playground.Round{}
}

// roundsBefore returns the Rounds of an exchange before Round n.
func roundsBefore(x playground.Exchange, n int) []playground.Round {
	var list []playground.Round
	for _, r := range x.Fold().Rounds {
		if r.N < n {
			list = append(list, r)
		}
	}
	return list
}
