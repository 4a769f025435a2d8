package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"html"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
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

// View returns the added text.
func (b *Builder) View() View { return b.out }

// copy appends bytes start to end of the View as they are.
func (b *Builder) copy(start, end int) {
	b.out.Text = append(b.out.Text, b.of.Text[start:end]...)
	if b.of.from != nil {
		b.out.from = append(b.out.from, b.of.from[start:end]...)
		b.out.to = append(b.out.to, b.of.to[start:end]...)
		return
	}
	n := len(b.out.from)
	b.out.from = slices.Grow(b.out.from, end-start)[:n+end-start]
	b.out.to = slices.Grow(b.out.to, end-start)[:n+end-start]
	for i := range end - start {
		at := int32(b.of.base + start + i)
		b.out.from[n+i], b.out.to[n+i] = at, at+1
	}
}

// JSONString returns the text of a JSON string, given without its quotes.
func (v View) JSONString() View { return v.decode(`\`) }

// Unescaped returns the text with every escaped character decoded once, however
// it is escaped: as in JSON (\u0041), in a URL (%41) or in HTML (&#65;).
func (v View) Unescaped() View { return v.decode(`\%&`) }

// decode returns the text with the characters decoded that are escaped with one
// of these marks.
func (v View) decode(marks string) View {
	b := v.Builder(len(v.Text))
	plain := make([]byte, 0, utf8.UTFMax)
	from := 0
	for i := 0; i < len(v.Text); {
		next := bytes.IndexAny(v.Text[i:], marks)
		if next < 0 {
			break
		}
		i += next
		decoded, n := unescape(plain[:0], v.Text[i:])
		if n == 0 {
			i++
			continue
		}
		b.copy(from, i)
		b.Add(i, i+n, decoded...)
		i += n
		from = i
	}
	b.copy(from, len(v.Text))
	return b.out
}

// Escapes returns how many escaped characters Unescaped decodes.
func (v View) Escapes() int {
	count := 0
	for i := 0; i < len(v.Text); i++ {
		switch v.Text[i] {
		case '\\', '%', '&':
			if _, n := unescape(nil, v.Text[i:]); n > 0 {
				count++
				i += n - 1
			}
		}
	}
	return count
}

// unescape appends the escaped character at the start of b to out, and returns
// its length in b. n is 0 if there is none.
func unescape(out, b []byte) (decoded []byte, n int) {
	var r rune
	switch b[0] {
	case '\\':
		r, n = jsontree.Unescape(b)
	case '&':
		r, n = unescapeHTML(b)
	case '%':
		if len(b) < 3 {
			return out, 0
		}
		c, err := hex.AppendDecode(out, b[1:3])
		if err != nil {
			return out, 0
		}
		return c, 3
	}
	if n == 0 {
		return out, 0
	}
	return utf8.AppendRune(out, r), n
}

// maxReference is the length of the longest character reference of HTML that is
// decoded.
const maxReference = 12

// unescapeHTML decodes the character reference at the start of b, such as &#65;
// or &amp;. n is 0 if there is none.
func unescapeHTML(b []byte) (r rune, n int) {
	end := bytes.IndexByte(b[:min(len(b), maxReference)], ';')
	if end < 2 {
		return 0, 0
	}
	text := html.UnescapeString(string(b[:end+1]))
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) { // no reference
		return 0, 0
	}
	return r, end + 1
}

// Lengths from which text is tried as an encoding, in bytes.
const (
	minBase64 = 12
	minHex    = 2 * MinSecret
)

// Encoded returns the texts that are encoded in the text, in Base64 or in
// hexadecimal digits.
func (v View) Encoded() iter.Seq[View] {
	return func(yield func(View) bool) {
		for start, end := range base64Chars.Runs(v.Text, minBase64) {
			for pad := 0; pad < 2 && end < len(v.Text) && v.Text[end] == '='; pad++ {
				end++
			}
			for plain := range v.Slice(start, end).inBase64() {
				if !yield(plain) {
					return
				}
			}
		}
		for start, end := range hexChars.Runs(v.Text, minHex) {
			if plain, ok := v.Slice(start, end-(end-start)%2).Hex(); ok && !yield(plain) {
				return
			}
		}
	}
}

// inBase64 returns the text in a Base64 text. Paths and names use the same
// characters, so if the whole is not Base64, its parts between / - and _ are
// tried.
func (v View) inBase64() iter.Seq[View] {
	return func(yield func(View) bool) {
		if plain, ok := v.Base64(); ok {
			yield(plain)
			return
		}
		for start := 0; start < len(v.Text); {
			end := start
			for end < len(v.Text) && bytes.IndexByte([]byte("/-_"), v.Text[end]) < 0 {
				end++
			}
			if end-start >= minBase64 && end-start < len(v.Text) {
				if plain, ok := v.Slice(start, end).Base64(); ok && !yield(plain) {
					return
				}
			}
			start = end + 1
		}
	}
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
	var short [2][256]byte // most tried texts are short, and encode nothing
	text, plain := short[0][:0], short[1][:]
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
	if len(text) > len(plain) {
		plain = make([]byte, len(text))
	}
	n, err := base64.RawStdEncoding.Decode(plain, text)
	if plain = plain[:n]; err != nil || !readable(plain) {
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
