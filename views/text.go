package views

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// exact is the HTML of recorded bytes inside pre: escaped and nothing else, so
// that the element's text is the bytes. A parser drops a first newline and
// turns CR into LF, which the escapes prevent. The second result reports
// whether the bytes had to be shown as \x escapes because HTML cannot hold
// them.
func exact(b []byte) (html string, escaped bool) {
	s := string(b)
	if !holdable(s) {
		s, escaped = escapeBytes(b), true
	}
	s = strings.ReplaceAll(templ.EscapeString(s), "\r", "&#13;")
	if strings.HasPrefix(s, "\n") {
		s = "&#10;" + s[1:]
	}
	return s, escaped
}

// holdable reports whether an HTML document can hold the text as it is.
func holdable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	})
}

func escapeBytes(b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 || unicode.IsControl(r) && r != '\n' && r != '\t' {
			for _, c := range b[:n] {
				fmt.Fprintf(&out, "\\x%02x", c)
			}
		} else {
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.String()
}
