package text

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// NewTerminal returns a writer that passes text on to w with every hidden
// character replaced by its notation, so that nothing a server sends can move
// the cursor, hide a line or write to the clipboard. Line feeds and tabs stay.
// Each Write is a text of its own.
func NewTerminal(w io.Writer) io.Writer { return terminal{w} }

type terminal struct{ w io.Writer }

func (t terminal) Write(b []byte) (int, error) {
	if _, err := io.WriteString(t.w, Lines(string(b), NoLimit)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// EscapeJSON returns JSON text with every hidden character in a string replaced
// by its escape (\u202E). The value stays the same. White space between values
// stays, and so do bytes that are not UTF-8, which JSON does not allow.
func EscapeJSON(b []byte) []byte {
	s := string(b)
	if isPrintableLayout(s) {
		return b
	}
	var out strings.Builder
	from := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		layout := r == '\n' || r == '\r' || r == '\t'
		if isHidden(r) && !layout && (r != utf8.RuneError || n > 1) {
			out.WriteString(s[from:i])
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&out, `\u%04X`, unit)
			}
			from = i + n
		}
		i += n
	}
	out.WriteString(s[from:])
	return []byte(out.String())
}

func isPrintableLayout(s string) bool {
	for i := range len(s) {
		if (s[i] < ' ' || s[i] > '~') && s[i] != '\n' && s[i] != '\r' && s[i] != '\t' {
			return false
		}
	}
	return true
}
