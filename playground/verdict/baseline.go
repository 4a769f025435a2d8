package verdict

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

// Baseline has the outcomes of an earlier report, to compare a newer one with it.
type Baseline struct {
	Name     string                        // of the file, or words for the report
	Subject  string                        // what was judged: see Subject; empty if it is not known
	outcomes map[string]map[string]Outcome // by member and name of the line
}

// ErrNoReport is wrapped by the error of ReadBaseline for a file that is no JSON report.
var ErrNoReport = errors.New("not a JSON report with lines, as -format json prints it")

// ReadBaseline reads the JSON report of a command. Its lines are found by their verdicts: each
// is an object in a list of the document, with an id or the name of a rule.
func ReadBaseline(name string, data []byte) (Baseline, error) {
	b := Baseline{Name: name, outcomes: map[string]map[string]Outcome{}}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return b, fmt.Errorf("%w: %w", ErrNoReport, err)
	}
	var head struct {
		Method string `json:"method"`
		Params struct {
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"params"`
	}
	_ = json.Unmarshal(data, &head) // a report of a client has neither
	b.Subject = Subject(head.Method, cmp.Or(head.Params.Name, head.Params.URI))
	for member, raw := range members {
		var lines []struct {
			ID       string  `json:"id"`
			Rule     string  `json:"rule"`
			Scenario string  `json:"scenario"`
			Verdict  Outcome `json:"verdict"`
		}
		if json.Unmarshal(raw, &lines) != nil {
			continue
		}
		list := map[string]Outcome{}
		for _, l := range lines {
			if id := cmp.Or(l.ID, l.Rule); id != "" && l.Verdict != "" {
				list[Line{ID: id, Scope: l.Scenario}.Name()] = l.Verdict
			}
		}
		if len(list) > 0 || len(lines) == 0 {
			b.outcomes[member] = list
		}
	}
	if _, isReport := members["summary"]; !isReport || len(b.outcomes) == 0 {
		return b, ErrNoReport
	}
	return b, nil
}

// Subject returns how a report names what it calls: "tools/call book_table".
func Subject(method, name string) string { return strings.TrimSpace(method + " " + name) }

// Baseline returns the report as one. words name it in texts.
func (r Report) Baseline(words string) Baseline {
	b := Baseline{Name: words, outcomes: map[string]map[string]Outcome{}}
	for _, g := range r.Groups {
		list := map[string]Outcome{}
		for _, l := range g.Lines {
			list[l.Name()] = l.Outcome
		}
		b.outcomes[g.member()] = list
	}
	return b
}

// member returns the name of the list of lines in a JSON report.
func (g Group) member() string { return cmp.Or(g.Member, g.ID) }

// Comparison says how a report differs from an earlier one. Faults that another line counts
// are left out.
type Comparison struct {
	With      string // name of the Baseline
	New       []Line // failed now, and not before
	Gone      []Line // failed before, and were judged now without failing
	Unchanged []Line // failed before and now
	Lost      []Line // were judged before, and are not now
}

// Words returns the comparison in one sentence.
func (c Comparison) Words() string {
	words := fmt.Sprintf("Compared with %s: %d new, %d gone, %d unchanged", c.With, len(c.New), len(c.Gone),
		len(c.Unchanged))
	if n := len(c.Lost); n > 0 {
		words += fmt.Sprintf(", %d not judged any more", n)
	}
	return words + "."
}

// Same reports whether nothing differs.
func (c Comparison) Same() bool { return len(c.New)+len(c.Gone)+len(c.Lost) == 0 }

// Against returns the report with a comparison: lines that had failed in the baseline are
// marked as old. What was judged then and is not now is a gap: it is not known to be worse,
// and it is not shown as fine. The error is for a baseline of another command.
func (r Report) Against(b Baseline) (Report, error) {
	c := Comparison{With: b.Name}
	r.Groups = slices.Clone(r.Groups)
	known := false
	for i, g := range r.Groups {
		before, has := b.outcomes[g.member()]
		if g.Steps || g.Aside {
			continue
		}
		known = known || has
		g.Lines = slices.Clone(g.Lines)
		for k := range g.Lines {
			l := &g.Lines[k]
			was := before[l.Name()]
			l.Old = was == Failed && l.Outcome == Failed
			switch {
			case l.SameAs != "" && l.Outcome.Wrong():
			case l.Old:
				c.Unchanged = append(c.Unchanged, *l)
			case l.Outcome == Failed:
				c.New = append(c.New, *l)
			case was.Judged() && l.lost():
				c.Lost = append(c.Lost, *l)
			case was == Failed:
				c.Gone = append(c.Gone, *l)
			}
		}
		r.Groups[i].Lines = g.Lines
	}
	if !known {
		return r, fmt.Errorf("%s has none of the lines of %s: it is the report of another command", b.Name,
			r.Name)
	}
	r.Since = &c
	if n := len(c.Lost); n > 0 {
		names := make([]string, 0, n)
		for _, l := range c.Lost[:min(n, mostLost)] {
			names = append(names, l.Name())
		}
		if n > mostLost {
			names = append(names, fmt.Sprintf("%d more", n-mostLost))
		}
		r.Gaps = append(slices.Clone(r.Gaps), "Not judged any more: "+strings.Join(names, ", ")+".")
	}
	return r, nil
}

// lost reports whether a line that was judged before is missed now. What does not apply is
// missed only if it is a MUST: whether a lesser one applies can depend on chance, such as the
// length of a state.
func (l Line) lost() bool {
	if l.Outcome == NotApplicable {
		return l.Level == spec.Must
	}
	return !l.Outcome.Judged()
}

// mostLost is how many lines that are not judged any more a sentence names.
const mostLost = 5

// ComparisonDocument is the JSON form of a Comparison.
type ComparisonDocument struct {
	With      string         `json:"with"`
	Worse     bool           `json:"worse"` // something is new
	New       []LineDocument `json:"new"`
	Gone      []LineDocument `json:"gone"`
	Unchanged []LineDocument `json:"unchanged"`
	Lost      []LineDocument `json:"not_judged"`
}

// Document returns the comparison in the form that is encoded as JSON.
func (c Comparison) Document() *ComparisonDocument {
	of := func(lines []Line) []LineDocument { return Group{Lines: lines}.Documents() }
	return &ComparisonDocument{
		c.With, len(c.New) > 0, of(c.New), of(c.Gone), of(c.Unchanged), of(c.Lost),
	}
}
