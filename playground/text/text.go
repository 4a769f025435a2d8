// Package text makes foreign text harmless and visible, and writes counts,
// sizes and durations in words.
//
// Every word of a server, of a file or of another program goes through Visible,
// Prose or Lines before it reaches a page, a terminal, a log or a file. There is one
// rule and one notation:
//
//   - A character that is not seen, or that changes how its neighbours are
//     shown, is replaced by its code point in angle brackets: ⟨U+202E⟩. These
//     are the categories Cc, Cf, Co, Cs, Zl and Zp, variation selectors, the
//     other default-ignorable characters and noncharacters.
//   - A byte that is not UTF-8 is replaced by its value: ⟨0xFF⟩.
//   - In a single line a line feed (or CR LF) becomes ↵ and a tab ⇥; in a text
//     of several lines both are kept, and CR LF becomes a line feed.
//   - Four characters are kept where a text needs them: U+FE0E and U+FE0F
//     directly after a symbol, where they choose between its text and its emoji
//     form; the joiner U+200D between two emoji; and U+200C and U+200D between
//     two characters of a script whose letters they shape, such as Arabic and
//     Devanagari.
//   - A text that is too long ends with "…".
//
// The package does not escape markup; that is the work of the code that writes
// markup. It never changes recorded bytes: bytes that are shown as exact do not
// come here.
package text

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NoLimit keeps a text whole.
const NoLimit = math.MaxInt

// Visible returns s as a single line of at most limit characters, with every
// hidden character replaced by its notation. Each character of a notation
// counts. A longer text is cut between two characters or notations and ends
// with "…", which is not counted.
func Visible(s string, limit int) string { return visible(s, limit, false) }

// Lines returns s like Visible, but keeps line feeds and tabs.
func Lines(s string, limit int) string { return visible(s, limit, true) }

// Prose returns s like Visible, for a description or message that was written in several
// lines: a line break, with the blanks around it, is one space.
func Prose(s string, limit int) string {
	return Visible(lineBreaks.ReplaceAllString(strings.Trim(s, " \t\n"), " "), limit)
}

var lineBreaks = regexp.MustCompile(`[ \t]*(?:\r?\n[ \t]*)+`)

// Hidden returns the hidden characters of s, each once, in the order in which
// they first appear. Line feeds, CR LF and tabs are ordinary layout and not
// reported. Bytes that are not UTF-8 are reported as U+FFFD.
func Hidden(s string) []rune {
	var found []rune
	for previous := rune(0); s != ""; {
		r, n := utf8.DecodeRuneInString(s)
		_, size, hidden := piece(s, r, n, previous, true)
		if hidden && !strings.ContainsRune(string(found), r) {
			found = append(found, r)
		}
		s, previous = s[size:], after(r, hidden)
	}
	return found
}

// visible scans s without allocating, and builds a new text only from the first
// character on that needs a change.
func visible(s string, limit int, lines bool) string {
	if len(s) <= limit && isPrintableASCII(s) {
		return s
	}
	var b strings.Builder
	from, count, previous := 0, 0, rune(0)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		shown, size, hidden := piece(s[i:], r, n, previous, lines)
		width := 1
		if shown != "" {
			width = utf8.RuneCountInString(shown)
		}
		if count += width; count > limit {
			b.WriteString(strings.TrimRight(s[from:i], kept)) // they need what follows
			b.WriteString("…")
			return b.String()
		}
		if shown != "" {
			b.WriteString(s[from:i])
			b.WriteString(shown)
			from = i + size
		}
		i, previous = i+size, after(r, hidden)
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// piece decides about the first character r of s, which is n bytes long. It
// returns the text to show instead, or "" to keep r; how many bytes that stands
// for; and whether r is hidden.
func piece(s string, r rune, n int, previous rune, lines bool) (shown string, size int, hidden bool) {
	switch {
	case ' ' <= r && r <= '~':
		return "", n, false
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("⟨0x%02X⟩", s[0]), n, true
	case strings.HasPrefix(s, "\r\n"):
		return newline[lines], 2, false
	case r == '\n' && !lines:
		return newline[lines], n, false
	case r == '\t' && !lines:
		return "⇥", n, false
	case r == '\n', r == '\t':
		return "", n, false
	case isHidden(r) && !isKept(r, previous, s[n:]):
		return fmt.Sprintf("⟨U+%04X⟩", r), n, true
	}
	return "", n, false
}

// after returns what the next character stands after: r, or nothing if r is not
// shown.
func after(r rune, hidden bool) rune {
	if hidden {
		return 0
	}
	return r
}

// newline is how CR LF is shown, in one line and in several.
var newline = map[bool]string{false: "↵", true: "\n"}

var hidden = []*unicode.RangeTable{
	unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp,
	unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point,
}

func isHidden(r rune) bool { return unicode.In(r, hidden...) }

// kept are the hidden characters that isKept may keep.
const kept = "\u200c\u200d\ufe0e\ufe0f"

// isKept reports whether the hidden character r, between previous and rest, is
// one that a text needs to be shown as its author wrote it. Any other use can
// carry a message.
func isKept(r, previous rune, rest string) bool {
	switch r {
	case 0xFE0E, 0xFE0F:
		return isSymbol(previous) || isKeycap(previous, rest)
	case 0x200C, 0x200D:
		next, _ := utf8.DecodeRuneInString(rest)
		return r == 0x200D && (isEmoji(previous) || previous == 0xFE0F) && isEmoji(next) ||
			isJoining(previous, next)
	}
	return false
}

// isSymbol reports whether r has a text and an emoji form. Four such characters
// are not in a category of symbols.
func isSymbol(r rune) bool {
	return r > unicode.MaxASCII && unicode.In(r, unicode.So, unicode.Sm) ||
		strings.ContainsRune("‼⁉ℹ〰", r)
}

// isKeycap reports whether r and rest are a key of a telephone, such as 1️⃣.
func isKeycap(r rune, rest string) bool {
	return strings.ContainsRune("0123456789#*", r) && strings.HasPrefix(rest, "\u20e3")
}

// emoji holds the blocks of the emoji that U+200D joins.
var emoji = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x2190, Hi: 0x21FF, Stride: 1}, {Lo: 0x2600, Hi: 0x27BF, Stride: 1},
		{Lo: 0x2B00, Hi: 0x2BFF, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1F000, Hi: 0x1FAFF, Stride: 1}},
}

func isEmoji(r rune) bool { return unicode.Is(emoji, r) }

// joining holds the scripts whose letters U+200C and U+200D shape.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	unicode.Sinhala, unicode.Khmer,
}

// isJoining reports whether previous and next are of one script that joins.
func isJoining(previous, next rune) bool {
	for _, script := range joining {
		if unicode.Is(script, previous) {
			return unicode.Is(script, next) && !isHidden(next)
		}
	}
	return false
}
