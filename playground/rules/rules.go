// Package rules judges recorded exchanges against the requirements of the MCP
// specification 2026-07-28. One rule is one function, one id, one link to a
// clause and one sentence. It reads only the recorded bytes, so the same log
// always has the same Findings.
//
// A rule returns Fail only if its clause says MUST. It does not guess: what the
// bytes do not show is NA, never Pass.
package rules

import (
	"cmp"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Verdict is the result of a rule.
type Verdict string

// Verdicts.
const (
	Fail Verdict = "fail" // a MUST or MUST NOT of the linked clause is violated
	Hint Verdict = "hint" // a SHOULD is violated, or advice
	Pass Verdict = "pass"
	NA   Verdict = "na" // the record has nothing to judge
)

// Side is the side that has to meet a requirement.
type Side string

// Sides.
const (
	Client Side = "client"
	Server Side = "server"
)

// Finding is the verdict of one rule on one Round. An NA is about the whole
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
	Requirement string // one sentence, true if the rule passes
	Link        string // to the clause
	OnReply     bool   // judges how a server treats a faulty request, or a course of questions that one bends
}

func rule(id string, side Side, requirement, link string) Rule {
	return Rule{ID: id, Side: side, Requirement: requirement, Link: link}
}

// onReply returns a rule that an experiment judges with more knowledge where it
// changed the request.
func onReply(id string, side Side, requirement, link string) Rule {
	r := rule(id, side, requirement, link)
	r.OnReply = true
	return r
}

// All returns the rules in the order of Judge.
func All() []Rule { return slices.Clone(all) }

// ByID returns the rule with that id, and whether there is one.
func ByID(id string) (Rule, bool) {
	i, ok := index[id]
	if !ok {
		return Rule{}, false
	}
	return all[i], true
}

// Judge judges the last of the exchanges, Round by Round. Those before it are
// its ancestors, oldest first: they have the Rounds that its own Rounds
// continue, and are not judged again.
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

// JudgeFolded is Judge for an exchange that is already folded.
func JudgeFolded(f playground.Transcript) []Finding { return judge(f.Rounds, f.Inherited) }

// JudgeConnection judges the requests of a connection to a server. Round is the
// number of the request.
func JudgeConnection(c server.Connection) []Finding {
	return judge(c.Trips, 0)
}

// before returns the rounds that precede the first round of a branch.
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

// judge returns the Findings of all Rounds from first on, then one NA for each
// rule without a Finding.
func judge(rounds []playground.Round, first int) []Finding {
	applied := make([]bool, len(table))
	var list []Finding
	for i := first; i < len(rounds); i++ {
		if rounds[i].Legacy {
			continue // the rules are about 2026-07-28
		}
		s := newSubject(rounds, i)
		for k := range table {
			if a := table[k].judge(s); a.verdict != NA {
				applied[k] = true
				list = append(list, all[k].finding(a, rounds[i].N))
			}
		}
	}
	for k := range all {
		if !applied[k] {
			list = append(list, all[k].finding(ruling{NA, notApplicable[k]}, 0))
		}
	}
	return list
}

func (r Rule) finding(a ruling, round int) Finding {
	return Finding{r.ID, a.verdict, round, r.Side, cmp.Or(a.text, r.Requirement), r.Link}
}
