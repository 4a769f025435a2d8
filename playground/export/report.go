package export

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// Report returns the results board as Markdown: a summary, a table of
// experiments for each group, and what the rules found. The same report gives
// the same bytes. Foreign text is escaped.
func Report(r lab.Report) []byte {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("# Report on %s\n\n", inline(r.Target.Name))
	p("%s, %s.\n\n", inline(r.Target.URL), r.Status)
	if words := r.BoardCounts().Words(); len(words) > 0 {
		p("**%s**\n\n", strings.Join(words, " · "))
	}
	for _, sentence := range []string{r.Compared, r.Detail} {
		if sentence != "" {
			p("%s\n\n", inline(sentence))
		}
	}
	for _, g := range r.Groups() {
		p("## %s\n\n", inline(string(g.Group)))
		p("| Experiment | Expected | Came back | Verdict | |\n| --- | --- | --- | --- | --- |\n")
		for _, line := range g.Results {
			ending, word := line.Standing()
			p("| [%s](%s) | %s %s | %s | %s | %s |\n", inline(line.Title), line.Clause, line.Level,
				inline(line.Brief), inline(line.Got()), strings.TrimSpace(ending.Glyph()+" "+word),
				inline(line.Text))
		}
		p("\n")
	}
	p("## Rules\n\n")
	p("%d passed, %d not applicable.\n\n", len(r.Passed), len(r.NotJudged))
	if len(r.Findings) > 0 {
		p("| Rule | Verdict | Found |\n| --- | --- | --- |\n")
		for _, f := range r.Findings {
			p("| %s | %s | %s |\n", ruleLink(f.Finding), verdict(f.Verdict), inline(f.Text))
		}
	}
	return []byte(b.String())
}

func ruleLink(f rules.Finding) string { return fmt.Sprintf("[%s](%s)", inline(f.Rule), f.Link) }

func verdict(v rules.Verdict) string {
	ending, word := lab.Standing(v)
	return strings.TrimSpace(ending.Glyph() + " " + word)
}
