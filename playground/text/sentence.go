package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// AsSentence capitalizes s and appends a period, unless s ends with a period or
// a question mark.
func AsSentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if s = string(unicode.ToUpper(r)) + s[n:]; !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}
