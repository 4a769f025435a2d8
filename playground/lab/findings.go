package lab

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// connectID is what findings on connecting to the server are filed under.
const connectID = "connect"

// judgeRules asks the rules about everything that was recorded. What the
// client did wrong on purpose is left out, and so is what a probe judges with
// more knowledge than one exchange gives.
func (r *Report) judgeRules(exchanges []playground.Exchange, c server.Connection) {
	worst := map[string]Finding{}
	for _, f := range rules.JudgeConnection(c) {
		if f.Verdict != rules.NA && f.Side == rules.Server {
			worst[f.Rule] = worse(worst[f.Rule], Finding{Finding: f, Experiment: connectID, Times: 1})
		}
	}
	for _, x := range exchanges {
		about := experimentOf(x)
		round, wrong := changed(x)
		for _, f := range rules.Judge(x) {
			if f.Verdict != rules.NA && f.Side == rules.Server && !(wrong && f.Round == round.N && judgedByExperiment(f.Rule, about)) {
				worst[f.Rule] = worse(worst[f.Rule], Finding{Finding: f, Experiment: about, Exchange: x.ID, Times: 1})
			}
		}
	}
	for _, rule := range rules.All() {
		f, spoke := worst[rule.ID]
		switch {
		case rule.Side == rules.Client:
		case !spoke:
			r.NotJudged = append(r.NotJudged, rule)
		case f.Verdict == rules.Pass:
			r.Passed = append(r.Passed, rule)
		default:
			r.Findings = append(r.Findings, f)
		}
	}
}

// worse keeps the first of the worst.
func worse(old, f Finding) Finding {
	rank := func(v rules.Verdict) int {
		return slices.Index([]rules.Verdict{"", rules.Pass, rules.Hint, rules.Fail}, v)
	}
	switch {
	case rank(f.Verdict) > rank(old.Verdict):
		return f
	case f.Verdict == old.Verdict && f.Verdict != rules.Pass:
		old.Times++
	}
	return old
}

// judgedByExperiment reports whether a rule judges how the server treated a changed
// request, which its experiment judges with more knowledge, or a course of
// questions that the changed request bends.
func judgedByExperiment(id, experiment string) bool {
	if rule, _ := rules.ByID(id); rule.OnReply {
		return true
	}
	e, _ := ExperimentByID(experiment)
	return id == e.Rule || slices.Contains(e.judges, id)
}
