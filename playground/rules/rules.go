// Package rules judges recorded exchanges against the duties of the MCP
// specification 2026-07-28. One rule is one function, one id, one link and one
// sentence in our words. It reads the recorded bytes and nothing else, so the
// same log always gets the same Findings, whoever recorded it.
//
// A rule says Fail only where its clause says MUST. It refuses to guess: what
// the bytes do not show is NA, never Pass.
package rules

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Verdict is what a rule says.
type Verdict string

// Verdicts.
const (
	Fail Verdict = "fail" // a MUST of the linked clause is broken
	Hint Verdict = "hint" // a SHOULD, or advice
	Pass Verdict = "pass"
	NA   Verdict = "na" // nothing in the record to judge
)

// Side is who has the duty.
type Side string

// Sides.
const (
	Client Side = "client"
	Server Side = "server"
)

// Finding is the verdict of one rule on one Round. An NA stands for the whole
// exchange and has Round 0.
type Finding struct {
	Rule    string
	Verdict Verdict
	Round   int
	Side    Side
	Text    string // one sentence
	Link    string // to the clause
}

// Rule describes a rule for lists and lessons.
type Rule struct {
	ID          string
	Side        Side
	Requirement string // one sentence, true when the rule passes
	Link        string
}

// rule is a Rule with its function. The answer's text may be empty; the duty
// is said then.
type rule struct {
	Rule
	judge func(scene) answer
}

// answer is what a rule's function says about one Round.
type answer struct {
	verdict Verdict
	text    string
}

// All lists the rules in the order of Judge.
func All() []Rule {
	var list []Rule
	for _, r := range table() {
		list = append(list, r.Rule)
	}
	return list
}

// Judge judges the last of the exchanges, Round by Round. Those before it are
// the ones that it branches from, oldest first: they give the Rounds that its
// own continue, and are not judged again.
func Judge(line ...playground.Exchange) []Finding {
	var rounds []playground.Round
	first := 0
	for _, x := range line {
		own := playground.Fold(x.Log).Rounds
		rounds = before(rounds, own)
		first, rounds = len(rounds), append(rounds, own...)
	}
	return judge(rounds, first)
}

// JudgeFolded is Judge of an exchange that is folded already.
func JudgeFolded(f playground.Transcript) []Finding { return judge(f.Rounds, f.Inherited) }

// JudgeConnection judges the requests of connecting to a server; Round is the
// number of the request.
func JudgeConnection(c server.Connection) []Finding {
	return judge(c.Trips, 0)
}

// before is the part of an older line that a branch goes on from.
func before(rounds, branch []playground.Round) []playground.Round {
	if len(branch) == 0 {
		return rounds
	}
	for i, r := range rounds {
		if r.N >= branch[0].N {
			return rounds[:i:i]
		}
	}
	return rounds
}

// judge says one Finding per rule and Round that it has something to say on,
// Rounds first; then one NA for each rule that was silent throughout.
func judge(rounds []playground.Round, first int) []Finding {
	rules := table()
	spoke := make([]bool, len(rules))
	var list []Finding
	for i := first; i < len(rounds); i++ {
		if rounds[i].Legacy {
			continue // these are the duties of 2026-07-28
		}
		s := newScene(rounds, i)
		for k, r := range rules {
			if a := r.judge(s); a.verdict != NA {
				spoke[k] = true
				list = append(list, r.finding(a, rounds[i].N))
			}
		}
	}
	for k, r := range rules {
		if !spoke[k] {
			list = append(list, r.finding(answer{NA, "Nothing in this exchange puts it to the test: " + lower(r.Requirement)}, 0))
		}
	}
	return list
}

func (r rule) finding(a answer, round int) Finding {
	if a.text == "" {
		a.text = r.Requirement
	}
	return Finding{r.ID, a.verdict, round, r.Side, a.text, r.Link}
}
