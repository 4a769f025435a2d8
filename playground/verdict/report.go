// Package verdict is the one report about a judged subject: a server, a client,
// an exercise. A judge makes Lines; pages, files, texts and exit codes are made
// from the Report that has them. The package knows no rule and no scenario, and
// decides no outcome of a Line.
//
// # Contract
//
// Green is earned. A Headline is Passed only if nothing failed, nothing
// stopped, something was judged, and the Report has no Gaps. A maker of a
// Report must fill in Gaps: a report about a call that never worked has no
// failures either.
//
// A Line whose outcome is neither Failed, Advisory nor Passed has the reason as
// its Sentence; without one, a text can only say that no reason is known. A
// fault that two judges see is a Line of each, and one of them has the name of
// the other in SameAs; otherwise the fault is counted twice. Foreign text in a
// Line needs no escaping by the judge: each writer makes it harmless for its
// format.
//
// The package is pure. Its functions may be called from several goroutines.
//
// # Design
//
// Each format has one writer, and words, glyphs and order of the outcomes stand
// in one table. Of several outcomes about the same thing, the first one in the
// table counts (Line.Outweighs), and lists are sorted by it. A Line is one
// value with everything that any format shows, so that no format decides for
// itself which lines count. A new outcome needs its row in the table and its
// field in Counts; without the field it is counted as not judged.
package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Line has the result of judging one thing. Foreign text in it is written so
// that it does no harm, in every format.
type Line struct {
	ID          string // of a rule, an experiment, a check or a requirement
	Scope       string // id of the whole that the check is part of, such as a scenario; empty for none
	Part        string // heading that the line stands under; empty for none
	Title       string // the requirement, or the subject of the check
	Requirement string // id in package spec; empty for none
	Level       spec.Level
	Outcome     Outcome
	Sentence    string // the finding; or the reason why there is none
	Clause      string // link; empty for none
	Place       Place
	Times       int // how often there is this outcome; 0 counts as once

	// SameAs is the name of the line of another judge that counts the same fault; empty if
	// this one does.
	SameAs string

	Expected string // the right reaction, in a few words; empty for none
	Came     string // the reaction that came, in a few words; empty for none

	Old       bool     // it failed in the Baseline as well
	Mend      string   // the right behavior, in a sentence; empty for the Title
	Also      []string // other names of the same fault
	Reference string   // explanation, for agents: the URI of a resource; empty for none
	Exchange  string   // id of the recording that shows it, for agents; empty for none
}

// Name returns the id, after that of its scope.
func (l Line) Name() string { return strings.TrimSpace(l.Scope + " " + l.ID) }

// Told returns the finding in one text, which begins with the title if that names an experiment or
// a scenario of which the finding speaks.
func (l Line) Told() string {
	switch {
	case l.Sentence == "":
		return l.Title
	case l.Expected != "":
		return l.Title + ": " + l.Sentence
	}
	return l.Sentence
}

// same returns in words which line counts the fault, or "".
func (l Line) same() string {
	if l.SameAs == "" {
		return ""
	}
	return "counted as " + l.SameAs
}

// Outweighs returns the line that counts of two about the same thing: the one whose
// outcome comes first, or old, counted up, if both have the same one.
func (l Line) Outweighs(old Line) Line {
	switch {
	case old.ID == "" || l.Outcome.Compare(old.Outcome) < 0:
		return l
	case l.Outcome == old.Outcome:
		old.Times++
	}
	return old
}

// Group is a list of lines of one judge.
type Group struct {
	ID     string // in files: the name of a test suite
	Member string // of a JSON report that has the lines; empty if it is called ID
	Title  string
	Class  string // in JUnit, before the scope of a line
	Noun   string // heads the column of names, such as "Rule"
	Label  string // stands before the counts in a terminal; empty for the title
	Empty  string // stands for the counts if there are no lines; may be empty
	Lines  []Line

	// Steps had to be made for anything to be judged. They are not counted, and one that
	// was not made is an error in JUnit.
	Steps bool
	// Silent groups are written as JUnit only: the Lead of the report has their
	// content.
	Silent bool
	// Aside is about another party. It is shown, and neither counted nor part of the
	// headline.
	Aside bool
	// Whole shows every line. Else those that passed, were not reached, or do not apply
	// are only counted.
	Whole bool
	// Named shows a line by its title instead of its id.
	Named bool
	// Ordered keeps the lines in their order. Else those whose outcome comes first are first.
	Ordered bool
	// Exhibit has lines of text that are shown, as they are laid out, where a line failed.
	Exhibit []string
}

// Counts counts the lines of the group.
func (g Group) Counts() Counts {
	var c Counts
	for _, l := range g.Lines {
		c.Add(l.Outcome)
	}
	return c
}

// Words returns the counts in one text.
func (g Group) Words() string {
	if len(g.Lines) == 0 {
		return cmp.Or(g.Empty, "nothing to judge")
	}
	return strings.Join(g.Counts().Words(), ", ")
}

// shown returns the lines to list, each part in the order of the outcomes. Parts keep
// the order of their first lines.
func (g Group) shown() []Line {
	var parts []string
	var list []Line
	for _, l := range g.Lines {
		if !slices.Contains(parts, l.Part) {
			parts = append(parts, l.Part)
		}
		if g.Whole || l.Outcome.Wrong() || l.Outcome == Stopped {
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(a, b Line) int {
		if a.Part != b.Part || g.Ordered {
			return slices.Index(parts, a.Part) - slices.Index(parts, b.Part)
		}
		return a.Outcome.Compare(b.Outcome)
	})
	return list
}

// Progress is how far the judging has come.
type Progress struct {
	Status string // of the judged calls, such as "complete"; may be empty
	Done   bool   // no more comes
}

// Report has the judgements about one subject.
type Report struct {
	Name     string   // of the command that made it, in JUnit
	Title    string   // of the report, such as the name of a server
	Party    string   // "server" or "client"
	Extent   string   // how much was recorded: "12 requests"
	Lead     []string // sentences about the subject and how it was judged
	Groups   []Group
	Notes    []string // sentences about omissions
	Progress Progress
	// Gaps are the reasons why the report as a whole proves nothing although nothing
	// failed, a sentence each: the right call did not work, nothing that was asked was
	// continued, or a chosen part was not reached.
	Gaps []string
	// Left are sentences about steps that the party left open, so that
	// they were not judged, where others were. The headline has them; they
	// change no exit code.
	Left []string

	Fails string // begins the headline if something failed; empty for the usual words
	Keeps string // begins it if nothing did; empty for the usual words

	Since *Comparison // with an earlier report; nil for none
}

// Counts counts the lines of all groups that judge the party, a fault that several judges
// see once.
func (r Report) Counts() Counts {
	var c Counts
	for _, g := range r.Groups {
		if g.Steps || g.Aside {
			continue
		}
		for _, l := range g.Lines {
			if l.SameAs == "" || !l.Outcome.Wrong() {
				c.Add(l.Outcome)
			}
		}
	}
	return c
}

// Group returns the group with an id, or an empty one.
func (r Report) Group(id string) Group {
	i := slices.IndexFunc(r.Groups, func(g Group) bool { return g.ID == id })
	if i < 0 {
		return Group{ID: id}
	}
	return r.Groups[i]
}

// Headline is the result of a report.
type Headline struct {
	Outcome Outcome // Passed only if it is earned: see Report.Headline
	Words   string
	Lead    string   // the first sentence of Words, without the counts
	After   []string // the sentences of Words that follow the counts
}

// Headline sums up every group that judges the party. It is Passed only if nothing failed
// and nothing stopped, something was judged, and the report has no Gaps. What was not
// judged or not reached is always in its words.
func (r Report) Headline() Headline {
	c := r.Counts()
	h := Headline{Outcome: Passed, Words: cmp.Or(r.Keeps, "No violation by this "+r.Party)}
	switch {
	case c.Failed > 0 && r.onlyOld():
		h.Outcome = Advisory
		h.Words = fmt.Sprintf("Nothing new: this %s still fails %s", r.Party, text.Plural(c.Failed, "check"))
	case c.Failed > 0 && r.Since != nil:
		h.Outcome = Failed
		h.Words = fmt.Sprintf("This %s newly fails %s", r.Party, text.Plural(len(r.Since.New), "check"))
		if n := len(r.Since.Unchanged); n > 0 {
			h.Words += fmt.Sprintf(", and still %d", n)
		}
	case c.Failed > 0:
		h.Outcome = Failed
		h.Words = cmp.Or(r.Fails, fmt.Sprintf("This %s fails %s", r.Party, text.Plural(c.Failed, "check")))
	case c.Judged() == 0:
		h.Outcome, h.Words = NotJudged, "Nothing could be judged"
	case c.Stopped > 0:
		h.Outcome = Stopped
	case len(r.Gaps) > 0:
		h.Outcome = NotJudged
	}
	h.Lead = h.Words + "."
	if r.Extent != "" {
		h.Words += " in " + r.Extent
	}
	if c.Failed == 0 { // how much was seen bounds only what was not found
		h.Lead = h.Words + "."
	}
	h.After = slices.Concat(r.Gaps, r.Left)
	for _, o := range []Outcome{Advisory, Stopped, NotJudged, NotReached} {
		if n := c.Of(o); n > 0 {
			h.Words += ", " + o.Count(n)
		}
	}
	h.Words += "."
	for _, sentence := range h.After {
		h.Words += " " + sentence
	}
	return h
}

// Failures returns the lines of what failed, a fault that several judges see once.
func (r Report) Failures() []Line {
	var list []Line
	for _, g := range r.Groups {
		if g.Steps || g.Aside {
			continue
		}
		for _, l := range g.Lines {
			if l.Outcome == Failed && l.SameAs == "" {
				list = append(list, l)
			}
		}
	}
	return list
}

// OK reports whether the headline is green.
func (r Report) OK() bool { return r.Headline().Outcome == Passed }

// onlyOld reports whether everything that failed had failed in an earlier report.
func (r Report) onlyOld() bool { return r.Since != nil && len(r.Since.New) == 0 }

// ExitCode returns the exit code of a command that prints the report: 1 if something
// failed that had not failed before, else 3 if the report proves nothing, else 0.
func (r Report) ExitCode() int {
	switch c := r.Counts(); {
	case c.Failed > 0 && !r.onlyOld():
		return 1
	case c.Judged() == 0 || len(r.Gaps) > 0:
		return 3
	}
	return 0
}
