package lab

import (
	"encoding/xml"
	"io"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// The elements of JUnit XML that build servers read.
type (
	suites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Suites   []suite  `xml:"testsuite"`
	}
	suite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []suiteCase `xml:"testcase"`
	}
	suiteCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *remark  `xml:"failure"`
		Error   *remark  `xml:"error"`
		Skipped *skipped `xml:"skipped"`
		Out     string   `xml:"system-out,omitempty"`
	}
	remark struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	skipped struct {
		Message string `xml:"message,attr"`
	}
)

// WriteJUnit writes the report as JUnit XML with three suites: the right call,
// the experiments ("probes") and the rules. A hint is not a failure; it is
// written to the test's output. It returns the error of w.
func (r Report) WriteJUnit(w io.Writer) error {
	all := suites{Name: "mrtr-playground check"}
	for _, s := range []suite{r.callSuite(), r.resultSuite(), r.ruleSuite()} {
		all.Suites = append(all.Suites, s)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r Report) callSuite() suite {
	c := suiteCase{Class: "mrtr.call", Name: r.Call.Method, Out: text.Lines(r.Compared, text.NoLimit)}
	if r.Worked && r.Detail != "" {
		c.Out += "\n" + text.Lines(r.Detail, text.NoLimit)
	}
	s := suite{Name: "call", Tests: 1}
	if r.Status == Failed || r.Status == Stopped || r.Status == Complete && !r.Worked {
		s.Errors, c.Error = 1, &remark{Message: text.Lines(r.Detail, text.NoLimit), Type: string(r.Status)}
	}
	s.Cases = []suiteCase{c}
	return s
}

func (r Report) resultSuite() suite {
	s := suite{Name: "probes"}
	for _, p := range r.Results {
		s.add("mrtr.probe", p.ID, p.Verdict, p.Text, p.Sends+"\n"+string(p.Level)+": "+
			p.Expects+"\n"+p.Clause)
	}
	return s
}

func (r Report) ruleSuite() suite {
	s := suite{Name: "rules"}
	for _, f := range r.Findings {
		s.add("mrtr.rule", f.Rule, f.Verdict, f.Text, f.Link)
	}
	for _, k := range r.Passed {
		s.add("mrtr.rule", k.ID, rules.Pass, k.Requirement, k.Link)
	}
	for _, k := range r.NotJudged {
		s.add("mrtr.rule", k.ID, rules.NA, "The rule did not apply to anything in the record.", k.Link)
	}
	return s
}

func (s *suite) add(class, name string, v rules.Verdict, message, details string) {
	c := suiteCase{Class: class, Name: name}
	message = text.Lines(message, text.NoLimit) // XML cannot represent control characters
	switch v {
	case rules.Fail:
		s.Failures++
		c.Failure = &remark{Message: message, Type: "MUST", Text: details}
	case rules.Hint:
		c.Out = "hint: " + message + "\n" + details
	case rules.NA:
		s.Skipped++
		c.Skipped = &skipped{Message: message}
	}
	s.Tests++
	s.Cases = append(s.Cases, c)
}
