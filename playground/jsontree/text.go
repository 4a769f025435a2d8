package jsontree

import (
	"encoding/json"
	"unicode/utf8"
)

// unquote decodes a quoted string that scanString has accepted. Each lone
// surrogate and each byte of invalid UTF-8 becomes U+FFFD, as in encoding/json.
func unquote(quoted []byte) string {
	b := quoted[1 : len(quoted)-1]
	if isPlain(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\\':
			r, n := Unescape(b[i:])
			out = utf8.AppendRune(out, r)
			i += n
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRune(b[i:])
			out = utf8.AppendRune(out, r)
			i += n
		}
	}
	return string(out)
}

// isPlain reports whether a string is ASCII without escapes, as most are.
func isPlain(b []byte) bool {
	for _, c := range b {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Quote returns s as a JSON string with as few escapes as possible: <, & and
// U+2028 are not escaped. Invalid UTF-8 becomes U+FFFD, because JSON cannot
// carry it.
func Quote(s string) json.RawMessage { return appendQuoted(nil, s) }

func appendQuoted(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\r':
			out = append(out, '\\', 'r')
		case r == '\t':
			out = append(out, '\\', 't')
		case r < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}
