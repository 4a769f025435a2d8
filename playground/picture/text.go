package picture

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxRunes is how much of a server's text is shown; more never fits a label or
// a sentence.
const maxRunes = 120

// maxMarks is how many combining marks may stack on one character, so that
// they stay inside their row.
const maxMarks = 2

// visible returns a server's text as one harmless line of bounded length. It
// does not escape markup: the back ends do.
func visible(s string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
			return r
		}
		if marks++; marks > maxMarks {
			return -1
		}
		return r
	}, text.Visible(s, maxRunes))
}

// span is a duration in one unit.
func span(d time.Duration) string {
	switch {
	case 0 < d && d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f\u00a0ms", float64(d.Microseconds())/1000)
	case d < time.Second:
		return fmt.Sprintf("%d\u00a0ms", max(d.Milliseconds(), 0))
	case d < 2*time.Minute:
		return fmt.Sprintf("%d\u00a0s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d\u00a0min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d\u00a0h", int(d.Hours()))
	}
	return fmt.Sprintf("%d\u00a0days", int(d.Hours()/24))
}
