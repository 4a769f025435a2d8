package share

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"unicode/utf8"
)

// view is text that was decoded from a piece. Byte i of text came from the
// bytes from[i] to to[i] of the piece, or from byte base+i if from is nil.
type view struct {
	text     []byte
	base     int
	from, to []int32
	number   bool // a JSON number or boolean, which stars must not mask
}

// whole returns a view of text that begins at byte base of a piece.
func whole(text []byte, base int) view { return view{text: text, base: base} }

// origin returns the bytes of the piece that byte i came from.
func (v view) origin(i int) (from, to int) {
	if v.from == nil {
		return v.base + i, v.base + i + 1
	}
	return int(v.from[i]), int(v.to[i])
}

// slice returns the view of bytes start to end.
func (v view) slice(start, end int) view {
	if v.from == nil {
		return view{text: v.text[start:end], base: v.base + start}
	}
	return view{text: v.text[start:end], from: v.from[start:end], to: v.to[start:end]}
}

// viewBuilder makes a view of text that is decoded from another view.
type viewBuilder struct {
	of  view
	out view
}

// decoded returns a builder for text of about size bytes decoded from v.
func (v view) decoded(size int) *viewBuilder {
	return &viewBuilder{of: v,
		out: view{text: make([]byte, 0, size), from: make([]int32, 0, size), to: make([]int32, 0, size)}}
}

// add appends decoded bytes that came from bytes start to end of the view.
func (b *viewBuilder) add(start, end int, bytes ...byte) {
	from, _ := b.of.origin(start)
	_, to := b.of.origin(end - 1)
	for _, c := range bytes {
		b.out.text = append(b.out.text, c)
		b.out.from, b.out.to = append(b.out.from, int32(from)), append(b.out.to, int32(to))
	}
}

// decodeJSONString returns the text of a JSON string, given without its quotes.
func (v view) decodeJSONString() view {
	b := v.decoded(len(v.text))
	for i := 0; i < len(v.text); {
		c := v.text[i]
		switch {
		case c != '\\' || i+1 >= len(v.text):
			b.add(i, i+1, c)
			i++
		case v.text[i+1] != 'u':
			b.add(i, i+2, unescaped(v.text[i+1]))
			i += 2
		default:
			r, n := escapedRune(v.text[i:])
			b.add(i, i+n, utf8.AppendRune(nil, r)...)
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

// decodePercent returns the text with %XX decoded. A plus sign stays.
func (v view) decodePercent() view {
	b := v.decoded(len(v.text))
	for i := 0; i < len(v.text); {
		if v.text[i] == '%' && i+2 < len(v.text) {
			if c, err := hex.DecodeString(string(v.text[i+1 : i+3])); err == nil {
				b.add(i, i+3, c[0])
				i += 3
				continue
			}
		}
		b.add(i, i+1, v.text[i])
		i++
	}
	return b.out
}

// decodeHex returns the text that is encoded in hexadecimal digits, and false
// if the bytes are not text.
func (v view) decodeHex() (view, bool) {
	plain, err := hex.DecodeString(string(v.text))
	if err != nil || !readable(plain) {
		return view{}, false
	}
	b := v.decoded(len(plain))
	for i, c := range plain {
		b.add(2*i, 2*i+2, c)
	}
	return b.out, true
}

// decodeBase64 returns the text that is encoded in Base64 of either alphabet,
// and false if the bytes are not text.
func (v view) decodeBase64() (view, bool) {
	text := make([]byte, 0, len(v.text))
	for _, c := range v.text {
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
		return view{}, false
	}
	b := v.decoded(len(plain))
	for i, c := range plain {
		b.add(8*i/6, (8*i+7)/6+1, c)
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
