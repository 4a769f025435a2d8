package lab

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Tampered returns copies of a requestState with one byte changed. If the state
// is readable, the first ones stay readable and change a value. The others
// change the middle of each long part, which may be a signature that the server
// does not check. Clients must not change a state (basic/patterns/mrtr, client
// requirement 2); the experiment shows what happens if one does.
func Tampered(state string) []string {
	var list []string
	add := func(text string, ok bool) {
		if ok && text != state && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	add(changeReadable(state, jsontree.Number))
	add(changeReadable(state, jsontree.String))
	add(changeText(state))
	at := 0
	for s := range strings.SplitSeq(state, ".") {
		add(changeMiddle(state, at, at+len(s)))
		at += len(s) + 1
	}
	return list[:min(len(list), maxChanges)]
}

// maxChanges is the largest number of changed states that Tampered returns.
const maxChanges = 6

// changeReadable changes a number or string in a state that is JSON, or that
// has a dot-separated part in Base64 that is, or that has an object between other bytes.
func changeReadable(state string, kind jsontree.Kind) (string, bool) {
	if out, ok := changeJSON([]byte(state), kind); ok {
		return out, true
	}
	segments := strings.Split(state, ".")
	for i, s := range segments {
		encoding, plain, ok := decodeSegment(s)
		if !ok {
			continue
		}
		start, end := objectIn(plain)
		if out, ok := changeJSON(plain[start:end], kind); ok {
			changed := slices.Concat(plain[:start], []byte(out), plain[end:])
			segments[i] = encoding.EncodeToString(changed)
			return strings.Join(segments, "."), true
		}
	}
	return "", false
}

// objectIn returns where in a text its only JSON object is, or all of the text: a
// signature may stand before or after it, as bytes.
func objectIn(text []byte) (start, end int) {
	end = bytes.LastIndexByte(text, '}') + 1
	for range maxStarts {
		i := bytes.IndexByte(text[start:end], '{')
		if i < 0 {
			break
		}
		start += i
		if _, err := jsontree.Parse(text[start:end], jsontree.Limits{}); err == nil {
			return start, end
		}
		start++
	}
	return 0, len(text)
}

// maxStarts is at how many places objectIn looks for an object.
const maxStarts = 20

// changeJSON changes the last leaf of a kind in the text of an object or array.
func changeJSON(text []byte, kind jsontree.Kind) (string, bool) {
	root, err := jsontree.Parse(text, jsontree.Limits{})
	if err != nil || root.Kind != jsontree.Object && root.Kind != jsontree.Array {
		return "", false
	}
	leaf := lastLeaf(root, kind)
	if leaf == nil {
		return "", false
	}
	out := slices.Clone(text)
	at := leaf.Start + changeableIndex(leaf.Raw())
	out[at] = nextCharacter(out[at])
	return string(out), true
}

// lastLeaf returns the last number or string of a tree that has a byte to
// change, or nil. Servers tend to put gathered and computed values last.
func lastLeaf(n *jsontree.Node, kind jsontree.Kind) *jsontree.Node {
	if n == nil || n.Kind == kind && changeableIndex(n.Raw()) >= 0 {
		return n
	}
	for _, m := range slices.Backward(n.Members) {
		if leaf := lastLeaf(m.Value, kind); leaf != nil {
			return leaf
		}
	}
	for _, item := range slices.Backward(n.Items) {
		if leaf := lastLeaf(item, kind); leaf != nil {
			return leaf
		}
	}
	return nil
}

// changeableIndex returns the index of the last letter or digit, or -1 if there
// is none or the text has escapes.
func changeableIndex(text []byte) int {
	if slices.Contains(text, '\\') {
		return -1
	}
	for i, c := range slices.Backward(text) {
		if isLetter(c) || c >= '0' && c <= '9' {
			return i
		}
	}
	return -1
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// nextCharacter returns another character of the same kind.
func nextCharacter(c byte) byte {
	switch c {
	case '9', 'z', 'Z':
		return c - 1
	}
	return c + 1
}

// decodeSegment decodes Base64 and returns the one of its four encodings that
// encodes to the same text again.
func decodeSegment(s string) (*base64.Encoding, []byte, bool) {
	for _, e := range []*base64.Encoding{base64.RawURLEncoding, base64.URLEncoding, base64.RawStdEncoding,
		base64.StdEncoding} {
		plain, err := e.DecodeString(s)
		if err == nil && len(plain) > 0 && e.EncodeToString(plain) == s {
			return e, plain, true
		}
	}
	return nil, nil, false
}

// changeText changes the last letter or digit of a printable text, plain or in
// Base64.
func changeText(state string) (string, bool) {
	if e, plain, ok := decodeSegment(state); ok && isPrintable(plain) {
		at := changeableIndex(plain)
		if at < 0 {
			return "", false
		}
		plain[at] = nextCharacter(plain[at])
		return e.EncodeToString(plain), true
	}
	at := changeableIndex([]byte(state))
	if at < 0 || strings.Count(state, ".") > 0 || isEncoded(state) {
		return "", false
	}
	return replaceAt(state, at, nextCharacter(state[at])), true
}

// isEncoded reports whether a text can be Base64 of bytes, so that a part of its
// last character may have no meaning. Short texts are words.
func isEncoded(s string) bool {
	const short = 12
	s = strings.TrimRight(s, "=")
	return len(s) >= short && len(s)%4 != 1 && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune(alphabet, r) && !strings.ContainsRune("+/", r)
	}) && !isWords(s)
}

// isWords reports whether a text is words in lower case, such as
// "awaiting-confirmation".
func isWords(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '_' })
}

// alphabet is that of Base64url, in the order of its values.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// SpareBits returns copies of a requestState in which only bits are changed that
// Base64 does not use: those of the last character of a part. Their content is
// the same for a decoder that ignores these bits.
func SpareBits(state string) []string {
	var list []string
	if state == "" || strings.HasPrefix(state, "{") {
		return nil
	}
	at := 0
	for _, s := range strings.FieldsFunc(state, func(r rune) bool { return r == '.' }) {
		start := at + strings.Index(state[at:], s)
		at = start + len(s)
		digits := strings.TrimRight(s, "=")
		if !isEncoded(digits) || len(digits)%4 == 0 {
			continue
		}
		last := start + len(digits) - 1
		if changed, ok := otherSpareBits(state[last], len(digits)%4); ok && len(list) < maxSpare {
			list = append(list, replaceAt(state, last, changed))
		}
	}
	return list
}

// maxSpare is the largest number of states that SpareBits returns.
const maxSpare = 3

// otherSpareBits returns the character that differs from c only in the bits that
// are unused in the last character of a text: 4 of them after two characters of
// four, 2 after three.
func otherSpareBits(c byte, rest int) (byte, bool) {
	value := strings.IndexByte(alphabet, c)
	if value < 0 || rest != 2 && rest != 3 {
		return c, false
	}
	return alphabet[value^1], true
}

// isPrintable reports whether all of b is printable text.
func isPrintable(b []byte) bool {
	return utf8.Valid(b) && !slices.ContainsFunc([]rune(string(b)),
		func(r rune) bool { return !unicode.IsPrint(r) })
}

// changeMiddle changes a letter or digit in the middle of a part, so that its
// encoding stays valid. Short parts are labels or versions and stay unchanged.
func changeMiddle(state string, start, end int) (string, bool) {
	const long = 12
	if end-start < long && end-start < len(state) {
		return "", false
	}
	for i := (start + end) / 2; i < end; i++ {
		if c := state[i]; isLetter(c) || c >= '0' && c <= '9' {
			return replaceAt(state, i, nextCharacter(c)), true
		}
	}
	return "", false
}

func replaceAt(s string, i int, c byte) string { return s[:i] + string(c) + s[i+1:] }
