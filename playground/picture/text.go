package picture

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxRunes is how much of a server's text is shown; more never fits a label or a
// sentence.
const maxRunes = 120

// maxMarks is how many combining marks may stack on one character, so that
// they stay inside their row.
const maxMarks = 2

// visible returns a server's text as one line of bounded length, with a symbol
// for every control, direction and invisible character. It does not escape
// markup: the back ends do.
func visible(s string) string {
	var out strings.Builder
	runes, marks := 0, 0
	for i, r := range s {
		if runes++; runes > maxRunes {
			out.WriteString("…")
			break
		}
		if marks = stacked(r, marks); marks > maxMarks {
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		out.WriteString(symbol(r, size))
	}
	return out.String()
}

// stacked counts the combining marks that follow each other.
func stacked(r rune, marks int) int {
	if r >= utf8.RuneSelf && unicode.In(r, unicode.Mn, unicode.Me) {
		return marks + 1
	}
	return 0
}

// symbol is how one character is shown. An invalid byte, which has size 1, looks
// like U+FFFD.
func symbol(r rune, size int) string {
	switch {
	case ' ' <= r && r <= '~':
		return string(r)
	case r == '\n':
		return "↵"
	case r < 0x20:
		return string(rune(0x2400) + r)
	case r == 0x7f:
		return "␡"
	case r == utf8.RuneError && size == 1:
		return "\ufffd"
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp), r == 0xfffe, r == 0xffff:
		return fmt.Sprintf("⟨%04X⟩", r)
	}
	return string(r)
}

// plural counts things: "1 round", "2 rounds".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
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
