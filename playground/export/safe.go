package export

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// inline returns a foreign text for use inside a line of Markdown: every
// character that could begin markup, a link or HTML is escaped, and hidden
// characters are shown.
func inline(s string) string {
	var b strings.Builder
	runes := []rune(text.Lines(cut(s, 600), text.NoLimit))
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

// fenced returns a code block with a fence that the text cannot close.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}

// cut returns the first n characters of a text, with the number of bytes
// omitted.
func cut(s string, n int) string {
	count := 0
	for i := range s {
		if count++; count > n {
			return fmt.Sprintf("%s … (%d bytes more)", s[:i], len(s)-i)
		}
	}
	return s
}
