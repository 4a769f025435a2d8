package export

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// inline makes a stranger's text harmless inside a line of Markdown: every sign
// that could begin markup, a link or HTML is escaped, and what cannot be seen
// is shown.
func inline(s string) string {
	var b strings.Builder
	for _, r := range text.Lines(cut(s, 300), text.NoLimit) {
		switch {
		case r == '\n':
			b.WriteByte(' ')
			continue
		case r < 0x80 && unicode.In(r, unicode.Punct, unicode.Symbol) && !strings.ContainsRune(meansNothing, r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// meansNothing are the signs that no Markdown gives a meaning inside a line. The
// colon is none of them: it makes a link of an address.
const meansNothing = `/,;'"%?`

// fenced is a code block whose fence no line inside can close.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}

// cut shortens a text to n characters and says so.
func cut(s string, n int) string {
	count := 0
	for i := range s {
		if count++; count > n {
			return fmt.Sprintf("%s … (%d bytes more)", s[:i], len(s)-i)
		}
	}
	return s
}
