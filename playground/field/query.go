package field

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Filter picks facts. An empty field picks all.
type Filter struct {
	Requirement string // id of a requirement, or the check of a fact without one
	Kind        Kind
	Subject     string // slug
	Outcome     verdict.Outcome
}

// Row is one fact of one subject.
type Row struct {
	*Subject
	Fact *Fact
}

// has reports whether the filter picks a fact.
func (f Filter) has(s Subject, x Fact) bool {
	return (f.Kind == "" || f.Kind == s.Kind) && (f.Subject == "" || f.Subject == s.Slug) &&
		(f.Outcome == "" || f.Outcome == x.Outcome) && (f.Requirement == "" || f.Requirement == x.Key())
}

// Rows returns the facts that the filter picks: in the order of the requirements in the
// specification, those without one last, and of one requirement by the names of the subjects.
func (d Data) Rows(f Filter) []Row {
	var list []Row
	for i := range d.Subjects {
		s := &d.Subjects[i]
		for k := range s.Facts {
			if f.has(*s, s.Facts[k]) {
				list = append(list, Row{s, &s.Facts[k]})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Row) int {
		return cmp.Or(compareKeys(a.Fact, b.Fact), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Slug, b.Slug))
	})
	return list
}

// compareKeys orders facts by requirement.
func compareKeys(a, b *Fact) int {
	place := func(f *Fact) int {
		if at, ok := places()[f.Requirement]; ok {
			return at
		}
		return len(places())
	}
	if order := place(a) - place(b); order != 0 || a.Requirement != "" {
		return order
	}
	return cmp.Compare(a.Check, b.Check)
}

// places are the requirements in their order.
var places = sync.OnceValue(func() map[string]int {
	list := map[string]int{}
	for i, s := range spec.Sentences() {
		list[s.ID] = i
	}
	return list
})

// Tally says of one requirement how many subjects of each kind have each outcome. Of several
// facts of one subject the worst counts.
type Tally struct {
	Fact     *Fact // one of them, for its requirement
	Subjects map[Kind]verdict.Counts
}

// Tallies returns one for each requirement of rows, which are sorted as Rows returns them.
func Tallies(rows []Row) []Tally {
	var list []Tally
	for len(rows) > 0 {
		key := rows[0].Fact.Key()
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Fact.Key() != key })
		if n < 0 {
			n = len(rows)
		}
		t := Tally{Fact: rows[0].Fact, Subjects: map[Kind]verdict.Counts{}}
		worst := map[string]Row{}
		for _, r := range rows[:n] {
			if old, known := worst[r.Slug]; !known || r.Fact.Outcome.Compare(old.Fact.Outcome) < 0 {
				worst[r.Slug] = r
			}
		}
		for _, r := range worst {
			c := t.Subjects[r.Kind]
			c.Add(r.Fact.Outcome)
			t.Subjects[r.Kind] = c
		}
		list, rows = append(list, t), rows[n:]
	}
	return list
}
