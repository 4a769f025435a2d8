package lab

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// trial is one changed request and its answer, beside what the right one got.
type trial struct {
	e        Experiment
	x        playground.Exchange
	earlier  []playground.Round
	round    playground.Round // the changed one
	right    playground.Round // the same Round of the right call
	evidence evidence
}

// judgement is a verdict with its sentence.
type judgement struct {
	verdict rules.Verdict
	text    string
}

func fail(format string, args ...any) judgement {
	return judgement{rules.Fail, fmt.Sprintf(format, args...)}
}

func hint(format string, args ...any) judgement {
	return judgement{rules.Hint, fmt.Sprintf(format, args...)}
}

func pass(format string, args ...any) judgement {
	return judgement{rules.Pass, fmt.Sprintf(format, args...)}
}

func unknown(format string, args ...any) judgement {
	return judgement{rules.NA, fmt.Sprintf(format, args...)}
}

// judge gives the probe the worst opinion on its exchanges.
func (p *Result) judge(base playground.Transcript, k evidence) {
	worst := judgement{}
	for i, x := range p.Exchanges {
		o := unknown("The server did not come to the same point again, so nothing wrong was sent.")
		if round, ok := changed(x); ok {
			one := trial{e: p.Experiment, x: x, round: round, evidence: k, earlier: roundsBefore(x, round.N)}
			one.right = rightOf(one, base)
			o = one.judge()
		}
		if severity(o.verdict) > severity(worst.verdict) {
			worst, p.Decisive = o, i
		}
	}
	p.Verdict, p.Text = worst.verdict, worst.text
}

// severity orders opinions on several ways of one change: one that got through
// tells more than those that did not.
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

// changed is the Round with the wrong request, once it has an end.
func changed(x playground.Exchange) (playground.Round, bool) {
	for _, r := range x.Fold().Rounds {
		if !x.Inherits(r.N) && r.Decision.Changed && r.Kind != playground.OutcomePending {
			return r, true
		}
	}
	return playground.Round{}, false
}

// rightOf is what the right request got: the same Round of the right call, and
// of a retry that is sent twice the first time.
func rightOf(s trial, base playground.Transcript) playground.Round {
	if s.e.When == Twice && len(s.earlier) > 0 {
		return s.earlier[len(s.earlier)-1]
	}
	if right := base.Round(s.round.N); right != nil {
		return *right
	}
	return playground.Round{}
}

// roundsBefore are the Rounds of an exchange up to n.
func roundsBefore(x playground.Exchange, n int) []playground.Round {
	var list []playground.Round
	for _, r := range x.Fold().Rounds {
		if r.N < n {
			list = append(list, r)
		}
	}
	return list
}

// judge decides what the answer means.
func (s trial) judge() judgement {
	switch {
	case s.reaction() == NoAnswer:
		return s.noAnswer()
	case s.e.judge != nil:
		return s.e.judge(s)
	}
	return s.byRule()
}

// reaction is what the server made of it. A tool that fails in the very way in
// which it fails after the right request went on, too.
func (s trial) reaction() Reaction {
	if s.round.IsError && s.right.IsError && sameResult(s.round, s.right) {
		return Accepted
	}
	return React(s.round, s.earlier)
}

// byRule takes the verdict of the rule that judges the same requirement.
func (s trial) byRule() judgement {
	if o, ok := s.ruleVerdict(); ok {
		return o
	}
	if s.e.Level == Must {
		return fail("The server did not. %s", s.description())
	}
	return hint("%s", s.description())
}

// ruleVerdict returns what the experiment's rule says of the changed Round, if it
// says anything.
func (s trial) ruleVerdict() (judgement, bool) {
	for _, f := range rules.JudgeFolded(s.x.Fold()) {
		if f.Rule != s.e.Rule || f.Round != s.round.N {
			continue
		}
		if f.Verdict == rules.Pass {
			return pass("%s", s.description()), true
		}
		return judgement{f.Verdict, f.Text}, true
	}
	return judgement{}, false
}

// missing judges a retry without an answer that was asked for.
func missing(s trial) judgement {
	if _, ruled := s.ruleVerdict(); !ruled && s.reaction() == Accepted {
		return unknown("The server went on without the answer, so it was not needed.")
	}
	return s.byRule()
}

// noAnswer is for servers that break off, or break.
func (s trial) noAnswer() judgement {
	switch {
	case s.e.Level == Must && s.e.Needs != NeedsState:
		return fail("Instead of an answer: %s", s.round.Detail)
	case s.e.Needs == NeedsState:
		return pass("The request failed: %s", s.round.Detail)
	}
	return hint("Instead of an answer: %s", s.round.Detail)
}

// description says what description back.
func (s trial) description() string {
	switch s.reaction() {
	case AskedAgain:
		return "The server asked again."
	case Accepted:
		return "The server went on."
	}
	switch {
	case s.round.Error != nil:
		return fmt.Sprintf("The server answered with HTTP status %d and error %d.", s.round.Head.Status, s.round.Error.Code)
	case s.round.IsError:
		return "The tool reported an error."
	}
	return fmt.Sprintf("The server answered with HTTP status %d.", s.round.Head.Status)
}
