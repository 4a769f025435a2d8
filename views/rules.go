package views

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
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
	Round                     int    // 0 for the whole exchange
}

// NewVerdicts sorts findings for reading.
func NewVerdicts(findings []rules.Finding) Verdicts {
	var v Verdicts
	for _, f := range findings {
		line := Verdict{Rule: f.Rule, Verdict: string(f.Verdict), Text: Visible(f.Text, 400), Link: f.Link, Side: string(f.Side), Round: f.Round}
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
	fails := 0
	for _, line := range v.Matter {
		if line.Verdict == string(rules.Fail) {
			fails++
		}
	}
	if hints := len(v.Matter) - fails; fails+hints > 0 {
		return fmt.Sprintf("%d fail, %d hint, %d pass", fails, hints, len(v.Passed))
	}
	if len(v.Passed) == 0 {
		return "none applies"
	}
	return fmt.Sprintf("%d pass", len(v.Passed))
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
