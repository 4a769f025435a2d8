// Package junit writes the results of tests as JUnit XML, in the elements that
// build servers read.
package junit

import (
	"encoding/xml"
	"io"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Suite is a named list of results. The zero value with a name is an empty one.
type Suite struct {
	Name string

	failures, errors, skipped int
	cases                     []testcase
}

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

// Pass adds a test that passed, with its output.
func (s *Suite) Pass(class, name, out string) {
	s.cases = append(s.cases, testcase{Class: class, Name: name, Out: clean(out)})
}

// Fail adds a test that failed. Kind says what is violated, such as MUST.
func (s *Suite) Fail(class, name, kind, message, details string) {
	s.failures++
	s.cases = append(s.cases, testcase{
		Class: class, Name: name, Failure: &remark{Message: clean(message), Type: kind, Text: clean(details)},
	})
}

// Error adds a test that could not be made, with its output.
func (s *Suite) Error(class, name, kind, message, out string) {
	s.errors++
	s.cases = append(s.cases, testcase{
		Class: class, Name: name, Error: &remark{Message: clean(message), Type: kind}, Out: clean(out),
	})
}

// Skip adds a test without a result.
func (s *Suite) Skip(class, name, message string) {
	s.skipped++
	s.cases = append(s.cases, testcase{Class: class, Name: name, Skipped: &skipped{clean(message)}})
}

// Write writes suites under a name. It returns the error of w.
func Write(w io.Writer, name string, suites ...Suite) error {
	all := suitesElement{Name: name}
	for _, s := range suites {
		one := suiteElement{s.Name, len(s.cases), s.failures, s.errors, s.skipped, s.cases}
		all.Suites = append(all.Suites, one)
		all.Tests += one.Tests
		all.Failures += one.Failures
		all.Errors += one.Errors
		all.Skipped += one.Skipped
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
