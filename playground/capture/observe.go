package capture

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Tick is what the contacts of a capture show of one check of a scenario.
type Tick struct {
	Scenario, Check string
	Requirement     string     // id in package spec; "" for robust behavior
	Level           spec.Level // of the requirement; "" for robust behavior
	Verdict         verdict.Outcome
	Text            string // what was observed; or, if nothing was, why; one sentence
	Evidence        Evidence
}

// Evidence is the place that shows what a Tick says. The zero Evidence is none.
type Evidence struct {
	Exchange         string // that the request is recorded in; empty for the capture's own log
	Conn, RequestSeq int
	Path             []string // in the JSON of the request; nil for none
	Header           string   // name of a header of the request; "" for none
}

// Observe returns what the contacts of one capture show, one Tick for each check of every
// scenario, in the order of the table. The contacts are in the order in which they began.
// What a client did not do counts once it has done something else.
func Observe(contacts []Contact) []Tick { return observe(contacts, false).ticks() }

// ObserveEnded is Observe for a client that has ended: what it did not do, it does no more.
func ObserveEnded(contacts []Contact) []Tick { return observe(contacts, true).ticks() }

func (o *observation) ticks() []Tick {
	var ticks []Tick
	list := scenarios()
	for i := range list {
		for _, c := range list[i].Checks {
			t := list[i].tick(c, checks[c.ID](o, &list[i]))
			if !t.Verdict.Judged() {
				t.Verdict, t.Text, t.Evidence = o.open(&list[i])
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// tick returns the Tick of what a check found.
func (s *Scenario) tick(c Check, f finding) Tick {
	t := Tick{Scenario: s.ID, Check: c.ID, Level: c.Level()}
	if !c.Robust() {
		t.Requirement = c.Requirements[0]
	}
	if f.contact != nil {
		t.Evidence = Evidence{f.contact.Exchange, f.contact.Conn, f.contact.RequestSeq, f.path, f.header}
	}
	switch f.kind {
	case good:
		t.Verdict, t.Text = verdict.Passed, "Nothing to note."
		if !c.Robust() {
			t.Text = sentences()[t.Requirement].Text
		}
	case bad:
		t.Verdict, t.Text = verdict.Advisory, c.Words
		if t.Level == spec.Must || t.Level == spec.MustNot {
			t.Verdict = verdict.Failed
		}
	}
	if f.text != "" {
		t.Text = f.text
	}
	return t
}

// findingKind orders what a check finds.
type findingKind int

const (
	nothing findingKind = iota
	good
	bad
)

// finding is what a check found in one contact, or in all.
type finding struct {
	kind    findingKind
	contact *contact
	path    []string
	header  string
	text    string // "" for the words of the table
}

func fine(c *contact, path ...string) finding { return finding{kind: good, contact: c, path: path} }

func fault(c *contact, path ...string) finding { return finding{kind: bad, contact: c, path: path} }

// says sets the sentence of a finding. Foreign text in it goes through quoted.
func (f finding) says(format string, args ...any) finding {
	f.text = fmt.Sprintf(format, args...)
	return f
}

// at sets the header that shows a finding.
func (f finding) at(header string) finding {
	f.header = header
	return f
}

// is returns a finding that is good or bad.
func is(ok bool, c *contact, path ...string) finding {
	if ok {
		return fine(c, path...)
	}
	return fault(c, path...)
}

// quoted returns foreign text in quotes.
func quoted(s string) string { return fmt.Sprintf("%q", text.Visible(s, 60)) }

// raw returns the text of a JSON value.
func raw(n *jsontree.Node) string {
	if n == nil {
		return "(none)"
	}
	return text.Visible(string(n.Raw()), 60)
}

// check observes one thing in the contacts of a scenario.
type check func(*observation, *Scenario) finding

// worst returns the first of the worst findings.
func worst(list []finding) finding {
	var found finding
	for _, f := range list {
		if f.kind > found.kind {
			found = f
		}
	}
	return found
}

// each judges every contact of the scenario.
func each(judge func(*observation, *contact) finding) check {
	return func(o *observation, s *Scenario) finding {
		var list []finding
		for _, c := range o.of(s) {
			list = append(list, judge(o, c))
		}
		return worst(list)
	}
}

// eachRequest judges every request of this revision.
func eachRequest(judge func(*observation, *contact) finding) check {
	return each(func(o *observation, c *contact) finding {
		if !c.isRequest() {
			return finding{}
		}
		return judge(o, c)
	})
}

// eachRetry judges every request with answers or a state that continues a call.
func eachRetry(judge func(*observation, *contact) finding) check {
	return each(func(o *observation, c *contact) finding {
		if c.source == nil {
			return finding{}
		}
		return judge(o, c)
	})
}

// eachAnswer judges every answer to a question of the source, with that question.
func eachAnswer(judge func(c *contact, q, answer *jsontree.Node, path []string) finding) check {
	return eachRetry(func(_ *observation, c *contact) finding {
		var list []finding
		for _, a := range c.answers() {
			if q := c.source.asked().At("inputRequests", a.Key); q != nil {
				list = append(list, judge(c, q, a.Value, []string{"params", "inputResponses", a.Key}))
			}
		}
		return worst(list)
	})
}

// rule returns what a rule of package rules says of the last contact of a call, and whether it
// says anything.
func rule(line []*contact, id string, tool *jsontree.Node) (rules.Finding, bool) {
	rounds := make([]playground.Round, 0, len(line))
	for i, x := range line {
		rounds = append(rounds, x.round(i+1))
	}
	list := rules.JudgeClient(rounds, tool.Raw(), id)
	if len(list) == 0 {
		return rules.Finding{Verdict: verdict.NotApplicable}, false
	}
	return list[0], true
}

// byRule returns what a rule says of a contact, of which the verdict broken is the bad one.
func byRule(id string, broken verdict.Outcome, path ...string) func(*observation, *contact) finding {
	return func(o *observation, c *contact) finding {
		return ruled(c, o.line(c), id, broken, path)
	}
}

// byRuleAlone is byRule for a rule that reads nothing before the request.
func byRuleAlone(id string, broken verdict.Outcome, path ...string) func(*observation, *contact) finding {
	return func(_ *observation, c *contact) finding {
		return ruled(c, []*contact{c}, id, broken, path)
	}
}

func ruled(c *contact, line []*contact, id string, broken verdict.Outcome, path []string) finding {
	f, ok := rule(line, id, nil)
	switch {
	case !ok:
		return finding{}
	case f.Verdict == broken:
		return fault(c, path...).says("%s", f.Text)
	}
	return fine(c, path...)
}
