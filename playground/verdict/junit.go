package verdict

import (
	"cmp"
	"encoding/xml"
	"io"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

type (
	suitesElement struct {
		XMLName  xml.Name       `xml:"testsuites"`
		Name     string         `xml:"name,attr"`
		Tests    int            `xml:"tests,attr"`
		Failures int            `xml:"failures,attr"`
		Errors   int            `xml:"errors,attr"`
		Skipped  int            `xml:"skipped,attr"`
		Suites   []suiteElement `xml:"testsuite"`
	}
	suiteElement struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	testcase struct {
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

// clean returns a text without control characters, which XML cannot represent.
func clean(s string) string { return text.Lines(s, text.NoLimit) }

// WriteJUnit writes the report as JUnit XML, in the elements that build servers read: a
// suite for each group, a test for each line. What failed is a failure. What was not
// judged, not reached, stopped, or does not apply is skipped, with the reason, and so is what
// had failed in a baseline. An advisory is output of a test that passed, and so is all that is
// aside. It returns the error of w.
func (r Report) WriteJUnit(w io.Writer) error {
	all := suitesElement{Name: r.Name}
	for _, g := range r.Groups {
		s := g.suite()
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

func (g Group) suite() suiteElement {
	s := suiteElement{Name: g.ID, Tests: len(g.Lines)}
	exhibit := clean(strings.Join(g.exhibited(), "\n"))
	for _, l := range g.Lines {
		t := g.test(l)
		switch {
		case t.Failure != nil:
			t.Out, exhibit = exhibit, "" // with the first failure
			s.Failures++
		case t.Error != nil:
			s.Errors++
		case t.Skipped != nil:
			s.Skipped++
		}
		s.Cases = append(s.Cases, t)
	}
	return s
}

// test returns the test of a line.
func (g Group) test(l Line) testcase {
	t := testcase{Class: g.Class, Name: l.ID}
	if l.Scope != "" {
		t.Class += "." + l.Scope
	}
	message, details := clean(l.Sentence), clean(l.details())
	switch {
	case g.Steps && l.Outcome != Passed:
		t.Error = &remark{Message: message, Type: l.Outcome.Word()}
		t.Out = details
	case g.Steps:
		t.Out = message
	case g.Aside:
		t.Out = g.ID + " " + l.Outcome.Word() + ": " + message + "\n" + details
	case l.Old:
		t.Skipped = &skipped{"old: it failed in the baseline too: " + message}
		t.Out = details
	case l.Outcome == Failed:
		t.Failure = &remark{Message: message, Type: string(cmp.Or(l.Level, spec.Must)), Text: details}
	case l.Outcome == Advisory:
		t.Out = l.Outcome.Word() + ": " + message + "\n" + details
	case l.Outcome != Passed:
		t.Skipped = &skipped{l.Outcome.Word() + ": " + message}
	}
	return t
}

// details returns the title, the expectation, the place and the clause, a line
// each.
func (l Line) details() string {
	details := l.Title
	for _, more := range []string{l.Mend, l.Place.String(), l.Clause, l.same()} {
		if more != "" && more != details {
			details += "\n" + more
		}
	}
	return details
}
