package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxSentence is the longest sentence of a line for agents, in characters.
const maxSentence = 500

// AgentText returns the report for an agent: the headline and how many passed, the
// sentences about it, the faults and the places where something stopped with
// the right behavior, the reasons why the rest was not judged, and the notes.
func (r Report) AgentText() string {
	var out strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	p("%s %s.", r.Headline().Words, Passed.Count(r.Counts().Passed))
	for _, sentence := range r.Lead {
		if sentence != "" {
			p("%s", text.Visible(sentence, maxLead))
		}
	}
	type entry struct {
		line Line
		noun string
	}
	var list []entry
	for _, g := range r.Groups {
		if g.Steps || g.Aside {
			continue
		}
		for _, l := range g.shown() {
			if l.Outcome.Wrong() || l.Outcome == Stopped {
				list = append(list, entry{l, g.Noun})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.line.Outcome.Compare(b.line.Outcome) })
	for _, e := range list {
		p("- %s", e.line.AgentText(e.noun))
	}
	for _, sentence := range slices.Concat(r.reasons(), r.Notes) {
		p("%s", sentence)
	}
	return strings.TrimSpace(out.String())
}

// AgentText returns the line for an agent. The noun is the kind of thing that
// the id names.
func (l Line) AgentText(noun string) string {
	first := l.Outcome.Word() + " " + strings.TrimSpace(strings.ToLower(noun)+" "+l.Name())
	if len(l.Also) > 0 {
		first += " (" + strings.Join(l.Also, ", ") + ")"
	}
	words := []string{first + ": " + text.Visible(l.Sentence, maxSentence)}
	if right := cmp.Or(l.Mend, l.Title); right != "" {
		words = append(words, "Right: "+right)
	}
	if l.SameAs != "" {
		words = append(words, "It is "+l.same()+".")
	}
	if l.Clause != "" {
		words = append(words, l.Clause)
	}
	if l.Reference != "" {
		words = append(words, "See "+l.Reference+".")
	}
	if l.Exchange != "" {
		words = append(words, "Exchange: "+l.Exchange)
	}
	return strings.Join(words, " ")
}
