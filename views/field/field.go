// Package field renders the page of the field: what real software does with MRTR.
package field

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Title is the title of the page.
const Title = "The field"

// pageSize is how many facts one page lists.
const pageSize = 150

// Page is the page of the facts that a filter picks.
type Page struct {
	Filter   field.Filter
	Measured string // a sentence: what, and on which days
	Subjects []field.Subject
	Choices  []choices // of requirements
	// Overview has the requirements with their tallies, and Failed what failed; both are empty if
	// the filter asks for single facts, which Groups has. Of one requirement Tally has the tally.
	Overview []section
	Failed   []group
	Tally    []tally
	Groups   []group
	Found    int // facts that the filter picks
	N, Pages int // number of this page, from 1, and of all
}

// choices are requirements of one page of the specification to choose from.
type choices struct {
	Title string
	List  []choice
}

// choice is a value with its words.
type choice struct{ Value, Words string }

// section is a page of the specification, or the lines that no requirement binds.
type section struct {
	ID, Title, Note string
	Open            bool
	Rows            []tally
}

// tally is one requirement.
type tally struct {
	Key, Text, Level, Link string
	Cells                  []cell
}

// cell says how many subjects of a kind have which outcome.
type cell struct {
	Heading, Path string
	Counts        []count
}

// count is a number of subjects with an outcome.
type count struct {
	Standing standing.Standing
	N        int
}

// group has the facts about one requirement.
type group struct {
	Key, Text, Level, Link string
	Rows                   []row
}

// row is one fact.
type row struct {
	Slug, Kind, Name, Version, Condition, Check, Words, Day, Path string
	Verdict                                                       verdict.Outcome
	Corrections                                                   []field.Correction
}

// New returns the page of a filter; n is the number of the page of its facts, from 1.
func New(d field.Data, f field.Filter, n int) Page {
	rows := d.Rows(f)
	p := Page{Filter: f, Subjects: d.Subjects, Found: len(rows), N: 1, Pages: 1}
	p.Measured = measured(p.Subjects)
	p.Choices = requirementsOf(d.Rows(field.Filter{}))
	if f.Requirement == "" && f.Subject == "" && f.Outcome == "" {
		p.Overview = overview(f, field.Tallies(rows))
		failed := f
		failed.Outcome = verdict.Failed
		p.Failed = groups(d, d.Rows(failed))
		return p
	}
	if f.Requirement != "" && f.Subject == "" && f.Outcome == "" {
		for _, t := range field.Tallies(rows) {
			p.Tally = append(p.Tally, newTally(f, t))
		}
	}
	p.Pages = max(1, (len(rows)+pageSize-1)/pageSize)
	p.N = min(max(n, 1), p.Pages)
	p.Groups = groups(d, rows[(p.N-1)*pageSize:min(p.N*pageSize, len(rows))])
	return p
}

// measured says how many subjects were measured, and when.
func measured(list []field.Subject) string {
	facts, days := 0, []string{}
	kinds := map[field.Kind]int{}
	for _, s := range list {
		facts += len(s.Facts)
		kinds[s.Kind]++
		days = append(days, s.Day)
	}
	if len(list) == 0 {
		return "Nothing was measured."
	}
	when := "on " + day(slices.Max(days))
	if first := slices.Min(days); first != slices.Max(days) {
		when = "from " + day(first) + " to " + day(slices.Max(days))
	}
	return fmt.Sprintf("%s about %s, %s and %s, measured %s.", text.Plural(facts, "fact"),
		text.Plural(kinds[field.Server], "server"), text.Plural(kinds[field.Client], "client"),
		text.Plural(kinds[field.Gateway], "gateway"), when)
}

// day returns a day as people read it.
func day(s string) string {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return s
	}
	return t.Format("2 January 2006")
}

// lines is the title of what no requirement binds.
const lines = "Not bound by a requirement"

// pageOf returns the page of the specification that a fact is about, with its id.
func pageOf(f field.Fact) (id, title string) {
	for _, p := range spec.Pages() {
		if strings.HasPrefix(f.Requirement, p.Name+".") {
			return p.Name, p.Title
		}
	}
	return "lines", lines
}

// requirementsOf returns the requirements of rows, by page.
func requirementsOf(rows []field.Row) []choices {
	var list []choices
	for _, t := range field.Tallies(rows) {
		if _, title := pageOf(*t.Fact); len(list) == 0 || list[len(list)-1].Title != title {
			list = append(list, choices{Title: title})
		}
		last := &list[len(list)-1]
		last.List = append(last.List, choice{t.Fact.Key(), text.Visible(t.Fact.Subject(), 90)})
	}
	return list
}

// overview returns the tallies by page of the specification. That of MRTR is open.
func overview(f field.Filter, list []field.Tally) []section {
	var sections []section
	failed := map[string]int{}
	for _, t := range list {
		id, title := pageOf(*t.Fact)
		if len(sections) == 0 || sections[len(sections)-1].ID != id {
			sections = append(sections, section{ID: id, Title: title, Open: id == "mrtr"})
		}
		last := &sections[len(sections)-1]
		last.Rows = append(last.Rows, newTally(f, t))
		for _, c := range t.Subjects {
			if c.Failed > 0 {
				failed[id]++
				break
			}
		}
	}
	for i, s := range sections {
		sections[i].Note = text.Plural(len(s.Rows), "requirement")
		if s.ID == "lines" {
			sections[i].Note = text.Plural(len(s.Rows), "line")
		}
		if n := failed[s.ID]; n > 0 {
			sections[i].Note += fmt.Sprintf(", %d with failures", n)
		}
	}
	return sections
}

func newTally(f field.Filter, t field.Tally) tally {
	x := tally{Key: t.Fact.Key(), Text: t.Fact.Subject(), Level: level(*t.Fact), Link: t.Fact.Link()}
	for _, k := range kindsOf(f) {
		c := cell{Heading: Heading(k), Path: Path(field.Filter{Requirement: x.Key, Kind: k}, 1)}
		for _, o := range verdict.Outcomes() {
			if n := t.Subjects[k].Of(o); n > 0 {
				c.Counts = append(c.Counts, count{words(o, n), n})
			}
		}
		x.Cells = append(x.Cells, c)
	}
	return x
}

// words returns an outcome of several subjects.
func words(o verdict.Outcome, n int) standing.Standing {
	s := standing.OfVerdict(o)
	s.Word = o.Count(n)
	return s
}

// kindsOf returns the kinds that a filter picks.
func kindsOf(f field.Filter) []field.Kind {
	if f.Kind != "" {
		return []field.Kind{f.Kind}
	}
	return field.Kinds()
}

// Heading returns the kind as a heading: "Servers".
func Heading(k field.Kind) string {
	return map[field.Kind]string{
		field.Server: "Servers", field.Client: "Clients", field.Gateway: "Gateways and proxies",
	}[k]
}

// level returns the keyword of the requirement of a fact, or else that of its judge.
func level(f field.Fact) string {
	if s, ok := spec.ByID(f.Requirement); ok {
		return string(s.Level)
	}
	return f.Level
}

// groups returns rows by requirement.
func groups(d field.Data, rows []field.Row) []group {
	var list []group
	for _, r := range rows {
		if len(list) == 0 || list[len(list)-1].Key != r.Fact.Key() {
			list = append(list, group{
				Key: r.Fact.Key(), Text: r.Fact.Subject(), Level: level(*r.Fact), Link: r.Fact.Link(),
			})
		}
		last := &list[len(list)-1]
		last.Rows = append(last.Rows, row{
			Slug: r.Slug, Kind: string(r.Kind), Name: r.Name, Version: r.Version, Condition: r.Condition,
			Check: r.Fact.Check, Words: sentence(*r.Fact), Day: day(r.Day), Path: r.Path(*r.Fact),
			Verdict: r.Fact.Outcome, Corrections: d.CorrectionsOf(r),
		})
	}
	return list
}

// sentence returns the fact with its condition.
func sentence(f field.Fact) string {
	words := f.Sentence
	if f.Condition != "" {
		words = f.Condition + ": " + words
	}
	return text.Visible(words, 500)
}

// Path returns the address of the page of a filter.
func Path(f field.Filter, n int) string {
	query := url.Values{}
	for name, value := range map[string]string{
		"requirement": f.Requirement, "kind": string(f.Kind), "subject": f.Subject,
		"outcome": string(f.Outcome),
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if n > 1 {
		query.Set("page", fmt.Sprint(n))
	}
	if len(query) == 0 {
		return paths.Field
	}
	return paths.Field + "?" + query.Encode()
}

// JSON returns the address of the same facts as JSON.
func (p Page) JSON() string {
	return strings.Replace(Path(p.Filter, 1), paths.Field, paths.Field+".json", 1)
}

// ofKind returns the subjects of a kind.
func (p Page) ofKind(k field.Kind) []field.Subject {
	return slices.DeleteFunc(slices.Clone(p.Subjects), func(s field.Subject) bool { return s.Kind != k })
}

// all reports whether nothing is filtered.
func (p Page) all() bool { return p.Filter == field.Filter{} }

// shown returns which of the facts are on this page, in words.
func (p Page) shown() string {
	if p.Pages == 1 {
		return text.Plural(p.Found, "fact") + "."
	}
	return fmt.Sprintf("Facts %d to %d of %d.", (p.N-1)*pageSize+1, min(p.N*pageSize, p.Found), p.Found)
}

// chosen returns the subject of the filter, or nil.
func (p Page) chosen() *field.Subject {
	i := slices.IndexFunc(p.Subjects, func(s field.Subject) bool { return s.Slug == p.Filter.Subject })
	if i < 0 {
		return nil
	}
	return &p.Subjects[i]
}
