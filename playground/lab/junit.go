package lab

import (
	"io"

	"github.com/mrtr-playground/mrtr-playground/playground/junit"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// WriteJUnit writes the report as JUnit XML with three suites: the right call,
// the experiments ("probes") and the rules. A hint is not a failure; it is
// written to the test's output. It returns the error of w.
func (r Report) WriteJUnit(w io.Writer) error {
	return junit.Write(w, "mrtr-playground check", r.callSuite(), r.resultSuite(), r.ruleSuite())
}

func (r Report) callSuite() junit.Suite {
	const class = "mrtr.call"
	s, out := junit.Suite{Name: "call"}, r.Compared
	if r.Worked && r.Detail != "" {
		out += "\n" + r.Detail
	}
	if r.Status == Failed || r.Status == Stopped || r.Status == Complete && !r.Worked {
		s.Error(class, r.Call.Method, string(r.Status), r.Detail, out)
	} else {
		s.Pass(class, r.Call.Method, out)
	}
	return s
}

func (r Report) resultSuite() junit.Suite {
	s := junit.Suite{Name: "probes"}
	for _, p := range r.Results {
		add(&s, "mrtr.probe", p.ID, p.Verdict, p.Text, p.Sends+"\n"+string(p.Level)+": "+
			p.Expects+"\n"+p.Clause)
	}
	return s
}

func (r Report) ruleSuite() junit.Suite {
	s := junit.Suite{Name: "rules"}
	for _, f := range r.Findings {
		add(&s, "mrtr.rule", f.Rule, f.Verdict, f.Text, f.Link)
	}
	for _, k := range r.Passed {
		add(&s, "mrtr.rule", k.ID, rules.Pass, k.Requirement, k.Link)
	}
	for _, k := range r.NotJudged {
		add(&s, "mrtr.rule", k.ID, rules.NA, "The rule did not apply to anything in the record.", k.Link)
	}
	return s
}

func add(s *junit.Suite, class, name string, v rules.Verdict, message, details string) {
	switch v {
	case rules.Fail:
		s.Fail(class, name, "MUST", message, details)
	case rules.Hint:
		s.Pass(class, name, "hint: "+message+"\n"+details)
	case rules.NA:
		s.Skip(class, name, message)
	default:
		s.Pass(class, name, "")
	}
}
