package lab

import (
	"cmp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Why experiments that change what lines do not have cannot be made.
const (
	noHeaders     = "A server on standard input gets lines, which have no headers."
	noCredentials = "A server on standard input gets lines, which carry no credentials."
)

// Excluded returns why the experiment cannot be made with a target, or "" if it can.
func (e Experiment) Excluded(t playground.Target) string {
	if !t.IsCommand() {
		return ""
	}
	return e.noLine
}

// ExperimentsWith returns the experiments as a target can be tested with them: the lines
// of a server on standard input have no HTTP status, and no clause about HTTP applies to
// them.
func ExperimentsWith(t playground.Target) []Experiment {
	if !t.IsCommand() {
		return table
	}
	list := make([]Experiment, len(table))
	for i, e := range table {
		if e.noLine == "" {
			e.Sends, e.Expects = withoutHTTP.Replace(e.Sends), withoutHTTP.Replace(e.Expects)
			e.Brief, e.Clause = withoutHTTP.Replace(e.Brief), cmp.Or(e.lineClause, e.Clause)
		}
		list[i] = e
	}
	return list
}

// withoutHTTP removes from the texts of an experiment what lines do not have.
var withoutHTTP = strings.NewReplacer(
	"400, -", "-", "404, -", "-", "400 and error", "error", "404 and error", "error",
	"with 400 and -", "with -", "Header and _meta both name", "_meta names",
)
