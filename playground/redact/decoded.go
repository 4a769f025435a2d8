package redact

import (
	"iter"
	"unicode/utf8"
)

// spaceChars are the white space that may stand in a secret or in its encoding.
var spaceChars = NewCharSet(" \t\r\n\v\f")

// Joined returns the text without its white space, or the View itself if it has none.
func (v View) Joined() View {
	size := 0
	for _, c := range v.Text {
		if !spaceChars[c] {
			size++
		}
	}
	if size == len(v.Text) {
		return v
	}
	b := v.Builder(size)
	from := 0
	for i, c := range v.Text {
		if spaceChars[c] {
			b.copy(from, i)
			from = i + 1
		}
	}
	b.copy(from, len(v.Text))
	return b.out
}

// Decoded returns every stretch of readable text that is encoded in the text in Base64
// or in hexadecimal digits, wherever the encoding begins, whatever is encoded around the
// stretch, and with separators between the digits. White space is left out by Joined.
func (v View) Decoded() iter.Seq[View] {
	return func(yield func(View) bool) {
		for start, end := range base64Chars.Runs(v.Text, minSextets) {
			if !v.sextets(start, end, yield) {
				return
			}
		}
		v.hexDigits(yield)
	}
}

// Lengths of encodings of MinSecret bytes.
const (
	minSextets = (8*MinSecret + 5) / 6
	minDigits  = 2 * MinSecret
)

// sextet has the values of the characters of Base64, of either alphabet.
var sextet = func() (values [256]byte) {
	for i, c := range []byte(Letters[26:] + Letters[:26] + Digits + "+/") {
		values[c] = byte(i)
	}
	values['-'], values['_'] = values['+'], values['/']
	return values
}()

// sextets yields the texts that the characters start to end encode in Base64. A
// byte begins with every second bit: so many texts are tried.
func (v View) sextets(start, end int, yield func(View) bool) bool {
	text := v.Text[start:end]
	plain := make([]byte, 0, len(text)*6/8)
	for skipped := 0; skipped < 8; skipped += 2 {
		plain = plain[:0]
		bits, n := uint32(0), -skipped
		for _, c := range text {
			bits = bits<<6 | uint32(sextet[c])
			if n += 6; n >= 8 {
				n -= 8
				plain = append(plain, byte(bits>>n))
			}
		}
		for from, to := range readableIn(plain) {
			b := v.Builder(to - from)
			for i := from; i < to; i++ {
				bit := skipped + 8*i
				b.Add(start+bit/6, start+(bit+7)/6+1, plain[i])
			}
			if !yield(b.out) {
				return false
			}
		}
	}
	return true
}

// Classes of characters in hexadecimal digits.
const (
	otherChar = iota
	digitChar
	separatorChar
)

// digitClass has the class of each character, digitValue the value of each digit.
var digitClass, digitValue = func() (class, value [256]byte) {
	for i, c := range []byte(Digits + "abcdef") {
		class[c], value[c] = digitChar, byte(i)
	}
	for i, c := range []byte("ABCDEF") {
		class[c], value[c] = digitChar, byte(10+i)
	}
	for _, c := range []byte(`:-,.;_|+/'"\`) {
		class[c] = separatorChar
	}
	return class, value
}()

// hexDigits yields the texts that are encoded in hexadecimal digits, with or
// without separators between them, among them 0x and \x.
func (v View) hexDigits(yield func(View) bool) {
	var digits []int32 // where they are
	for i := 0; i <= len(v.Text); i++ {
		switch {
		case i < len(v.Text) && v.isDigitPrefix(i):
			i++
		case i < len(v.Text) && digitClass[v.Text[i]] == digitChar:
			digits = append(digits, int32(i))
		case i < len(v.Text) && digitClass[v.Text[i]] == separatorChar:
		default:
			if len(digits) >= minDigits && !v.pairs(digits, yield) {
				return
			}
			digits = digits[:0]
		}
	}
}

// isDigitPrefix reports whether 0x or \x is at i, before a digit.
func (v View) isDigitPrefix(i int) bool {
	return i+2 < len(v.Text) && v.Text[i+1]|0x20 == 'x' && (v.Text[i] == '0' || v.Text[i] == '\\') &&
		digitClass[v.Text[i+2]] == digitChar
}

// pairs yields the texts that digits at these places encode. A byte begins with
// every digit.
func (v View) pairs(digits []int32, yield func(View) bool) bool {
	plain := make([]byte, 0, len(digits)/2)
	for skipped := range 2 {
		plain = plain[:0]
		for i := skipped; i+1 < len(digits); i += 2 {
			plain = append(plain, digitValue[v.Text[digits[i]]]<<4|digitValue[v.Text[digits[i+1]]])
		}
		for from, to := range readableIn(plain) {
			b := v.Builder(to - from)
			for i := from; i < to; i++ {
				at := skipped + 2*i
				b.Add(int(digits[at]), int(digits[at+1])+1, plain[i])
			}
			if !yield(b.out) {
				return false
			}
		}
	}
	return true
}

// IsEncoded reports whether a text may be a part of an encoding that Decoded
// decodes.
func IsEncoded(text []byte) bool {
	sextets, digits := true, true
	for i, c := range text {
		sextets = sextets && (base64Chars[c] || c == '=')
		digits = digits && (digitClass[c] != otherChar || spaceChars[c] || Whole(text, 0).isDigitPrefix(i) ||
			i > 0 && Whole(text, 0).isDigitPrefix(i-1))
	}
	return sextets || digits
}

// readableIn returns where the longest stretches of at least MinSecret bytes begin and
// end that are text without control characters.
func readableIn(b []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from := 0
		for i := 0; i <= len(b); {
			size := 0
			if i < len(b) {
				size = readableAt(b[i:])
			}
			if size > 0 {
				i += size
				continue
			}
			if i-from >= MinSecret && !yield(from, i) {
				return
			}
			i++
			from = i
		}
	}
}

// readableAt returns the length of the character that b begins with, or 0 if it is none
// or a control character.
func readableAt(b []byte) int {
	c := b[0]
	switch {
	case c < utf8.RuneSelf && (c >= ' ' && c != 0x7f || spaceChars[c]):
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if r, size := utf8.DecodeRune(b); r != utf8.RuneError || size > 1 {
		return size
	}
	return 0
}
