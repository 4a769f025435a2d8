package rules

import (
	"slices"
	"strings"
	"testing"
)

// TestReadTable_NamesTheLine: a line that is no row of the table is refused
// with its place.
func TestReadTable_NamesTheLine(t *testing.T) {
	for lines, want := range map[string]string{
		"= echo: It differs.\na tool\n\tcheck: echo mrtr.echo": "",
		"= echo: It differs.\na tool\n\tcheck: echo robust":    "",
		"# a comment\n= echo: It differs.":                     "",
		"= echo":                                               "scenarios.txt:1",
		"\ttitle: A title":                                     "scenarios.txt:1",
		"a":                                                    "is no scenario",
		"a tool\n\tname: b":                                    "scenarios.txt:2",
		"a tool\n\tcheck: echo mrtr.echo":                      "is no known check", // without words
		"= echo: It differs.\na tool\n\tcheck: echo":           "is no known check",
		"= nothing: It differs.\na tool\n\tcheck: nothing robust": "is no known check",
		"= echo: It differs.\na tool\n\tcheck: echo mrtr.nothing": "names no requirement",
	} {
		_, err := readTable(lines)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", lines, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", lines, err, want)
		}
	}
}

// TestChecks_AreUsed: each check is in a scenario.
func TestChecks_AreUsed(t *testing.T) {
	for id := range checks {
		if !slices.ContainsFunc(scenarios(), func(s Scenario) bool {
			return slices.ContainsFunc(s.Checks, func(c Check) bool { return c.ID == id })
		}) {
			t.Errorf("no scenario has the check %s", id)
		}
	}
}
