package views

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Verdicts holds the findings of an exchange.
type Verdicts struct {
	Issues []Verdict // fail and hint, by Round
	Passed []Verdict
	NA     []Verdict
}

// Verdict is a finding about a message.
type Verdict struct {
	Rule, Verdict, Text, Link string
	Side                      string // that the rule binds: client, server, or empty
	OnPurpose                 bool   // violated by an experiment
	Round                     int    // 0 for the whole exchange
}

// onPurpose marks the violations of the client, which an experiment causes.
func (v Verdicts) onPurpose() Verdicts {
	for i := range v.Issues {
		v.Issues[i].OnPurpose = v.Issues[i].Side == string(rules.Client)
	}
	return v
}

// NewVerdicts sorts findings by verdict.
func NewVerdicts(findings []rules.Finding) Verdicts {
	var v Verdicts
	for _, f := range findings {
		line := Verdict{
			Rule: f.Rule, Verdict: string(f.Verdict), Text: text.Visible(f.Text, 400), Link: f.Link,
			Side: string(f.Side), Round: f.Round,
		}
		switch f.Verdict {
		case rules.Pass:
			v.Passed = append(v.Passed, line)
		case rules.NA:
			v.NA = append(v.NA, line)
		default:
			v.Issues = append(v.Issues, line)
		}
	}
	return v
}

// Summary counts the verdicts.
func (v Verdicts) Summary() string {
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, words)
		}
	}
	fails, hints, deliberate := 0, 0, 0
	for _, line := range v.Issues {
		switch {
		case line.OnPurpose:
			deliberate++
		case line.Verdict == string(rules.Fail):
			fails++
		default:
			hints++
		}
	}
	add(fails, text.Plural(fails, "violation"))
	add(hints, text.Plural(hints, "advisory"))
	add(deliberate, fmt.Sprint(deliberate, " deliberate"))
	add(len(v.Passed), fmt.Sprint(len(v.Passed), " passed"))
	return cmp.Or(strings.Join(parts, ", "), "no rule applies")
}

// violations returns how many requirements were violated, but not on purpose.
func (v Verdicts) violations() int {
	n := 0
	for _, line := range v.Issues {
		if line.Verdict == string(rules.Fail) && !line.OnPurpose {
			n++
		}
	}
	return n
}

// ofRound returns the issues of one Round.
func (v Verdicts) ofRound(round int) []Verdict {
	var list []Verdict
	for _, line := range v.Issues {
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
