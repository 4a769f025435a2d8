package prose

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Exact returns recorded bytes as text, which ExactText renders. The second result
// reports whether some bytes are shown as \x escapes because HTML cannot hold them.
func Exact(b []byte) (exact string, escaped bool) {
	escaped = !Holdable(string(b))
	return ExactPart(b, escaped), escaped
}

// ExactPart returns a part of the result of Exact.
func ExactPart(b []byte, escaped bool) string {
	if escaped {
		return escapeBytes(b)
	}
	return string(b)
}

// InPre returns text as it follows the start tag of a pre element. A parser
// drops a newline there, even an escaped one, and some drop a CR as well, so
// that text that begins with either gets a newline in front.
func InPre(text string) string {
	if strings.HasPrefix(text, "\n") || strings.HasPrefix(text, "\r") {
		return "\n" + text
	}
	return text
}

// InTextarea returns text as it follows the start tag of a textarea, where a
// parser drops the first newline.
func InTextarea(text string) string { return "\n" + text }

// Holdable reports whether an HTML document can hold the text as it is.
func Holdable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	})
}

// ByteCount returns a number of bytes: "612 B", "1 093 B", "683.6 KiB".
func ByteCount(n int) string {
	switch {
	case n >= 100_000:
		return text.Size(n)
	case n >= 1000:
		return fmt.Sprintf("%d\u00a0%03d\u00a0B", n/1000, n%1000)
	}
	return strconv.Itoa(n) + "\u00a0B"
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

// ViewsWords returns how often a link was opened.
func ViewsWords(n int) string {
	switch n {
	case 0:
		return "not opened yet"
	case 1:
		return "opened once"
	}
	return fmt.Sprintf("opened %d times", n)
}
