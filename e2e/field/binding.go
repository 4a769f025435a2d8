package main

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// binding returns the requirements of servers that a rule judges or an experiment probes.
func binding(id string) []spec.Sentence {
	return slices.DeleteFunc(spec.Sentences(), func(s spec.Sentence) bool {
		return s.Party == spec.Client || !slices.Contains(s.Rules, id) && !slices.Contains(s.Experiments, id)
	})
}

// find returns the call that shows the outcome of a rule, and the finding there: the right call
// if it does, else connecting, else an experiment.
func (c *checked) find(l verdict.Line) (*playground.Exchange, rules.Finding) {
	for _, f := range c.report.Findings {
		if f.Rule != l.ID || f.Exchange == "" {
			continue
		}
		i := slices.IndexFunc(c.exchanges, func(x playground.Exchange) bool { return x.ID == f.Exchange })
		if i >= 0 {
			return &c.exchanges[i], judged(c.exchanges[i], l, f.Round)
		}
	}
	var right, others []*playground.Exchange
	for i := range c.exchanges {
		if c.exchanges[i].Experiment() == "" {
			right = append(right, &c.exchanges[i])
		} else {
			others = append(others, &c.exchanges[i])
		}
	}
	shows := func(list []*playground.Exchange) (*playground.Exchange, rules.Finding) {
		for _, x := range list {
			if f := judged(*x, l, 0); f.Round > 0 {
				return x, f
			}
		}
		return nil, rules.Finding{}
	}
	if x, f := shows(right); x != nil {
		return x, f
	}
	for _, f := range rules.JudgeConnection(c.connected) {
		if f.Rule == l.ID && f.Verdict == l.Outcome && f.Round <= len(c.connection) {
			x := &c.connection[f.Round-1]
			f.Round = 1
			return x, f
		}
	}
	return shows(others)
}

// judged returns the finding of a rule with the outcome of a line in a call, in a round or, if
// it is 0, in the first that has it; else a finding without a round.
func judged(x playground.Exchange, l verdict.Line, round int) rules.Finding {
	for _, judge := range []func(playground.Exchange) []rules.Finding{
		func(x playground.Exchange) []rules.Finding { return rules.Judge(x) }, rules.JudgeNamed,
	} {
		for _, f := range judge(x) {
			if f.Rule == l.ID && f.Verdict == l.Outcome && (round == 0 || f.Round == round) {
				return f
			}
		}
	}
	return rules.Finding{}
}
