package junit_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/junit"
)

func TestWrite_Counts(t *testing.T) {
	const foreign = "a\x1b[2J\x00<b>&\u202e"
	one, two := junit.Suite{Name: "one"}, junit.Suite{Name: "two"}
	one.Pass("c", "passes", foreign)
	one.Fail("c", "fails", "MUST", foreign, foreign)
	two.Error("c", "breaks", "kind", foreign, foreign)
	two.Skip("c", "waits", foreign)
	two.Skip("c", "waits again", "")
	var out bytes.Buffer
	if err := junit.Write(&out, "all", one, two, junit.Suite{Name: "empty"}); err != nil {
		t.Fatal(err)
	}
	type counts struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
	}
	var all struct {
		counts
		Suites []counts `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &all); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if all.counts != (counts{"all", 5, 1, 1, 2}) || len(all.Suites) != 3 ||
		all.Suites[0] != (counts{"one", 2, 1, 0, 0}) || all.Suites[1] != (counts{"two", 3, 0, 1, 2}) {
		t.Errorf("%+v", all)
	}
	if strings.ContainsAny(out.String(), "\x1b\x00\u202e") {
		t.Errorf("control characters in %q", out.String())
	}
}
