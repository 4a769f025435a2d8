package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"unicode/utf8"
)

// View is text that was decoded from recorded bytes, of which it knows where
// each of its own came from.
type View struct {
	Text   []byte
	Number bool // a JSON number or boolean, which stars must not mask

	base     int     // where Text begins in the bytes, if from is nil
	from, to []int32 // byte i came from the bytes from[i] to to[i]
}

// Whole returns a View of text that begins at byte base of the recorded bytes.
func Whole(text []byte, base int) View { return View{Text: text, base: base} }

// Origin returns the recorded bytes that byte i came from.
func (v View) Origin(i int) (from, to int) {
	if v.from == nil {
		return v.base + i, v.base + i + 1
	}
	return int(v.from[i]), int(v.to[i])
}

// Slice returns the View of bytes start to end.
func (v View) Slice(start, end int) View {
	if v.from == nil {
		return View{Text: v.Text[start:end], base: v.base + start}
	}
	return View{Text: v.Text[start:end], from: v.from[start:end], to: v.to[start:end]}
}

// Builder makes a View of text that is decoded from another View.
type Builder struct {
	of  View
	out View
}

// Builder returns a builder for text of about size bytes decoded from v.
func (v View) Builder(size int) *Builder {
	return &Builder{of: v,
		out: View{Text: make([]byte, 0, size), from: make([]int32, 0, size), to: make([]int32, 0, size)}}
}

// Add appends decoded bytes that came from bytes start to end of the View.
func (b *Builder) Add(start, end int, bytes ...byte) {
	from, _ := b.of.Origin(start)
	_, to := b.of.Origin(end - 1)
	for _, c := range bytes {
		b.out.Text = append(b.out.Text, c)
		b.out.from, b.out.to = append(b.out.from, int32(from)), append(b.out.to, int32(to))
	}
}

// View returns what was added.
func (b *Builder) View() View { return b.out }

// JSONString returns the text of a JSON string, given without its quotes.
func (v View) JSONString() View {
	b := v.Builder(len(v.Text))
	for i := 0; i < len(v.Text); {
		c := v.Text[i]
		switch {
		case c != '\\' || i+1 >= len(v.Text):
			b.Add(i, i+1, c)
			i++
		case v.Text[i+1] != 'u':
			b.Add(i, i+2, unescaped(v.Text[i+1]))
			i += 2
		default:
			r, n := escapedRune(v.Text[i:])
			b.Add(i, i+n, utf8.AppendRune(nil, r)...)
			i += n
		}
	}
	return b.out
}

func unescaped(c byte) byte {
	const names, values = "bfnrt", "\b\f\n\r\t"
	for i := range names {
		if names[i] == c {
			return values[i]
		}
	}
	return c
}

// escapedRune reads \uXXXX, or two of them for a surrogate pair. It returns the
// rune and the number of bytes read.
func escapedRune(b []byte) (rune, int) {
	first, ok := unit16(b)
	if !ok {
		return utf8.RuneError, min(6, len(b))
	}
	if second, ok := unit16(b[6:]); ok && first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 &&
		second < 0xe000 {
		return 0x10000 + (first-0xd800)<<10 + (second - 0xdc00), 12
	}
	return first, 6
}

func unit16(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}

// Percent returns the text with %XX decoded. A plus sign stays.
func (v View) Percent() View {
	b := v.Builder(len(v.Text))
	for i := 0; i < len(v.Text); {
		if v.Text[i] == '%' && i+2 < len(v.Text) {
			if c, err := hex.DecodeString(string(v.Text[i+1 : i+3])); err == nil {
				b.Add(i, i+3, c[0])
				i += 3
				continue
			}
		}
		b.Add(i, i+1, v.Text[i])
		i++
	}
	return b.out
}

// Hex returns the text that is encoded in hexadecimal digits, and false
// if the bytes are not text.
func (v View) Hex() (View, bool) {
	plain, err := hex.DecodeString(string(v.Text))
	if err != nil || !readable(plain) {
		return View{}, false
	}
	b := v.Builder(len(plain))
	for i, c := range plain {
		b.Add(2*i, 2*i+2, c)
	}
	return b.out, true
}

// Base64 returns the text that is encoded in Base64 of either alphabet,
// and false if the bytes are not text.
func (v View) Base64() (View, bool) {
	text := make([]byte, 0, len(v.Text))
	for _, c := range v.Text {
		switch c {
		case '=':
			continue
		case '-':
			c = '+'
		case '_':
			c = '/'
		}
		text = append(text, c)
	}
	plain, err := base64.RawStdEncoding.DecodeString(string(text))
	if err != nil || !readable(plain) {
		return View{}, false
	}
	b := v.Builder(len(plain))
	for i, c := range plain {
		b.Add(8*i/6, (8*i+7)/6+1, c)
	}
	return b.out, true
}

// readable reports whether b is text without control characters.
func readable(b []byte) bool {
	if len(b) == 0 || !utf8.Valid(b) {
		return false
	}
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
