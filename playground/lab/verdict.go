package lab

import (
	"cmp"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Groups of the Verdict of a Report.
const (
	groupCall        = "call"
	groupExperiments = "probes"
	groupRules       = "rules"
)

// Verdict returns the report about the server.
func (r Report) Verdict() verdict.Report {
	v := verdict.Report{
		Name: "mrtr-playground check", Title: r.Target.Name, Party: "server",
		Extent:   text.Plural(r.calls, "call"),
		Lead:     []string{fmt.Sprintf("%s, %s.", r.Target.URL, r.Status)},
		Groups:   []verdict.Group{r.callGroup(), r.Experiments(), r.Rules()},
		Progress: verdict.Progress{Status: string(r.Status), Done: r.Status != Running},
		Gaps:     r.gaps(),
	}
	for _, sentence := range []string{r.Compared, r.Detail} {
		if sentence != "" {
			v.Lead = append(v.Lead, sentence)
		}
	}
	if r.Unused != "" {
		v.Notes = append(v.Notes, r.Unused)
	}
	return v
}

// gaps returns why the report proves nothing although nothing failed.
func (r Report) gaps() []string {
	switch {
	case r.Status == Running:
		return []string{"The check is running."}
	case r.Status == Failed:
		return []string{"The correct call failed, so no experiment was run."}
	case r.Status == Stopped:
		return []string{"The check ended early."}
	case !r.Control.Fold().Status.Ended():
		return []string{"The call has not ended."}
	case !r.Worked:
		return []string{"The correct call did not work, so most experiments could not be judged."}
	case r.Status == Partial:
		return []string{"Some experiments were not run."}
	}
	return nil
}

// callGroup has the right call, without which nothing can be judged.
func (r Report) callGroup() verdict.Group {
	l := verdict.Line{
		ID: r.Call.Method, Title: "the correct call", Outcome: verdict.Passed, Sentence: r.Compared,
	}
	switch {
	case r.Status == Failed, r.Status == Stopped, r.Status == Complete && !r.Worked:
		l.Outcome, l.Title, l.Sentence = verdict.NotJudged, r.Compared, r.Detail
	case r.Detail != "":
		l.Sentence += "\n" + r.Detail
	}
	return verdict.Group{
		ID: groupCall, Title: "Call", Class: "mrtr.call", Steps: true, Silent: true, Lines: []verdict.Line{l},
	}
}

// notRun is why an experiment that could have been made shows nothing.
const notRun = "The experiment was not run."

// Experiments returns the results of the experiments, in the order of Results.
func (r Report) Experiments() verdict.Group {
	g := verdict.Group{
		ID: groupExperiments, Title: "Experiments", Class: "mrtr.probe", Noun: "Experiment", Whole: true,
		Named: true, Label: string(r.Status),
	}
	if r.Era == playground.Legacy {
		g.Empty = "only the correct call was made: the server is of an earlier revision"
	}
	for _, p := range r.Results {
		g.Lines = append(g.Lines, verdict.Line{
			ID: p.ID, Part: string(p.Group), Title: p.Title, Level: spec.Level(p.Level), Outcome: p.Verdict,
			Sentence: cmp.Or(p.Text, notRun), Clause: p.Clause, Expected: p.Brief, Came: p.Got(),
			Mend: p.Expects,
		})
	}
	return g
}

// Rules returns the results of the rules: Findings, Passed and Open.
func (r Report) Rules() verdict.Group {
	g := verdict.Group{
		ID: groupRules, Member: "findings", Title: "Rules", Class: "mrtr.rule", Noun: "Rule",
	}
	for _, f := range r.Findings {
		rule, _ := rules.ByID(f.Rule)
		g.Lines = append(g.Lines, verdict.Line{
			ID: f.Rule, Title: rule.Requirement, Outcome: f.Verdict, Sentence: f.Text, Clause: f.Link,
			Times: f.Times,
		})
	}
	for _, k := range r.Passed {
		g.Lines = append(g.Lines, verdict.Line{
			ID: k.ID, Title: k.Requirement, Outcome: verdict.Passed, Sentence: k.Requirement, Clause: k.Link,
		})
	}
	for _, k := range r.Open {
		g.Lines = append(g.Lines, verdict.Line{
			ID: k.ID, Title: k.Requirement, Outcome: k.Outcome, Sentence: k.Why, Clause: k.Link,
		})
	}
	return g
}
