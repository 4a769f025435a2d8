package judged

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

// Line returns the verdict in a few words, for a list: "3 failed · 128 passed". What proves
// nothing has no counts, because those of what passed would look like praise.
func (c Card) Line() standing.Standing {
	n := map[verdict.Outcome]int{}
	for _, count := range c.Counts {
		n[verdict.Outcome(count.Kind)] = count.N
	}
	s := standing.OfVerdict(c.Verdict)
	passed, advisories := n[verdict.Passed], n[verdict.Advisory]
	switch c.Verdict {
	case verdict.Failed:
		s.Word = verdict.Failed.Count(n[verdict.Failed])
		if passed > 0 {
			s.Word += " · " + verdict.Passed.Count(passed)
		}
	case verdict.Passed:
		s.Word = fmt.Sprintf("nothing failed in %s", text.Plural(passed+advisories, "check"))
		if advisories > 0 {
			s.Word += " · " + verdict.Advisory.Count(advisories)
		}
	}
	return s
}
