package text

import (
	"fmt"
	"strings"
	"unicode"
)

// maxMarkdown is the longest foreign text in a line of Markdown, in characters.
const maxMarkdown = 600

// Markdown returns a foreign text for use inside a line of Markdown: every
// character that could begin markup, a link or HTML is escaped, and hidden
// characters are shown.
func Markdown(s string) string {
	var b strings.Builder
	runes := []rune(Lines(Cut(s, maxMarkdown), NoLimit))
	for i, r := range runes {
		previous, next := ' ', ' '
		if i > 0 {
			previous = runes[i-1]
		}
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch {
		case r == '\n':
			b.WriteByte(' ')
			continue
		case r < 0x80 && unicode.In(r, unicode.Punct, unicode.Symbol) && !isPlain(previous, r, next):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// isPlain reports whether a character has no meaning in Markdown between its
// two neighbours. A period or colon inside a word could make a link of an
// address; a number with a period or parenthesis, or a hyphen before a space,
// could make a list.
func isPlain(previous, r, next rune) bool {
	switch r {
	case '.', ':', ')':
		return (next == ' ' || next == '\n' || r == ')') && !unicode.IsDigit(previous)
	case '-':
		return previous != ' ' && previous != '-' && next != '-'
	}
	return strings.ContainsRune(`/,;'"%?(`, r)
}

// Chars returns at most the first n characters of a text, as valid UTF-8.
func Chars(s string, n int) string {
	runes := []rune(strings.ToValidUTF8(s, "\ufffd"))
	return string(runes[:min(len(runes), n)])
}

// Cut returns the first n characters of a text, with the number of bytes
// omitted.
func Cut(s string, n int) string {
	count := 0
	for i := range s {
		if count++; count > n {
			return fmt.Sprintf("%s … (%d bytes more)", s[:i], len(s)-i)
		}
	}
	return s
}
