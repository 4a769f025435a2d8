package picture

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRunes is how much of a stranger's text is looked at; more than that never
// fits a label or a sentence.
const maxRunes = 120

// maxMarks is how many combining marks may stack on one character, so that
// none climbs out of its row.
const maxMarks = 2

// visible makes a stranger's text safe to look at: one line, of bounded length,
// with every control, direction and invisible character shown as a sign of its
// own. It does not escape markup; that belongs to whoever writes markup.
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
		out.WriteString(sign(r, size))
	}
	return out.String()
}

func stacked(r rune, marks int) int {
	if r >= utf8.RuneSelf && unicode.In(r, unicode.Mn, unicode.Me) {
		return marks + 1
	}
	return 0
}

// sign is how one character is shown. Size tells a real U+FFFD (3 bytes) from a
// byte that is no UTF-8 (1 byte); both look alike on purpose.
func sign(r rune, size int) string {
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
