package jsontree

import (
	"encoding/json"
	"unicode/utf8"
)

// unquote decodes a string that scanString has accepted, quotes included. Lone
// surrogates and bytes that are no UTF-8 become U+FFFD each, as in
// encoding/json.
func unquote(quoted []byte) string {
	b := quoted[1 : len(quoted)-1]
	if isPlain(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\\' && b[i+1] == 'u':
			r, n := escapedRune(b[i:])
			out = utf8.AppendRune(out, r)
			i += n
		case c == '\\':
			out = append(out, unescape(b[i+1]))
			i += 2
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

// isPlain reports whether a string stands for itself: ASCII without escapes, as
// most are.
func isPlain(b []byte) bool {
	for _, c := range b {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // quote, backslash, slash
}

// Quote returns s as a JSON string with nothing escaped that need not be, so
// that <, & and U+2028 travel as they are. Bytes that are no UTF-8 become
// U+FFFD: JSON cannot carry them.
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
