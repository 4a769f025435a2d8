package field_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestRows: they are in the order of the specification, then of the names, and a filter picks
// only what fits.
func TestRows(t *testing.T) {
	d := field.Measured()
	all := d.Rows(field.Filter{})
	n := 0
	for _, s := range field.Subjects() {
		n += len(s.Facts)
	}
	if len(all) != n {
		t.Errorf("%d rows of %d facts", len(all), n)
	}
	place := map[string]int{}
	for i, s := range spec.Sentences() {
		place[s.ID] = i + 1
	}
	for i, r := range all[1:] {
		a, b := place[all[i].Fact.Requirement], place[r.Fact.Requirement]
		switch {
		case a > b && b != 0, a == 0 && b != 0:
			t.Errorf("%s after %s", r.Fact.Key(), all[i].Fact.Key())
		case all[i].Fact.Key() == r.Fact.Key() && all[i].Name > r.Name:
			t.Errorf("%s: %s after %s", r.Fact.Key(), r.Name, all[i].Name)
		}
	}
	for _, f := range []field.Filter{
		{Requirement: "mrtr.echo"}, {Kind: field.Server}, {Subject: "go-sdk-client"},
		{Outcome: verdict.Failed}, {Requirement: "mrtr.echo", Kind: field.Client, Outcome: verdict.Failed},
		{Requirement: "once"},
	} {
		rows := d.Rows(f)
		fits := func(r field.Row) bool {
			return (f.Requirement == "" || r.Fact.Key() == f.Requirement) &&
				(f.Kind == "" || r.Kind == f.Kind) && (f.Subject == "" || r.Slug == f.Subject) &&
				(f.Outcome == "" || r.Fact.Outcome == f.Outcome)
		}
		want := 0
		for _, r := range all {
			if fits(r) {
				want++
			}
		}
		unfit := func(r field.Row) bool { return !fits(r) }
		if len(rows) != want || want == 0 || slices.ContainsFunc(rows, unfit) {
			t.Errorf("%+v: %d rows, want %d", f, len(rows), want)
		}
		facts := 0
		for _, s := range d.Document(f).Subjects {
			facts += len(s.Facts)
		}
		if facts != want {
			t.Errorf("%+v: %d facts in the document, want %d", f, facts, want)
		}
	}
	if rows := d.Rows(field.Filter{Subject: "nothing"}); len(rows) > 0 {
		t.Errorf("%d rows of nothing", len(rows))
	}
}

// TestTallies: each subject counts once for a requirement, by its worst fact.
func TestTallies(t *testing.T) {
	row := func(slug string, kind field.Kind, requirement string, o verdict.Outcome) field.Row {
		return field.Row{
			Subject: &field.Subject{Slug: slug, Kind: kind},
			Fact:    &field.Fact{Requirement: requirement, Outcome: o},
		}
	}
	const echo = "mrtr.echo"
	list := field.Tallies([]field.Row{
		row("a", field.Server, echo, verdict.Passed), row("a", field.Server, echo, verdict.Failed),
		row("b", field.Server, echo, verdict.NotReached), row("b", field.Server, echo, verdict.Passed),
		row("c", field.Client, echo, verdict.NotReached),
		row("a", field.Server, "mrtr.new-id", verdict.Passed),
	})
	got := fmt.Sprint(
		len(list),
		list[0].Subjects[field.Server].Words(),
		list[0].Subjects[field.Client].Words(),
		list[1].Subjects[field.Server].Words(),
	)
	if want := "2 [1 failed 1 passed] [1 not reached] [1 passed]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestCompare: two measurements are the same if outcomes and sentences are, whatever the day.
func TestCompare(t *testing.T) {
	of := func(version string, facts ...field.Fact) []field.Subject {
		return []field.Subject{{Slug: "s", Version: version, Day: version, Facts: facts}}
	}
	one := field.Fact{Check: "one", Outcome: verdict.Passed, Sentence: "It did."}
	moved, failed, worded := one, one, one
	moved.Exchange, failed.Outcome, worded.Sentence = 9, verdict.Failed, "It does."
	two := field.Fact{Check: "two", Outcome: verdict.NotReached, Sentence: "Nothing."}
	for name, c := range map[string]struct {
		before, now []field.Subject
		same        int
		changed     []string
	}{
		"the same": {of("1", one, two), of("1", two, moved), 2, nil},
		"worse": {
			of("1", one), of("1", failed), 0, []string{"s: one failed: It did.; was passed: It did."},
		},
		"other words": {
			of("1", one), of("1", worded), 0, []string{"s: one passed: It does.; was passed: It did."},
		},
		"new":            {of("1", one), of("1", one, two), 1, []string{"s: two is new: not reached"}},
		"gone":           {of("1", one, two), of("1", one), 1, []string{"s: two is gone"}},
		"a new version":  {of("1", one), of("2", one), 1, []string{"s: version 2, was 1"}},
		"a new subject":  {nil, of("1", one), 0, []string{"s: one is new: passed"}},
		"a lost subject": {of("1", one), nil, 0, []string{"s: one is gone"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := field.Compare(c.before, c.now)
			if got.Same != c.same || !slices.Equal(got.Changed, c.changed) {
				t.Errorf("%s", got)
			}
			head := fmt.Sprintf("facts: %d the same, %d changed\n", c.same, len(c.changed))
			if !strings.HasPrefix(got.String(), head) {
				t.Errorf("%q", got.String())
			}
		})
	}
}

// TestReadCorrections: a correction names a fact that exists, its author, its day and its words.
func TestReadCorrections(t *testing.T) {
	const right = `{"subject": "go-sdk-client", "fact": "mrtr.echo", "day": "2026-12-01",
		"by": "A maintainer", "words": "Mended in the next version.", "link": "https://example.com/1"}`
	list, err := field.ReadCorrections([]byte("[" + right + "]"))
	if err != nil || len(list) != 1 || list[0].By != "A maintainer" {
		t.Errorf("%v, %+v", err, list)
	}
	for _, change := range [][2]string{
		{"go-sdk-client", "nothing"}, {"mrtr.echo", "mrtr.nothing"}, {"2026-12-01", "1 December"},
		{"A maintainer", ""}, {"Mended in the next version.", ""}, {`"link"`, `"url"`},
		{"https://example.com/1", "javascript:alert(1)"},
	} {
		wrong := "[" + strings.Replace(right, change[0], change[1], 1) + "]"
		if list, err := field.ReadCorrections([]byte(wrong)); err == nil {
			t.Errorf("%v: %+v", change, list)
		}
	}
	if _, err := field.ReadCorrections([]byte("{}")); err == nil {
		t.Error("an object is a list")
	}
}
