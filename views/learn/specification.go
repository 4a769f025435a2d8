package learn

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Specification is the table of the requirements of the specification.
type Specification struct {
	Total   Coverage
	Pages   []SpecificationSection
	Missing []Requirement // those that the client or the samples do not meet
}

// Coverage counts requirements.
type Coverage struct {
	All        int
	Must       int // with the level MUST or MUST NOT
	Judged     int // by a rule
	Probed     int // by an experiment
	Observed   int // by a scenario of the client test
	Hidden     int // none of these: recorded messages cannot show them
	Taught     int
	ForClient  int
	Client     int // of those: met by this product's client
	ForSamples int
	Samples    int // of those: met by the samples
	Missing    int // not met by one of the two
}

// SpecificationSection has the requirements of one page of the specification.
type SpecificationSection struct {
	ID, Title, Path, Link string
	Coverage
	Rows []Requirement
}

// Requirement is one row of the table.
type Requirement struct {
	ID, Level, Party, Text, Link string
	Rules                        []paths.LessonLink // Path is empty for a rule without a lesson
	Experiments                  []string           // titles
	Scenarios                    []string           // titles of those of the client test
	Reason                       string             // why nothing judges it; empty if something does
	Kept                         []KeptBy
	Lesson                       *paths.LessonLink
}

// KeptBy says how the client or the samples of this product meet a requirement.
type KeptBy struct {
	Who, How string
	Missing  bool
}

// NewSpecification returns the table with links to the lessons of the book.
func NewSpecification(pages []spec.Page, b *lesson.Book) Specification {
	known := newJudges()
	var all Specification
	for _, p := range pages {
		section := SpecificationSection{ID: p.Name, Title: p.Title, Path: p.Path, Link: p.Link()}
		for _, s := range p.Sentences {
			row := newRequirement(s, b, known)
			section.Rows = append(section.Rows, row)
			section.count(s, row)
			all.Total.count(s, row)
			if !s.Met() {
				all.Missing = append(all.Missing, row)
			}
		}
		all.Pages = append(all.Pages, section)
	}
	return all
}

// judges has the names of the judges of a requirement beside the rules.
type judges struct {
	experiments map[string]string   // titles by id
	scenarios   map[string][]string // titles by the id of a requirement
}

func newJudges() judges {
	j := judges{map[string]string{}, map[string][]string{}}
	for _, e := range lab.Experiments() {
		j.experiments[e.ID] = e.Title
	}
	for requirement, ids := range rules.Observed() {
		for _, id := range ids {
			if x, ok := rules.ScenarioByID(id); ok {
				j.scenarios[requirement] = append(j.scenarios[requirement], x.Title)
			}
		}
	}
	return j
}

func newRequirement(s spec.Sentence, b *lesson.Book, known judges) Requirement {
	r := Requirement{
		ID: s.ID, Level: string(s.Level), Party: partyWords(s.Party), Text: s.Text, Link: s.Link(),
		Kept: keptBy(s), Scenarios: known.scenarios[s.ID],
	}
	if len(s.Experiments)+len(r.Scenarios) == 0 {
		r.Reason = s.Reason
	}
	for _, id := range s.Rules {
		link := paths.LessonLink{Words: id}
		if _, ok := b.ForRule(id); ok { // others would lead to this table
			link.Path = "/learn/rules/" + id
		}
		r.Rules = append(r.Rules, link)
	}
	for _, id := range s.Experiments {
		r.Experiments = append(r.Experiments, known.experiments[id])
	}
	if l, ok := b.Lesson(s.Lesson); ok {
		r.Lesson = &paths.LessonLink{Path: l.Path(), Words: l.Title}
	}
	return r
}

// partyWords names the side that has to meet a requirement.
func partyWords(p spec.Party) string {
	if p == spec.Both {
		return "both sides"
	}
	return string(p)
}

// keptBy returns a line for each of the client and the samples that a
// requirement is about.
func keptBy(s spec.Sentence) []KeptBy {
	var list []KeptBy
	add := func(who, how string) {
		switch how {
		case "":
		case spec.Kept:
			list = append(list, KeptBy{who, "kept", false})
		case spec.Unused:
			list = append(list, KeptBy{who, "not used", false})
		default:
			list = append(list, KeptBy{who, how, true})
		}
	}
	add("Client", s.Client)
	add("Samples", s.Samples)
	return list
}

// count adds one requirement.
func (c *Coverage) count(s spec.Sentence, r Requirement) {
	add := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	c.All++
	add(&c.Must, s.Level == spec.Must || s.Level == spec.MustNot)
	add(&c.Judged, len(s.Rules) > 0)
	add(&c.Probed, len(s.Experiments) > 0)
	add(&c.Observed, len(r.Scenarios) > 0)
	add(&c.Hidden, r.Reason != "")
	add(&c.Taught, s.Lesson != "")
	add(&c.ForClient, s.Client != "" && s.Client != spec.Unused)
	add(&c.Client, s.Client == spec.Kept)
	add(&c.ForSamples, s.Samples != "" && s.Samples != spec.Unused)
	add(&c.Samples, s.Samples == spec.Kept)
	add(&c.Missing, !s.Met())
}

// Facts returns the summary in numbers.
func (c Coverage) Facts() []prose.Fact {
	return []prose.Fact{
		{Name: "Requirements", Value: fmt.Sprintf("%d, of which %d are MUST or MUST NOT", c.All, c.Must)},
		{Name: "Judged by a rule", Value: fmt.Sprint(c.Judged)},
		{Name: "Probed by an experiment", Value: fmt.Sprint(c.Probed)},
		{Name: "Observed by the client test", Value: fmt.Sprint(c.Observed)},
		{Name: "Not visible in messages", Value: fmt.Sprint(c.Hidden)},
		{Name: "Taught in a lesson", Value: fmt.Sprint(c.Taught)},
		{Name: "Met by this client", Value: fmt.Sprintf("%d of %d", c.Client, c.ForClient)},
		{Name: "Met by the samples", Value: fmt.Sprintf("%d of %d", c.Samples, c.ForSamples)},
	}
}

// Sentence returns the numbers of a page in words.
func (c Coverage) Sentence() string {
	words := fmt.Sprintf(
		"%s: %d judged by a rule, %d observed by the client test, %d not visible in messages",
		text.Plural(c.All, "requirement"), c.Judged, c.Observed, c.Hidden)
	if c.Missing > 0 {
		words += fmt.Sprintf("; %d not fully met here", c.Missing)
	}
	return words + "."
}

// SpecificationKind is the kind of the search results in the table.
const SpecificationKind = "Specification"

// SpecificationEntries returns the entries of the table for the search of the
// site: the pages of the specification, and each requirement.
func SpecificationEntries(pages []spec.Page) []search.Entry {
	var list []search.Entry
	for _, p := range pages {
		page := search.Entry{Kind: SpecificationKind, Title: "What the specification demands: " + p.Title,
			Path: paths.Specification + "#" + p.Name}
		list = append(list, page)
		for _, s := range p.Sentences {
			list = append(list, search.Entry{Kind: SpecificationKind, Page: p.Title, Title: s.ID,
				Text: s.Text, Path: paths.Specification + "#" + s.ID})
		}
	}
	return list
}
