package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Markdown returns the report as Markdown: the headline, then for each group its counts and
// a table of the lines that are not only counted. The same report gives the same bytes.
// Foreign text is escaped.
func (r Report) Markdown() []byte {
	var out strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	p("# Report on %s\n\n", text.Markdown(r.Title))
	p("**%s**\n\n", text.Markdown(r.Headline().Words))
	if r.Since != nil {
		r.Since.markdown(p)
	}
	for _, sentence := range r.Lead {
		p("%s\n\n", text.Markdown(sentence))
	}
	for _, g := range r.Groups {
		if g.Silent || g.Steps && len(g.Lines) == 0 {
			continue
		}
		p("## %s\n\n", text.Markdown(g.Title))
		switch {
		case g.Aside:
			p("**%s**. This does not count for the %s.\n\n", g.Words(), r.Party)
		case !g.Steps:
			p("**%s**\n\n", g.Words())
		}
		g.tables(p)
	}
	for _, sentence := range slices.Concat(r.reasons(), r.Notes) {
		p("%s\n\n", text.Markdown(sentence))
	}
	return []byte(out.String())
}

// column is a column of a table. It is left out if no line has anything in it.
type column struct {
	head string
	cell func(Line) string
}

// columns returns the columns of the tables of a group.
func (g Group) columns() []column {
	escaped := func(words func(Line) string) func(Line) string {
		return func(l Line) string { return text.Markdown(words(l)) }
	}
	return []column{
		{g.Noun, g.linked},
		{"Expected", escaped(func(l Line) string {
			if l.Expected == "" {
				return ""
			}
			return strings.TrimSpace(string(l.Level) + " " + l.Expected)
		})},
		{"Came back", escaped(func(l Line) string { return l.Came })},
		{"Verdict", Line.label},
		{"Level", func(l Line) string {
			if l.Expected != "" {
				return ""
			}
			return string(l.Level)
		}},
		{"Found", escaped(func(l Line) string { return l.Sentence })},
		{"Where", escaped(func(l Line) string { return l.Place.String() })},
		{"Counted", escaped(func(l Line) string { return strings.TrimPrefix(l.same(), "counted ") })},
	}
}

// linked returns the name of a line, which leads to its clause.
func (g Group) linked(l Line) string {
	name := l.ID
	switch {
	case g.Named:
		name = l.Title
	case l.Scope != "":
		name = l.Scope + ": " + l.ID
	}
	if l.Clause == "" {
		return text.Markdown(name)
	}
	return fmt.Sprintf("[%s](%s)", text.Markdown(name), l.Clause)
}

// tables writes the lines as a table for each part.
func (g Group) tables(p func(format string, args ...any)) {
	list := g.shown()
	if g.Steps {
		list = g.Lines
	}
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(l Line) bool { return l.Part != list[0].Part })
		if n < 0 {
			n = len(list)
		}
		if part := list[0].Part; part != "" {
			p("### %s\n\n", text.Markdown(part))
		}
		g.table(p, list[:n])
		list = list[n:]
	}
	if lines := g.exhibited(); len(lines) > 0 {
		p("~~~text\n")
		for _, line := range lines {
			p("%s\n", strings.ReplaceAll(text.Visible(line, maxExhibit), "~~~", "~ ~ ~"))
		}
		p("~~~\n\n")
	}
}

// markdown writes what differs.
func (c Comparison) markdown(p func(format string, args ...any)) {
	p("%s\n\n", text.Markdown(c.Words()))
	written := false
	for _, part := range c.lists() {
		for _, l := range part.lines {
			p("* **%s**: %s: %s\n", part.word, text.Markdown(l.Name()),
				text.Markdown(text.Visible(l.Told(), 300)))
			written = true
		}
	}
	if written {
		p("\n")
	}
}

func (g Group) table(p func(format string, args ...any), lines []Line) {
	columns := slices.DeleteFunc(g.columns(), func(c column) bool {
		return !slices.ContainsFunc(lines, func(l Line) bool { return c.cell(l) != "" })
	})
	for _, c := range columns {
		p("| %s ", c.head)
	}
	p("|\n%s|\n", strings.Repeat("| --- ", len(columns)))
	for _, l := range lines {
		for _, c := range columns {
			p("| %s ", c.cell(l))
		}
		p("|\n")
	}
	p("\n")
}
