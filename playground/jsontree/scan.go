package jsontree

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// SyntaxError reports where and why a text is not JSON (RFC 8259).
type SyntaxError struct {
	Offset int    // in bytes from the start of the source
	Text   string // the cause, without text of the source
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("json: byte %d: %s", e.Offset, e.Text)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func skipSpace(src []byte, i int) int {
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	return i
}

// scanString returns the end of the string that starts with the quote at i. It
// accepts invalid UTF-8 and lone surrogates, which RFC 8259, section 8, leaves
// to the receiver, and reports them as broken.
func scanString(src []byte, i int) (end int, broken bool, err error) {
	for i++; i < len(src); {
		switch c := src[i]; {
		case c == '"':
			return i + 1, broken, nil
		case c < ' ':
			return i, broken, &SyntaxError{i, "control character in a string"}
		case c == '\\':
			n, lone := escape(src[i:])
			if n == 0 {
				return i, broken, &SyntaxError{i, "invalid escape in a string"}
			}
			broken = broken || lone
			i += n
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(src[i:])
			broken = broken || r == utf8.RuneError && n == 1
			i += n
		}
	}
	return i, broken, &SyntaxError{i, "string is not closed"}
}

// escape returns the length of the escape sequence at the start of b, or 0 if
// there is none. A pair of surrogates is one sequence.
func escape(b []byte) (n int, lone bool) {
	r, n := Unescape(b)
	return n, r == utf8.RuneError && n == 6 && isSurrogate(b)
}

// Unescape decodes the escape sequence at the start of b, such as \n, \u0041 or
// a pair of surrogates, and returns its length. A lone surrogate is
// utf8.RuneError. n is 0 if b does not start with an escape sequence of JSON.
func Unescape(b []byte) (r rune, n int) {
	if len(b) < 2 || b[0] != '\\' {
		return 0, 0
	}
	switch c := b[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return escapedRune(b)
	}
	return 0, 0
}

// escapedRune decodes \uXXXX or a pair of them. A lone surrogate is
// utf8.RuneError with n = 6; n is 0 if there are not four hex digits.
func escapedRune(b []byte) (r rune, n int) {
	r, ok := hex4(b)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	low, ok := hex4(b[6:])
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		return pair, 12
	}
	return utf8.RuneError, 6
}

func isSurrogate(b []byte) bool {
	r, _ := hex4(b)
	return utf16.IsSurrogate(r)
}

// hex4 decodes the \uXXXX at the start of b.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// scanNumber returns the end of the number at i (RFC 8259, section 6).
func scanNumber(src []byte, i int) (end int, err error) {
	if src[i] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(src) && isDigit(src[i]) {
			i++
		}
		return i > from
	}
	at := func(c byte) bool { return i < len(src) && src[i] == c }
	if at('0') {
		i++
	} else if !digits() {
		return i, &SyntaxError{i, "digit is missing in a number"}
	}
	if at('.') {
		if i++; !digits() {
			return i, &SyntaxError{i, "digit is missing after the decimal point"}
		}
	}
	if at('e') || at('E') {
		if i++; at('+') || at('-') {
			i++
		}
		if !digits() {
			return i, &SyntaxError{i, "digit is missing in the exponent"}
		}
	}
	return i, nil
}

var literals = [...]struct {
	text string
	kind Kind
}{{"true", Bool}, {"false", Bool}, {"null", Null}}

// scanLiteral returns the kind and end of true, false or null at i.
func scanLiteral(src []byte, i int) (k Kind, end int, err error) {
	for _, l := range literals {
		if len(src)-i >= len(l.text) && string(src[i:i+len(l.text)]) == l.text {
			return l.kind, i + len(l.text), nil
		}
	}
	return Invalid, i, &SyntaxError{i, "not a JSON value"}
}
