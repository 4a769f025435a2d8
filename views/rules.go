package views

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Verdicts are the findings of an exchange, the ones that matter first.
type Verdicts struct {
	Matter []Verdict // fail and hint, by Round
	Passed []Verdict
	NA     []Verdict
}

// Verdict is a finding beside the message it judges.
type Verdict struct {
	Rule, Verdict, Text, Link string
	Side                      string // who has the duty: client or server
	OnPurpose                 bool   // broken by an experiment, so that it tells nothing new
	Round                     int    // 0 for the whole exchange
}

// onPurpose marks what the client broke: in an experiment that is the point.
func (v Verdicts) onPurpose() Verdicts {
	for i := range v.Matter {
		v.Matter[i].OnPurpose = v.Matter[i].Side == string(rules.Client)
	}
	return v
}

// NewVerdicts sorts findings for reading.
func NewVerdicts(findings []rules.Finding) Verdicts {
	var v Verdicts
	for _, f := range findings {
		line := Verdict{Rule: f.Rule, Verdict: string(f.Verdict), Text: text.Visible(f.Text, 400), Link: f.Link, Side: string(f.Side), Round: f.Round}
		switch f.Verdict {
		case rules.Pass:
			v.Passed = append(v.Passed, line)
		case rules.NA:
			v.NA = append(v.NA, line)
		default:
			v.Matter = append(v.Matter, line)
		}
	}
	return v
}

// Summary counts verdicts in a few words.
func (v Verdicts) Summary() string {
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	fails, hints, meant := 0, 0, 0
	for _, line := range v.Matter {
		switch {
		case line.OnPurpose:
			meant++
		case line.Verdict == string(rules.Fail):
			fails++
		default:
			hints++
		}
	}
	add(fails, "violation")
	add(hints, "advisory")
	add(meant, "deliberate")
	add(len(v.Passed), "passed")
	return cmp.Or(strings.Join(parts, ", "), "no checks apply yet")
}

// of are the findings that matter of one Round and side.
func (v Verdicts) of(round int) []Verdict {
	var list []Verdict
	for _, line := range v.Matter {
		if line.Round == round {
			list = append(list, line)
		}
	}
	return list
}

// ruleWords names a rule by the side that it binds; side may be empty.
func ruleWords(side string) string {
	if side == "" {
		return "rule:"
	}
	return side + " rule:"
}
