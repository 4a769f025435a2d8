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
	for _, g := range r.Groups {
		if !g.Steps && !g.Silent {
			g.writeText(p)
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
			row(l.Outcome.Label(), string(l.Level), text.Visible(name, 300), "")
			if words != "" && l.Outcome != Passed {
				row("", "", words, "")
			}
		} else {
			row(l.Outcome.Label(), string(l.Level), text.Visible(name, 120), words)
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
