package standing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Verdicts holds the findings of an exchange.
type Verdicts struct {
	Issues  []Verdict // fail, hint and unjudged, by Round
	Passed  []Verdict
	NA      []Verdict
	Rounds  []VerdictRound // that are judged, in order
	OnLines bool           // the server is on standard input
}

// Verdict is a finding about a message.
type Verdict struct {
	Rule, Verdict, Text, Link string
	Side                      string // that the rule binds: client, server, or empty
	OnPurpose                 bool   // violated by an experiment
	Round                     int    // 0 for the whole exchange
}

// VerdictRound is a Round that rules judge.
type VerdictRound struct {
	N     int
	Path  string // the page of the exchange with that Round
	Shown bool
}

// OnPurpose marks the violations of the client that an experiment causes: in its Rounds of
// the exchange f, and in those after them.
func (v Verdicts) OnPurpose(f playground.Transcript) Verdicts {
	i := slices.IndexFunc(f.Rounds[f.Inherited:],
		func(r playground.Round) bool { return r.Decision.Experiment != "" })
	if i < 0 {
		return v
	}
	first := f.Rounds[f.Inherited+i].N
	for i := range v.Issues {
		x := &v.Issues[i]
		x.OnPurpose = x.Side == string(rules.Client) && x.Round >= first && verdict.Outcome(x.Verdict).Wrong()
	}
	return v
}

// NewVerdicts sorts findings by verdict. Rounds are those that were judged.
func NewVerdicts(findings []rules.Finding, rounds []VerdictRound) Verdicts {
	count := map[verdict.Outcome]int{}
	for _, f := range findings {
		count[f.Verdict]++
	}
	v := Verdicts{
		Passed: make([]Verdict, 0, count[verdict.Passed]),
		NA:     make([]Verdict, 0, count[verdict.NotApplicable]),
		Rounds: rounds,
	}
	for _, f := range findings {
		line := Verdict{
			Rule: f.Rule, Verdict: string(f.Verdict), Text: text.Visible(f.Text, 400), Link: f.Link,
			Side: string(f.Side), Round: f.Round,
		}
		switch f.Verdict {
		case verdict.Passed:
			v.Passed = append(v.Passed, line)
		case verdict.NotApplicable:
			v.NA = append(v.NA, line)
		default:
			v.Issues = append(v.Issues, line)
		}
	}
	return v
}

// RoundsOf returns the Rounds of f that are judged: those that a branch
// inherits are judged where they were made.
func RoundsOf(f playground.Transcript, shown int, path func(round int) string) []VerdictRound {
	var list []VerdictRound
	for _, r := range f.Rounds[f.Inherited:] {
		list = append(list, VerdictRound{N: r.N, Path: path(r.N), Shown: r.N == shown})
	}
	return list
}

// Tally is how many verdicts of one kind there are.
type Tally struct {
	Kind string // fail, hint, purpose, unjudged or pass
	N    int
}

// Words returns a tally in words: "1 violation", "35 checks passed".
func (t Tally) Words() string {
	switch t.Kind {
	case kindPurpose:
		return fmt.Sprint(t.N, " broken on purpose")
	case string(verdict.Passed):
		return text.Plural(t.N, "check") + " passed"
	}
	return verdict.Outcome(t.Kind).Count(t.N)
}

// kindPurpose is the kind of a rule that an experiment violates on purpose.
const kindPurpose = "purpose"

// kind is a verdict for the eye: what an experiment broke on purpose is neither
// a violation nor an advisory.
func (v Verdict) kind() string {
	if v.OnPurpose {
		return kindPurpose
	}
	return v.Verdict
}

// Standing returns the Verdict with its glyph and color.
func (v Verdict) Standing() Standing { return kindStanding(v.kind()) }

// kindStanding returns the standing of a kind.
func kindStanding(kind string) Standing {
	if kind == kindPurpose {
		return Standing{"~", "broken on purpose", "outcome-purpose"}
	}
	return OfVerdict(verdict.Outcome(kind))
}

// kinds are those that a page counts, the most important first.
var kinds = []string{
	string(verdict.Failed), string(verdict.Advisory), kindPurpose, string(verdict.NotJudged),
	string(verdict.Passed),
}

// Tallies counts the verdicts by kind, the most important first. Kinds without
// a verdict are left out.
func (v Verdicts) Tallies() []Tally {
	count := map[string]int{string(verdict.Passed): len(v.Passed)}
	for _, line := range v.Issues {
		count[line.kind()]++
	}
	var list []Tally
	for _, kind := range kinds {
		if count[kind] > 0 {
			list = append(list, Tally{kind, count[kind]})
		}
	}
	return list
}

// Summary returns the tallies in words.
func (v Verdicts) Summary() string {
	var words []string
	for _, t := range v.Tallies() {
		words = append(words, t.Words())
	}
	return cmp.Or(strings.Join(words, ", "), "no check applies")
}

// Violations returns how many requirements were violated, but not on purpose.
func (v Verdicts) Violations() int {
	n := 0
	for _, line := range v.Issues {
		if line.Verdict == string(verdict.Failed) && !line.OnPurpose {
			n++
		}
	}
	return n
}

// OfRound returns the issues of one Round.
func (v Verdicts) OfRound(round int) []Verdict {
	var list []Verdict
	for _, line := range v.Issues {
		if line.Round == round {
			list = append(list, line)
		}
	}
	return list
}

// Issue has the findings of one rule in one or more Rounds. The sentence is
// that of the first; Others are the findings whose sentence differs.
type Issue struct {
	Verdict
	Rounds []VerdictRound
	Others []Verdict
}

// Listed returns the issues, each rule once: violations first, then advisories,
// then rules broken on purpose.
func (v Verdicts) Listed() []Issue {
	var list []Issue
	for _, line := range v.Issues {
		i := slices.IndexFunc(list,
			func(o Issue) bool { return o.Rule == line.Rule && o.kind() == line.kind() })
		if i < 0 {
			list, i = append(list, Issue{Verdict: line}), len(list)
		}
		for _, r := range v.Rounds {
			if r.N == line.Round {
				list[i].Rounds = append(list[i].Rounds, r)
			}
		}
		if line.Text != list[i].Text {
			list[i].Others = append(list[i].Others, line)
		}
	}
	slices.SortStableFunc(list, func(a, b Issue) int {
		return slices.Index(kinds, a.kind()) - slices.Index(kinds, b.kind())
	})
	return list
}

// linkedWords are a part of a text. Path is that of a link, or empty.
type linkedWords struct{ text, path string }

// roundWords names the Rounds of an issue with their links: "Rounds 1, 3 to 20 ·".
// Of three or more in a row it names the first and the last.
func roundWords(list []VerdictRound) []linkedWords {
	if len(list) == 0 {
		return nil
	}
	link := func(r VerdictRound) linkedWords { return linkedWords{strconv.Itoa(r.N), r.Path} }
	before := "Round "
	if len(list) > 1 {
		before = "Rounds "
	}
	var words []linkedWords
	for i := 0; i < len(list); i++ {
		last := i
		for last+1 < len(list) && list[last+1].N == list[last].N+1 {
			last++
		}
		words = append(words, linkedWords{text: before}, link(list[i]))
		if last-i >= 2 {
			words = append(words, linkedWords{text: " to "}, link(list[last]))
			i = last
		}
		before = ", "
	}
	return append(words, linkedWords{text: " · "})
}

// manyRounds is the most Rounds with which the tables of both sides stand beside
// each other.
const manyRounds = 8

// RuleTable is the part of the matrix for one side: a row for each rule that
// applied, a cell for each Round.
type RuleTable struct {
	Title string
	Rows  []RuleRow
}

// RuleRow is one rule in every Round. A cell is a kind, or empty where the rule
// does not apply.
type RuleRow struct {
	Rule, Title, Link string
	Kind              string // the most important of the cells
	Cells             []string
}

// Matrix returns the rules by the side that they bind. Within a side, those
// with an issue come first.
func (v Verdicts) Matrix() []RuleTable {
	tables := []RuleTable{{Title: "Client"}, {Title: "Server"}, {Title: "Other"}}
	for _, line := range slices.Concat(v.Issues, v.Passed) {
		t := &tables[2]
		switch rules.Side(line.Side) {
		case rules.Client:
			t = &tables[0]
		case rules.Server:
			t = &tables[1]
		}
		t.add(line, v.Rounds)
	}
	for i := range tables {
		slices.SortStableFunc(tables[i].Rows, func(a, b RuleRow) int {
			return cmp.Or(slices.Index(kinds, a.Kind)-slices.Index(kinds, b.Kind),
				order(a.Rule)-order(b.Rule))
		})
	}
	return slices.DeleteFunc(tables, func(t RuleTable) bool { return len(t.Rows) == 0 })
}

// add puts a finding into the row of its rule.
func (t *RuleTable) add(v Verdict, rounds []VerdictRound) {
	i := slices.IndexFunc(t.Rows, func(r RuleRow) bool { return r.Rule == v.Rule })
	if i < 0 {
		t.Rows = append(t.Rows, RuleRow{
			Rule: v.Rule, Title: ruleTitle(v), Link: v.Link, Kind: v.kind(),
			Cells: make([]string, len(rounds)),
		})
		i = len(t.Rows) - 1
	}
	for k, r := range rounds {
		if r.N == v.Round {
			t.Rows[i].Cells[k] = v.kind()
		}
	}
}

// order is the place of a rule among all rules.
func order(id string) int { return slices.Index(ruleIDs, id) }

var ruleIDs = func() []string {
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	return ids
}()

// ruleTitle returns the requirement of the rule of a finding. A finding that
// passed says the same.
func ruleTitle(v Verdict) string {
	if r, ok := rules.ByID(v.Rule); ok {
		return r.Requirement
	}
	return v.Text
}

// Headline says in one line what the findings come to.
func (v Verdicts) Headline() (kind, words string) {
	tallies := v.Tallies()
	if len(tallies) == 0 {
		return "", "No check applies to this recording yet."
	}
	var broken []string
	for _, t := range tallies {
		if t.Kind != string(verdict.Passed) && t.Kind != kindPurpose {
			kind = cmp.Or(kind, t.Kind)
			broken = append(broken, t.Words())
		}
	}
	switch {
	case len(broken) > 0:
		return kind, strings.Join(broken, ", ") + "."
	case len(v.Issues) > 0:
		return string(verdict.Passed), "The server followed the specification, " +
			"as far as this recording shows. The client broke it on purpose."
	}
	return string(verdict.Passed), "Both sides followed the specification, as far as this recording shows."
}

// passedWords counts the checks that passed, and the rules and Rounds that they
// are of.
func (v Verdicts) passedWords() string {
	seen := map[string]bool{}
	for _, line := range v.Passed {
		seen[line.Rule] = true
	}
	return fmt.Sprintf("%s passed: %s in %s", text.Plural(len(v.Passed), "check"),
		text.Plural(len(seen), "rule"), text.Plural(len(v.Rounds), "round"))
}

// sideWords names the side that a rule binds.
func sideWords(side string) string {
	if side == "" {
		return "rule"
	}
	return side + " rule"
}

func (s Standing) attributes() templ.Attributer {
	return templ.OrderedAttributes{{Key: "class", Value: s.Class}}
}

// ClauseName returns the part of a clause's link that people cite.
func ClauseName(link string) string {
	if _, name, ok := strings.Cut(link, "/specification/2026-07-28/"); ok {
		return name
	}
	if _, name, ok := strings.Cut(link, "/specification/2025-11-25/"); ok {
		return "2025-11-25: " + name
	}
	_, name, _ := strings.Cut(link, "/specification/draft/")
	return "ext-tasks/" + strings.Replace(name, ".md", "", 1)
}
