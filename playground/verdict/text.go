package verdict

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxLead is the longest sentence of the Lead, in characters.
const maxLead = 600

// WriteText writes the report for a terminal: the lines of each group that are not only
// counted, then the counts, then the headline. It returns the error of w.
func (r Report) WriteText(w io.Writer) error {
	var out strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	if r.Since != nil {
		r.Since.writeText(p)
	}
	for _, g := range r.Groups {
		if !g.Steps && !g.Silent {
			g.writeText(p)
			g.exhibit(p)
		}
	}
	for _, sentence := range r.Lead {
		p("%s\n", text.Visible(sentence, maxLead))
	}
	for _, g := range r.Groups {
		switch {
		case g.Silent:
		case g.Steps:
			for _, l := range g.Lines {
				if len(g.Lines) == 1 || l.Outcome != Passed {
					p("%s: %s\n", l.Title, text.Visible(l.Sentence, 600))
				}
			}
		case g.Aside:
			p("%s (not counted): %s\n", strings.ToLower(g.Title), g.Words())
		default:
			p("%s: %s\n", cmp.Or(g.Label, strings.ToLower(g.Title)), g.Words())
		}
	}
	for _, reason := range r.reasons() {
		p("%s\n", reason)
	}
	for _, note := range r.Notes {
		p("%s\n", text.Visible(note, 600))
	}
	p("%s\n", r.Headline().Words)
	_, err := io.WriteString(w, out.String())
	return err
}

// maxColumn is the width of the column of names.
const maxColumn = 40

// writeText writes the lines of a group below its title, or below their parts.
func (g Group) writeText(p func(format string, args ...any)) {
	heading := ""
	for _, l := range g.shown() {
		if h := cmp.Or(l.Part, g.Title); h != heading {
			heading = h
			p("%s\n", heading)
		}
		name := l.Name()
		if g.Named {
			name = l.Title
		}
		row := func(first, level, name, words string) {
			line := fmt.Sprintf("  %-16s %-10s %-40s %s", first, level, name, words)
			p("%s\n", strings.TrimRight(line, " "))
		}
		words := text.Visible(cmp.Or(l.Came, l.Sentence), 600)
		if g.Named && len(name) > maxColumn { // a sentence
			row(l.label(), string(l.Level), text.Visible(name, 300), "")
			if words != "" && l.Outcome != Passed {
				row("", "", words, "")
			}
		} else {
			row(l.label(), string(l.Level), text.Visible(name, 120), words)
		}
		if l.Came != "" && l.Outcome != Passed {
			row("", "", text.Visible(l.Sentence, 300), "")
		}
		if !l.Outcome.Wrong() {
			continue
		}
		place := l.Place.String()
		if l.Times > 1 {
			place = strings.TrimSpace(fmt.Sprintf("%s (and %d more)", place, l.Times-1))
		}
		for _, more := range []string{place, l.Clause, l.same()} {
			if more != "" {
				row("", "", more, "")
			}
		}
	}
}

// label returns the glyph and the word of the outcome, and whether it is an old one.
func (l Line) label() string {
	if l.Old {
		return l.Outcome.Label() + " (old)"
	}
	return l.Outcome.Label()
}

// exhibit writes the exhibit of a group in which something failed.
func (g Group) exhibit(p func(format string, args ...any)) {
	for _, line := range g.exhibited() {
		p("    %s\n", text.Visible(line, maxExhibit))
	}
}

// maxExhibit is the longest line of an exhibit, in characters.
const maxExhibit = 300

// exhibited returns the exhibit, if something failed.
func (g Group) exhibited() []string {
	if g.Counts().Failed == 0 {
		return nil
	}
	return g.Exhibit
}

// list is one part of a comparison.
type list struct {
	word  string
	lines []Line
}

// lostWord is what a line is that was judged before.
const lostWord = "not judged any more"

// lists returns the parts of a comparison that are named one by one, the worst first.
func (c Comparison) lists() []list {
	return []list{{"new", c.New}, {lostWord, c.Lost}, {"gone", c.Gone}}
}

// writeText writes what differs, before anything else.
func (c Comparison) writeText(p func(format string, args ...any)) {
	p("%s\n", text.Visible(c.Words(), maxLead))
	for _, part := range c.lists() {
		for i, l := range part.lines {
			if part.word == lostWord && i == mostLost {
				p("  %-20s and %d more\n", part.word, len(part.lines)-i)
				break
			}
			line := fmt.Sprintf("  %-20s %-40s %s", part.word, text.Visible(l.Name(), 120),
				text.Visible(l.Told(), 300))
			p("%s\n", strings.TrimRight(line, " "))
		}
	}
}
