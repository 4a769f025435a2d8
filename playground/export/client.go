package export

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
)

// Client returns the board of a client as Markdown: what is wrong first, then
// the counts. The same board gives the same bytes. Foreign text is escaped.
func Client(b capture.Board) []byte {
	var out strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	name := strings.Join(b.Clients, ", ")
	if name == "" {
		name = "a client"
	}
	p("# Report on %s\n\n%s Server: %s.\n\n", inline(name), inline(b.Words()), inline(b.Server))
	checks, rules, behind := b.Open()
	if b.Checks != nil {
		p("## Client test\n\n**%s**\n\n", capture.CountWords(b.Checks))
		clientTable(p, "Scenario", checks)
	}
	p("## Rules\n\n**%s**\n\n", capture.CountWords(b.Rules))
	clientTable(p, "Rule", rules)
	if len(b.Behind) > 0 {
		p("## Server\n\n**%s**. This does not count for the client.\n\n", capture.CountWords(b.Behind))
		clientTable(p, "Rule", behind)
	}
	if note := b.Note(); note != "" {
		p("%s\n\n", inline(note))
	}
	if len(b.Runs) > 0 {
		p("## Runs\n\n| Scenario | Requests | Command |\n| --- | --- | --- |\n")
	}
	for _, r := range b.Runs {
		p("| %s | %d | %s |\n", inline(r.Scenario), r.Report.Requests(), inline(r.Ended))
	}
	return []byte(out.String())
}

// clientTable writes lines as a table.
func clientTable(p func(string, ...any), first string, lines []capture.Line) {
	if len(lines) == 0 {
		return
	}
	p("| %s | Verdict | Level | Found | Where |\n| --- | --- | --- | --- | --- |\n", first)
	for _, l := range lines {
		ending, word := l.Verdict.Standing()
		name := inline(l.ID)
		if l.Scenario != "" {
			name = inline(l.Scenario + ": " + l.ID)
		}
		if l.Link != "" {
			name = fmt.Sprintf("[%s](%s)", name, l.Link)
		}
		p("| %s | %s | %s | %s | %s |\n", name, strings.TrimSpace(ending.Glyph()+" "+word), l.Level,
			inline(l.Text), inline(l.Where.String()))
	}
	p("\n")
}
