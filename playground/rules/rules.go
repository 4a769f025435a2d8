// Package rules judges recorded exchanges against the requirements of the MCP
// specification 2026-07-28 and of its tasks extension. Calls to servers of
// earlier revisions are judged against the requirements of their era. One rule
// is one function, one id, one link to a clause and one sentence.
//
// # Contract
//
// A rule reads only the recorded bytes, so the same log always has the same
// Findings, and a report can be made again. It returns Failed only if its
// clause says MUST or MUST NOT. It does not guess: where the bytes show
// nothing, the outcome is NotApplicable or NotJudged, never Passed. Otherwise a
// report would accuse a conforming server, or call one right that was never
// tested. One cause gives one Finding, on the side that caused it, and a rule
// has at most one Finding for a Round.
//
// The functions may be called from several goroutines.
//
// # Design
//
// The rules are the rows of the table, with ids of their own. The client test
// shows more of a client than its requests do: its reactions to answers that
// are made for it, and its omissions. Its checks are rules whose condition is a
// scenario. A scenario is data in scenarios.txt; a check names the requirements
// that it observes, and the first one decides whether a fault fails or is
// advice. A check reads a Contact, which package capture joins, and often has
// the function of a rule, so no requirement is judged in two ways. A new rule
// needs a sentence of package spec and a mutant that breaks it; a test names
// the one that is missing.
package rules

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Side is the side that has to meet a requirement.
type Side string

// Sides.
const (
	Client Side = "client"
	Server Side = "server"
)

// Finding is the verdict of one rule on one Round. A NotApplicable is about the whole
// exchange and has Round 0.
type Finding struct {
	Rule    string
	Verdict verdict.Outcome // Failed, Advisory, Passed, NotJudged or NotApplicable
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
	OnReply     bool   // judges how a server treats a faulty request, or a sequence of questions
	Legacy      bool   // judges calls to servers of earlier revisions instead of those of 2026-07-28
	Transport   Transport
	Record      bool // judges a request by all that its client sent before, see JudgeRecord
}

// Transport is the transport that a rule is about.
type Transport string

// Transports.
const (
	AnyTransport Transport = ""
	HTTP         Transport = "http"  // its headers, status, media types and sessions
	Stdio        Transport = "stdio" // lines of standard input and output, see JudgeRecord
)

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

// ofLegacy returns a rule about calls to servers of earlier revisions.
func ofLegacy(id string, side Side, requirement, link string) Rule {
	r := rule(id, side, requirement, link)
	r.Legacy = true
	return r
}

// overHTTP returns a rule about features that only HTTP has.
func overHTTP(r Rule) Rule {
	r.Transport = HTTP
	return r
}

// onLines returns a rule about features that only lines of standard input and
// output have, in every revision.
func onLines(id string, side Side, requirement, link string) Rule {
	r := rule(id, side, requirement, link)
	r.Transport = Stdio
	return r
}

// ofRecord returns a rule about all requests of a client.
func ofRecord(id string, side Side, requirement, link string) Rule {
	r := rule(id, side, requirement, link)
	r.Record = true
	return r
}

// isOfRecord reports whether JudgeRecord applies the rule, and no other function.
func (r Rule) isOfRecord() bool { return r.Record || r.Transport == Stdio }

// All returns the rules in the order of Judge.
func All() []Rule { return slices.Clone(all) }

// OfEra returns the rules that judge calls to servers of an era, over HTTP or on lines.
func OfEra(era playground.Era, onLine bool) []Rule {
	return slices.DeleteFunc(All(), func(r Rule) bool {
		if r.Transport == Stdio {
			return !onLine
		}
		return r.Record || r.Legacy != (era == playground.Legacy)
	})
}

// judges reports whether the rule judges a Round as such: one of its era, and of its
// transport.
func (r Rule) judges(round *playground.Round) bool {
	return r.Legacy == round.Legacy && !r.isOfRecord() && (r.Transport != HTTP || !round.OnLine())
}

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
	c := course{}
	for _, x := range line {
		own := x.FoldOwn().Rounds
		c.rounds = before(c.rounds, own)
		c.first, c.rounds, c.tool = len(c.rounds), append(c.rounds, own...), parse(x.Call.Tool)
		c.lines = x.Target.IsCommand()
	}
	return c.judge()
}

// JudgeNamed judges an exchange with a server that has named itself elsewhere: see
// Names.
func JudgeNamed(x playground.Exchange) []Finding {
	return course{
		rounds: playground.Fold(x.Log).Rounds, tool: parse(x.Call.Tool), named: true,
		lines: x.Target.IsCommand(),
	}.judge()
}

// Names reports whether a server names itself where it is connected to.
func Names(c server.Connection) bool {
	return slices.ContainsFunc(c.Trips, func(r playground.Round) bool { return hasServerInfo(r.Result) })
}

// JudgeFolded returns the Findings of Judge for an exchange whose transcript is
// f.
func JudgeFolded(x playground.Exchange, f playground.Transcript) []Finding {
	return course{
		rounds: f.Rounds, first: f.Inherited, tool: parse(x.Call.Tool), lines: x.Target.IsCommand(),
	}.judge()
}

// JudgeCaptured is JudgeFolded for an exchange of a foreign client. Listed is the newest
// definition of its tool that the whole record has since a request was refused for its
// headers, or nil.
func JudgeCaptured(x playground.Exchange, f playground.Transcript, listed json.RawMessage) []Finding {
	return course{
		rounds: f.Rounds, first: f.Inherited, tool: parse(x.Call.Tool), listed: parse(listed),
		lines: x.Target.IsCommand(),
	}.judge()
}

// JudgeConnection judges the requests of a connection to a server. Round is the
// number of the request.
func JudgeConnection(c server.Connection) []Finding { return connected(c).judge() }

// JudgeCommand is JudgeConnection for a server that is a command, whose lines are judged,
// too.
func JudgeCommand(c server.Connection) []Finding {
	x := connected(c)
	x.lines = true
	return x.judge()
}

func connected(c server.Connection) course {
	rounds := slices.Clone(c.Trips)
	handshake := slices.IndexFunc(rounds,
		func(r playground.Round) bool { return r.Method == playground.Initialize })
	if c.Era != playground.Legacy {
		if handshake >= 0 { // the server refused it, and is none of an earlier revision
			rounds = rounds[:handshake]
		}
		return course{rounds: rounds}
	}
	// A server of an earlier revision does not know the requests that looked for its era.
	rounds = rounds[max(handshake, 0):]
	for i := range rounds {
		rounds[i].Legacy = true
	}
	return course{rounds: rounds}
}

// course is a sequence of Rounds to judge.
type course struct {
	rounds []playground.Round
	first  int            // index of the first one to judge; those before it were judged elsewhere
	tool   *jsontree.Node // definition of the called tool; nil if unknown
	listed *jsontree.Node // definition of it since headers were refused, listed beside the call, or nil
	named  bool           // the server has named itself in another record
	lines  bool           // all requests are lines of this program on the channel of a command
}

// parse returns the value of a JSON text, or nil if there is none.
func parse(data json.RawMessage) *jsontree.Node {
	node, err := jsontree.Parse(data, jsontree.Limits{})
	if err != nil {
		return nil
	}
	return node
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

// judge returns the Findings on all Rounds from c.first on, then one NA for
// each rule of their era without a Finding.
func (c course) judge() []Finding {
	applied := make([]bool, len(table))
	list := make([]Finding, 0, len(table)+len(all)) // a finding for each rule, and for most in each Round
	legacy := false
	for i := c.first; i < len(c.rounds); i++ {
		r := c.rounds[i]
		legacy = legacy || r.Legacy
		subjects := c.subjects(i)
		for k := range table {
			if !all[k].judges(&r) {
				continue
			}
			if a := worst(subjects, table[k].judge); a.verdict != verdict.NotApplicable {
				applied[k] = true
				list = append(list, all[k].finding(a, r.N))
			}
		}
	}
	if c.lines {
		list = append(list, c.judgeLines()...)
	}
	for k := range all {
		switch {
		case applied[k] || all[k].Legacy != legacy || all[k].isOfRecord():
		case all[k].Transport == HTTP && c.lines:
			list = append(list, all[k].finding(because(verdict.NotApplicable, noHTTP), 0))
		default:
			list = append(list, all[k].finding(because(verdict.NotApplicable, notApplicable[k]), 0))
		}
	}
	return list
}

// worst returns the worst ruling on the requests of one Round, so that a rule
// has at most one Finding per Round.
func worst(subjects []subject, judge func(*subject) ruling) ruling {
	found := na()
	for i := range subjects {
		a := judge(&subjects[i])
		if a.verdict != found.verdict && a.verdict.Compare(found.verdict) < 0 {
			found = a
		}
	}
	return found
}

func (r Rule) finding(a ruling, round int) Finding {
	return Finding{r.ID, a.verdict, round, r.Side, cmp.Or(a.text, r.Requirement), cmp.Or(a.link, r.Link)}
}
