package lab

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// connectID stands in Finding.Experiment for findings on connecting to the
// server.
const connectID = "connect"

// judgeRules sets Findings, Passed and Open from the rules about the
// server, for the connection and every exchange. In a Round with a changed
// request the rules that its experiment judges itself are left out.
func (r *Report) judgeRules(exchanges []playground.Exchange, c server.Connection) {
	worst := map[string]Finding{}
	if r.noted == nil {
		r.judgeConnection(c, worst)
	}
	for _, f := range r.noted.findings(exchanges) {
		worst[f.Rule] = f
	}
	judge := func(x playground.Exchange) []rules.Finding { return rules.Judge(x) }
	if r.named = rules.Names(c) || r.noted != nil && r.noted.Named; r.named {
		judge = rules.JudgeNamed
	}
	for _, x := range exchanges {
		if r.noted.covers(x) {
			continue
		}
		experiment := x.Experiment()
		round, wrong := changed(x)
		for _, f := range judge(x) {
			byExperiment := wrong && (f.Round == round.N && judgedByExperiment(f.Rule, experiment) ||
				f.Round > round.N && changesPerson(experiment))
			if f.Verdict != verdict.NotApplicable && f.Side == rules.Server && !byExperiment {
				worst[f.Rule] = worse(worst[f.Rule],
					Finding{Finding: f, Experiment: experiment, Exchange: x.ID, Times: 1})
			}
		}
	}
	for _, rule := range rules.OfEra(r.Era, r.Target.IsCommand()) {
		f, judged := worst[rule.ID]
		if judged {
			r.seen = append(r.seen, f)
		}
		switch {
		case rule.Side == rules.Client:
		case !judged:
			r.Open = append(r.Open, r.unseen(rule))
		case r.settle(rule, f):
		case f.Verdict == verdict.Passed:
			r.Passed = append(r.Passed, rule)
		case f.Verdict == verdict.NotJudged:
			r.Open = append(r.Open, OpenRule{rule, verdict.NotJudged, f.Text})
		default:
			r.Findings = append(r.Findings, f)
		}
	}
}

// judgeConnection adds the findings on the connection c.
func (r *Report) judgeConnection(c server.Connection, worst map[string]Finding) {
	judge := rules.JudgeConnection
	if r.Target.IsCommand() {
		judge = rules.JudgeCommand
	}
	for _, f := range judge(c) {
		if f.Verdict != verdict.NotApplicable && f.Side == rules.Server {
			worst[f.Rule] = worse(worst[f.Rule], Finding{Finding: f, Experiment: connectID, Times: 1})
		}
	}
}

// noMessage is why a rule found nothing.
const noMessage = "No message of these calls is about it."

// unseen returns a rule that no message is about. One about HTTP does not apply to lines.
func (r *Report) unseen(rule rules.Rule) OpenRule {
	if rule.Transport == rules.HTTP && r.Target.IsCommand() {
		return OpenRule{rule, verdict.NotApplicable, "It is about HTTP, which standard input does not have."}
	}
	return OpenRule{rule, verdict.NotReached, noMessage}
}

// provesMore follows what an experiment shows that settles a rule about the format.
const provesMore = " This proves more than what the format of the state looks like."

// settle uses the proof of an experiment in place of a finding about the look
// of the state's format. It returns false if no experiment did.
func (r *Report) settle(rule rules.Rule, f Finding) bool {
	for i, p := range r.Results {
		if !slices.Contains(p.settles, rule.ID) {
			continue
		}
		switch {
		case p.Verdict == verdict.Passed && f.Verdict == verdict.Advisory:
			if !strings.HasSuffix(p.Text, provesMore) { // a note has it already
				r.Results[i].Text += provesMore
			}
			r.Passed = append(r.Passed, rule)
			return true
		case p.Verdict == verdict.Failed && f.Verdict == verdict.Passed:
			r.Open = append(r.Open, OpenRule{rule, verdict.NotJudged,
				"The experiment " + p.ID + " shows more than what the format of the state looks like."})
			return true
		}
	}
	return false
}

// maxMore is how many further sentences a Finding has.
const maxMore = 3

// worse returns the finding with the worse verdict: old if both are equal, with
// Times counted up, and with the words of f if old has none.
func worse(old, f Finding) Finding {
	switch {
	case f.Verdict.Compare(old.Verdict) < 0:
		return f
	case f.Verdict == old.Verdict && f.Verdict != verdict.Passed:
		old.Times++
		if old.more < maxMore && !strings.Contains(old.Text, f.Text) {
			old.Text, old.more = old.Text+" "+f.Text, old.more+1
		}
	}
	return old
}

// changesPerson reports whether an experiment is made as another person than the
// requests that clear up after it, which the server may not let do that.
func changesPerson(experiment string) bool {
	e, _ := ExperimentByID(experiment)
	return e.token || e.Wants == WantsOtherPerson
}

// judgedByExperiment reports whether a rule judges the response to a changed
// request, which the experiment judges better, or a sequence of questions that
// the changed request disturbs.
func judgedByExperiment(ruleID, experiment string) bool {
	if rule, _ := rules.ByID(ruleID); rule.OnReply {
		return true
	}
	e, _ := ExperimentByID(experiment)
	return ruleID == e.Rule || slices.Contains(e.judges, ruleID)
}
