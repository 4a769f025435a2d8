package doctor

import (
	"fmt"
	"io"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Mark returns the glyph of a step.
func (s Step) Mark() string {
	if s.Deliberate {
		return "→"
	}
	if s.Outcome == verdict.Stopped {
		return "◐"
	}
	return s.Outcome.Glyph()
}

// Word returns the outcome of a step in a word.
func (s Step) Word() string {
	switch {
	case s.Deliberate:
		return "deliberate"
	case s.Outcome == verdict.Passed:
		return "fine"
	case s.Outcome == verdict.Advisory:
		return "surprising"
	case s.Outcome == verdict.Stopped:
		return "sign-in needed"
	case s.Outcome == verdict.NotJudged:
		return "not found"
	}
	return s.Outcome.Word()
}

// WriteText writes the list for a terminal: one line for each step that is fine, and below
// the others what came, in the server's own words where it says why, and what to do.
func (l List) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, s := range l.Reached() {
		came := s.Came
		if s.URL != "" {
			came += " (" + s.URL + ")"
		}
		fmt.Fprintf(&b, "  %s %s (%s): %s\n", s.Mark(), s.Title, s.Word(), came)
		if s.Body != "" {
			fmt.Fprintf(&b, "      the body begins: %s\n", s.Body)
		}
		if s.Do != "" {
			fmt.Fprintf(&b, "      to do: %s\n", s.Do)
		}
		if s.Flags != "" && s.Wrong() {
			fmt.Fprintf(&b, "      flags: %s\n", s.Flags)
		}
		for _, g := range s.Suggestions {
			fmt.Fprintf(&b, "      try:   %s\n",
				strings.TrimSpace(g.URL+g.Command+"  "+text.Visible(g.Why, 600)))
		}
		if s.Anyway != "" {
			fmt.Fprintf(&b, "      or, against the specification, go on anyway with -anyway %s: %s\n",
				s.Anyway, WordsOf(s.Anyway).GivesUp)
		}
		if s.Clause != "" && s.Outcome != verdict.Passed {
			fmt.Fprintf(&b, "      see:   %s\n", s.Link())
		}
	}
	if rest := l.Unreached(); len(rest) > 0 {
		fmt.Fprintf(&b, "  – not reached: %s\n", strings.Join(rest, ", "))
	}
	_, err := io.WriteString(text.NewTerminal(w), b.String())
	return err
}
