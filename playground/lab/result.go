package lab

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Result is the verdict on one experiment: on a branch, or in a Report.
type Result struct {
	Experiment
	Verdict verdict.Outcome
	Text    string // one sentence

	Round    playground.Round // with the changed request; zero if it has no response
	Reaction Reaction         // to Round

	Exchanges []playground.Exchange // that were made for the experiment; one for each variant
	Decisive  int                   // index of the exchange that the verdict is about
	Waiting   bool                  // the experiment has not been run yet
	Running   bool                  // it is running; Waiting is true too
	Possible  bool                  // it can be made, on the Round From; only in a report on a Lab
	From      int                   // 0 is before the first Round
}

// Ended reports whether there is a response to judge.
func (r Result) Ended() bool { return r.Round.N > 0 }

// rightCallOf returns the unchanged call that x is compared with: the exchange
// that x branches from if it goes on after that Round, else the session's first
// call. A call of its own is compared with the Control of the calls that it
// repeats: those of its check if it is no branch. It returns false if none is
// recorded.
func rightCallOf(x playground.Exchange, session []playground.Exchange) (playground.Exchange, bool) {
	if x.Origin == nil {
		return rightCallOfCheck(session)
	}
	if x.Origin.Parent != nil {
		if x.Origin.Parent.Fold().Round(x.Origin.Round+1) != nil {
			return *x.Origin.Parent, true
		}
	}
	if x.Origin.Round == 0 {
		if rights := repeatsOf(x.Origin.Exchange, session); len(rights) > 0 {
			return Control(rights), true
		}
	}
	for _, other := range session {
		if other.Origin == nil && other.ID != x.ID {
			return other, true
		}
	}
	return playground.Exchange{}, false
}

// rightCallOfCheck returns the right call of a check: the Control of the exchanges
// that were made for no experiment and have the call of the first. It returns false
// if there is none.
func rightCallOfCheck(exchanges []playground.Exchange) (playground.Exchange, bool) {
	if len(exchanges) == 0 {
		return playground.Exchange{}, false
	}
	var rights []playground.Exchange
	for _, x := range exchanges {
		if x.Experiment() == "" {
			rights = append(rights, x)
		}
	}
	if rights = equalCalls(rights, exchanges[0].Call); len(rights) == 0 {
		return playground.Exchange{}, false
	}
	return Control(rights), true
}

// repeatsOf returns the exchange with an id and those that repeat its call from
// the start, unchanged and to the same server.
func repeatsOf(id string, session []playground.Exchange) []playground.Exchange {
	var list []playground.Exchange
	for _, x := range session {
		switch {
		case x.Experiment() != "":
		case x.ID == id:
			list = append([]playground.Exchange{x}, list...)
		case x.Origin != nil && x.Origin.Round == 0 && x.Origin.Exchange == id &&
			(len(list) == 0 || x.Target.URL == list[0].Target.URL):
			list = append(list, x)
		}
	}
	if len(list) > 0 && list[0].ID != id {
		return nil
	}
	return list
}

// judge sets the result to the worst judgement on its exchanges.
func (r *Result) judge(b base) {
	worst := judgement{}
	for i, x := range r.Exchanges {
		one := trial{}
		o := unknown("The server did not reach the same point again, so the changed request was not sent.")
		if round, ok := changed(x); ok {
			one = trial{
				e: r.Experiment, x: x, round: round, evidence: b.evidence, earlier: roundsBefore(x, round.N),
			}
			one.right = rightOf(one, b.transcript)
			o = one.judge()
		}
		if isLost(one.round) && !r.byHand {
			second := r.secondTry(i)
			if second != nil && !isLost(*second) {
				continue // an accident
			}
			if lost, ok := b.evidence.lost(one.round, second); ok {
				o = lost
			}
		}
		if o.severity() <= worst.severity() {
			continue
		}
		if one.round.N > 0 && r.inSeveralRounds() {
			o.text = fmt.Sprintf("In round %d: %s", one.round.N, o.text)
		}
		worst, r.Decisive, r.Round, r.Reaction = o, i, one.round, ""
		if one.round.N > 0 {
			r.Reaction = one.reaction()
		}
	}
	r.show(r.Level, worst.verdict, worst.text)
}

// show sets the verdict on an experiment whose level in the table is l. A failure breaks
// a MUST, also of another clause than that of the experiment, and an advisory does not.
func (r *Result) show(l Level, v verdict.Outcome, text string) {
	switch {
	case v == verdict.Failed:
		l = Must
	case v == verdict.Advisory && l == Must:
		l = Should
	}
	r.Level, r.Verdict, r.Text = l, v, text
}

// secondTry returns the changed Round of the exchange after exchange i, whose request was
// lost, if it changed the same request. A check makes it again at once.
func (r *Result) secondTry(i int) *playground.Round {
	if i+1 >= len(r.Exchanges) {
		return nil
	}
	first, _ := changed(r.Exchanges[i])
	if second, ok := changed(r.Exchanges[i+1]); ok && second.N == first.N {
		return &second
	}
	return nil
}

// inSeveralRounds reports whether requests of more than one Round were changed.
func (r *Result) inSeveralRounds() bool {
	seen := map[int]bool{}
	for _, x := range r.Exchanges {
		if round, ok := changed(x); ok {
			seen[round.N] = true
		}
	}
	return len(seen) > 1
}

// severity orders judgements on the variants of one experiment: a variant that
// the server accepted weighs more than those that it rejected, and one that
// could not be judged more than those that passed.
func (o judgement) severity() int {
	switch {
	case o.verdict == verdict.Failed:
		return 5
	case o.verdict == verdict.Advisory:
		return 4
	case o.blocked:
		return 3
	case o.verdict == verdict.Passed:
		return 2
	case o.verdict == verdict.NotJudged:
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
// call, or the first of two equal retries, after which a task may have been
// polled. It is zero if neither is recorded.
func rightOf(s trial, base playground.Transcript) playground.Round {
	for _, r := range slices.Backward(s.earlier) {
		if s.e.When == Twice && r.Method == s.round.Method {
			return r
		}
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
