package capture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Run is one run of a client, recorded by a capture of its own.
type Run struct {
	Scenario string // that it was to do; empty for no particular one
	Ended    string // how the client ended or, if Stdio, its server: "exit status 1"
	Report   Report
	Ticks    []Tick // nil unless the client test is behind the address
	Stdio    bool   // of lines of standard input
}

// who names the command that Ended is about.
func (r Run) who() string {
	if r.Stdio {
		return "server command"
	}
	return "command"
}

// Board is what some runs of a client show of it.
type Board struct {
	Server  string   // name or URL of what was behind the address
	Clients []string // names and versions that the client gave itself
	Runs    []Run
	Checks  []Line // of the client test, failed ones first, unseen ones last
	Rules   []Line // that judged a request, failed ones first
	// Behind has the rules that judged the server, failed ones first. They say nothing of
	// the client. It is nil in front of the client test, which breaks rules on purpose.
	Behind []Line
	Stdio  bool // a run is of lines of standard input
}

// Line is the verdict of a check or a rule on a client.
type Line struct {
	ID          string // of the check or the rule
	Scenario    string // id, of a check
	Title       string // of the scenario, or the requirement of the rule
	Requirement string // id in package spec; empty for robust behavior and for a rule
	Level       spec.Level
	Verdict     Verdict
	Text        string // one sentence
	Link        string // to the clause; empty for robust behavior
	Where       Where
	Times       int // how many requests or runs have this verdict
}

// Where is the request that shows a verdict. The zero Where is none.
type Where struct {
	Run     string // scenario of the run; empty for no particular one
	Request int    // number in the run, from 1
	Method  string
	Name    string   // of the tool or prompt, or the URI; empty for none
	Path    []string // in the JSON of the request; nil for none
	Header  string   // name of a header of the request; empty for none
	Lines   bool     // it is no request: lines of the server that belong to none
}

// NewBoard returns the board of runs of a client in front of a server, with the
// verdicts of a selection. The worst of several verdicts counts.
func NewBoard(server string, runs []Run, s Selection) Board {
	b := Board{Server: server, Runs: runs}
	for _, r := range runs {
		b.Stdio = b.Stdio || r.Stdio
		for _, name := range r.Report.Clients {
			if !slices.Contains(b.Clients, name) {
				b.Clients = append(b.Clients, name)
			}
		}
		p := newPlaces(r)
		for i, t := range r.Ticks {
			b.addTick(i, t, s, p)
		}
		b.addFindings(r, s, p)
	}
	b.Checks = slices.DeleteFunc(b.Checks, func(l Line) bool { return l.ID == "" }) // not chosen
	slices.SortStableFunc(b.Checks, byVerdict)
	slices.SortStableFunc(b.Rules, byVerdict)
	slices.SortStableFunc(b.Behind, byVerdict)
	return b
}

// addTick adds the tick at a place of the table.
func (b *Board) addTick(i int, t Tick, s Selection, p places) {
	if i == len(b.Checks) {
		b.Checks = append(b.Checks, Line{})
	}
	scenario, _ := ByID(t.Scenario)
	n := slices.IndexFunc(scenario.Checks, func(c Check) bool { return c.ID == t.Check })
	if n < 0 || !s.check(t.Scenario, scenario.Checks[n]) {
		return
	}
	l := Line{
		ID: t.Check, Scenario: t.Scenario, Title: scenario.Title, Requirement: t.Requirement, Level: t.Level,
		Verdict: t.Verdict, Text: t.Text, Where: p.where(t.Evidence), Times: 1,
	}
	if sentence, ok := spec.ByID(t.Requirement); ok {
		l.Link = sentence.Link()
	}
	b.Checks[i] = worse(b.Checks[i], l)
}

// addFindings adds the verdicts of the rules about the client, and those about the server
// unless it is the client test.
func (b *Board) addFindings(r Run, s Selection, p places) {
	for _, f := range r.Report.Findings {
		w := p.where(p.evidence(f))
		scenario := ""
		if r.Ticks != nil {
			if x := byRequest(w.Method, w.Name); x != nil {
				scenario = x.ID
			}
		}
		list := &b.Rules
		switch {
		case f.Verdict == rules.NA, f.Side == rules.Server && r.Ticks != nil,
			f.Side == rules.Client && !s.rule(f.Rule, scenario):
			continue
		case f.Side == rules.Server:
			list = &b.Behind
		}
		known, _ := rules.ByID(f.Rule)
		l := Line{
			ID: f.Rule, Title: known.Requirement, Verdict: verdictOf(f.Verdict), Text: f.Text, Link: f.Link,
			Where: w, Times: 1,
		}
		i := slices.IndexFunc(*list, func(x Line) bool { return x.ID == l.ID })
		if i < 0 {
			*list = append(*list, l)
			continue
		}
		(*list)[i] = worse((*list)[i], l)
	}
}

// verdictOf returns the verdict of a rule as that of a check.
func verdictOf(v rules.Verdict) Verdict {
	switch v {
	case rules.Fail:
		return Failed
	case rules.Hint:
		return Advisory
	case rules.Pass:
		return Passed
	}
	return Unseen
}

// order has the verdicts, the worst first.
var order = []Verdict{Failed, Advisory, Noted, Passed, Unseen}

func (v Verdict) rank() int { return slices.Index(order, v) }

func byVerdict(a, b Line) int { return cmp.Compare(a.Verdict.rank(), b.Verdict.rank()) }

// worse returns the line with the worse verdict: old if both are equal, with
// Times counted up.
func worse(old, l Line) Line {
	switch {
	case old.ID == "" || l.Verdict.rank() < old.Verdict.rank():
		return l
	case l.Verdict == old.Verdict:
		old.Times++
	}
	return old
}

// Standing returns the verdict in words, and the Ending that they stand for.
func (v Verdict) Standing() (narrate.Ending, string) {
	switch v {
	case Passed:
		return narrate.Good, "passed"
	case Failed:
		return narrate.Bad, "failed"
	case Advisory:
		return narrate.Unknown, "advisory"
	case Noted:
		return narrate.Unknown, "note"
	}
	return narrate.NoEnding, "not seen"
}

// Count returns how many lines have a verdict.
func Count(lines []Line, v Verdict) int {
	n := 0
	for _, l := range lines {
		if l.Verdict == v {
			n++
		}
	}
	return n
}

// CountWords returns the counts of the verdicts in words: "1 failed, 7 passed".
func CountWords(lines []Line) string {
	var list []string
	for _, v := range order {
		n := Count(lines, v)
		_, word := v.Standing()
		switch {
		case n == 0:
			continue
		case v == Advisory && n > 1:
			word = "advisories"
		case v == Noted && n > 1:
			word = "notes"
		}
		list = append(list, fmt.Sprintf("%d %s", n, word))
	}
	if len(list) == 0 {
		return "nothing to judge"
	}
	return strings.Join(list, ", ")
}

// OK reports whether the client failed nothing.
func (b Board) OK() bool { return Count(b.Checks, Failed)+Count(b.Rules, Failed) == 0 }

// Judged reports whether anything of the client was judged.
func (b Board) Judged() bool {
	seen := func(l Line) bool { return l.Verdict != Unseen }
	return slices.ContainsFunc(b.Checks, seen) || slices.ContainsFunc(b.Rules, seen)
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
	if !b.Judged() {
		words += ": nothing was judged"
	}
	return words + "."
}

// open returns the lines that are neither passed nor unseen.
func open(lines []Line) []Line {
	return slices.DeleteFunc(slices.Clone(lines),
		func(l Line) bool { return l.Verdict == Passed || l.Verdict == Unseen })
}

// Open returns the checks and the rules that failed or have an advisory or a
// note: those about the client, and those about the server.
func (b Board) Open() (checks, rules, behind []Line) {
	return open(b.Checks), open(b.Rules), open(b.Behind)
}

// Unjoined returns how many retries could not be joined to their calls.
func (b Board) Unjoined() int {
	n := 0
	for _, r := range b.Runs {
		n += r.Report.Unjoined()
	}
	return n
}

// Note says what was not judged, or returns "".
func (b Board) Note() string {
	note := UnjoinedWords(b.Unjoined())
	if b.Stdio {
		note += " The stdio transport has no headers, status or session id, " +
			"so no requirement about these was judged."
	}
	return strings.TrimSpace(note)
}

// String returns the place in words, or "" for none.
func (w Where) String() string {
	if w.Request == 0 {
		return ""
	}
	if w.Lines {
		return "lines of the server that belong to no request"
	}
	words := fmt.Sprintf("request %d", w.Request)
	if w.Run != "" {
		words += " of the run " + w.Run
	}
	words += ": " + cmp.Or(strings.TrimSpace(text.Visible(w.Method, 60)+" "+text.Visible(w.Name, 80)),
		"a message without a method")
	if len(w.Path) > 0 {
		words += ", " + text.Visible(pathWords(w.Path), 120)
	}
	if w.Header != "" {
		words += ", header " + w.Header
	}
	return words
}

// pathWords returns a path in JSON with dots. A key that is no word has quotes.
func pathWords(path []string) string {
	var b strings.Builder
	for i, key := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		if key == "" || strings.ContainsAny(key, " .\"\\") {
			key = string(jsontree.Quote(key))
		}
		b.WriteString(key)
	}
	return b.String()
}
