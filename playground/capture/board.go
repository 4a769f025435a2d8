package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Run is one run of a client, recorded by a capture of its own.
type Run struct {
	Scenario string // that it was to do; empty for no particular one
	Ended    string // how the client ended or, if Stdio, its server: "exit status 1"
	Report   Report
	Checks   []rules.Observation // nil unless the client test is behind the address
	Stdio    bool                // of lines of standard input
	Open     bool                // the client may go on
}

// who names the command that Ended is about.
func (r Run) who() string {
	if r.Stdio {
		return "server command"
	}
	return "command"
}

// Board has the results of some runs of a client.
type Board struct {
	Server  string   // name or URL of the server behind the address
	Clients []string // names and versions that the client gave itself
	Runs    []Run
	Checks  []verdict.Line // of the client test, failed ones first
	Rules   []verdict.Line // that judged a request, failed ones first
	Calls   []verdict.Line // about all calls together
	// Behind has the rules that judged the server, failed ones first. They say nothing of
	// the client. It is nil in front of the client test, which breaks rules on purpose.
	Behind []verdict.Line
	Stdio  bool // a run is of lines of standard input

	missed []string // chosen items that were not judged, a sentence each
	asked  rules.Asked
}

// NewBoard returns the board of runs of a client in front of a server, with the
// verdicts of a selection. The worst of several verdicts counts.
func NewBoard(server string, runs []Run, s Selection) Board {
	b := Board{Server: server, Runs: runs}
	asked := rules.Asked{}
	for _, r := range runs {
		addAsked(&asked, r)
		b.Stdio = b.Stdio || r.Stdio
		for _, name := range r.Report.Clients {
			if !slices.Contains(b.Clients, name) {
				b.Clients = append(b.Clients, name)
			}
		}
		checks := s.checks(r.Checks)
		for i, o := range checks {
			b.addCheck(i, o.Line, r)
		}
		b.addFindings(r, s, checks)
	}
	b.Checks = slices.DeleteFunc(b.Checks, func(l verdict.Line) bool { return l.ID == "" }) // not chosen
	b.Calls, b.asked = asked.Lines(), asked
	for _, list := range [][]verdict.Line{b.Checks, b.Rules, b.Behind} {
		slices.SortStableFunc(list, func(a, b verdict.Line) int { return a.Outcome.Compare(b.Outcome) })
	}
	b.missed = s.missed(b.Checks, b.Rules)
	return b
}

// addCheck adds the line of a check at a place of the table; one without an id was not chosen.
func (b *Board) addCheck(i int, l verdict.Line, r Run) {
	if i == len(b.Checks) {
		b.Checks = append(b.Checks, verdict.Line{})
	}
	if l.ID != "" {
		l.Place.Run = r.Scenario
		b.Checks[i] = l.Outweighs(b.Checks[i])
	}
}

// addFindings adds the verdicts of the rules about the client, and those about the server
// unless it is the client test.
func (b *Board) addFindings(r Run, s Selection, checks []rules.Observation) {
	p := newPlaces(r)
	for _, f := range r.Report.Findings {
		w := p.where(f.Recorded)
		scenario := ""
		if r.Checks != nil {
			if x := rules.ScenarioOf(w.Method, w.Name); x != nil {
				scenario = x.ID
			}
		}
		list := &b.Rules
		switch {
		case f.Verdict == verdict.NotApplicable, f.Side == rules.Server && r.Checks != nil,
			f.Side == rules.Client && !s.rule(f.Rule, scenario):
			continue
		case f.Side == rules.Server:
			list = &b.Behind
		}
		known, _ := rules.ByID(f.Rule)
		l := verdict.Line{
			ID: f.Rule, Title: known.Requirement, Outcome: f.Verdict, Sentence: f.Text, Clause: f.Link,
			Place: w, Times: 1, SameAs: f.CountedBy(checks),
		}
		i := slices.IndexFunc(*list, func(x verdict.Line) bool { return x.ID == l.ID })
		if i < 0 {
			*list = append(*list, l)
			continue
		}
		(*list)[i] = outweighs(l, (*list)[i])
	}
}

// outweighs is l.Outweighs for the lines of a rule, of which one counts itself if it has a
// fault that no check counts. It is then about that fault.
func outweighs(l, old verdict.Line) verdict.Line {
	if l.Outcome != old.Outcome || l.SameAs != "" || old.SameAs == "" {
		return l.Outweighs(old)
	}
	l.Times += old.Times
	return l
}

// CountedBy returns the name of the check of the client test that counts the
// fault of a finding, or "": it saw the same requirement broken in the same
// request, and is no milder. A fault that several judges see is one.
func (f Finding) CountedBy(checks []rules.Observation) string {
	if !f.Verdict.Wrong() {
		return ""
	}
	for _, o := range checks {
		if o.Outcome.Compare(f.Verdict) <= 0 && slices.Contains(o.Shown, f.Recorded) {
			if sentence, _ := spec.ByID(o.Requirement); slices.Contains(sentence.Rules, f.Rule) {
				return o.Name()
			}
		}
	}
	return ""
}

// Groups of the Verdict of a Board.
const (
	groupRuns   = "runs"
	GroupCalls  = "calls"  // about all calls together
	GroupChecks = "checks" // of the client test
	GroupRules  = "rules"
	GroupServer = "server" // rules about the server
)

// Verdict returns the report of the board about the client.
func (b Board) Verdict() verdict.Report {
	v := verdict.Report{
		Name: "mrtr-playground client", Title: strings.Join(b.Clients, ", "), Party: "client",
		Extent: text.Plural(b.Requests(), "request"),
		Lead:   []string{b.Words()},
		Groups: []verdict.Group{
			{ID: groupRuns, Title: "Runs", Class: "mrtr.run", Noun: "Run", Steps: true, Lines: b.runs()},
		},
		Progress: verdict.Progress{Done: true},
		Gaps:     append(slices.Clone(b.missed), b.asked.Gaps()...),
		Left:     b.asked.LeftOpen(),
	}
	if v.Title == "" {
		v.Title = "a client"
	}
	if b.Checks != nil {
		v.Groups = append(v.Groups, verdict.Group{
			ID: GroupChecks, Title: "Client test", Class: "mrtr.client", Noun: "Scenario", Lines: b.Checks,
		})
	}
	v.Groups = append(v.Groups, verdict.Group{
		ID: GroupRules, Title: "Rules", Class: "mrtr.rule", Noun: "Rule", Lines: b.Rules,
	})
	if b.Calls != nil {
		v.Groups = append(v.Groups, verdict.Group{
			ID: GroupCalls, Title: "Calls", Class: "mrtr.calls", Noun: "Check", Lines: b.Calls,
		})
	}
	if b.Behind != nil {
		v.Groups = append(v.Groups, verdict.Group{
			ID: GroupServer, Title: "Server", Class: "mrtr.server", Noun: "Rule",
			Lines: b.Behind, Aside: true,
		})
	}
	if note := b.Note(); note != "" {
		v.Notes = append(v.Notes, note)
	}
	return v
}

// runs returns a line for each run: whether the client called anything, and how it ended.
func (b Board) runs() []verdict.Line {
	list := make([]verdict.Line, 0, len(b.Runs))
	for _, r := range b.Runs {
		l := verdict.Line{
			ID: cmp.Or(r.Scenario, "command"), Title: strings.TrimSpace(r.who() + " " + r.Scenario),
			Outcome: verdict.Passed, Sentence: r.Ended + "; " + text.Plural(r.Report.Requests(), "request"),
		}
		if r.Report.Requests() == 0 {
			l.Outcome, l.Sentence = verdict.NotReached, r.Ended+"; the client called nothing"
		}
		list = append(list, l)
	}
	return list
}

// Requests returns how many requests were recorded.
func (b Board) Requests() int {
	n := 0
	for _, r := range b.Runs {
		n += r.Report.Requests()
	}
	return n
}

// Words returns the runs in one sentence.
func (b Board) Words() string {
	words := text.Plural(b.Requests(), "request")
	if len(b.Clients) > 0 {
		words += " by " + text.Visible(strings.Join(b.Clients, ", "), 200)
	}
	if len(b.Runs) > 1 {
		words += " in " + text.Plural(len(b.Runs), "run")
	}
	return words + ". Server: " + text.Visible(b.Server, 200) + "."
}

// Note returns a sentence about the omissions, or "".
func (b Board) Note() string {
	if !b.Stdio {
		return ""
	}
	return "The stdio transport has no headers, status or session id, " +
		"so no requirement about these was judged."
}
