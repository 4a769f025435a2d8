package lab

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Tampered lists changes of one byte to a requestState, the most telling
// first: where anybody can read it, one that leaves it readable and changes
// what it says; then one in the middle of each long part, whatever that is: if
// it is a signature, nobody may have looked at it. Clients must not do this (basic/patterns/mrtr, client requirement 2); it shows what
// happens when one does.
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

// maxChanges is how many ways to change a state are worth trying.
const maxChanges = 6

// changeReadable changes a number or string inside JSON that stands in the
// state, bare or as a dot-separated part in Base64.
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
		if out, ok := changeJSON(plain, kind); ok {
			segments[i] = encoding.EncodeToString([]byte(out))
			return strings.Join(segments, "."), true
		}
	}
	return "", false
}

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

// lastLeaf is the last number or string of a tree that has a byte to change:
// what a server has gathered or worked out tends to come last.
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

// changeableIndex is the place of the last letter or digit; -1 when there is none.
// Escapes are left alone.
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

// nextCharacter is another character of the same sort.
func nextCharacter(c byte) byte {
	switch c {
	case '9', 'z', 'Z':
		return c - 1
	}
	return c + 1
}

// decodeSegment undoes Base64 in whichever of its four spellings gives the
// very same text back.
func decodeSegment(s string) (*base64.Encoding, []byte, bool) {
	for _, e := range []*base64.Encoding{base64.RawURLEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.StdEncoding} {
		plain, err := e.DecodeString(s)
		if err == nil && len(plain) > 0 && e.EncodeToString(plain) == s {
			return e, plain, true
		}
	}
	return nil, nil, false
}

// changeText changes the last letter or digit of words, bare or in Base64.
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
	if at < 0 || strings.Count(state, ".") > 0 {
		return "", false
	}
	return replaceAt(state, at, nextCharacter(state[at])), true
}

func isPrintable(b []byte) bool {
	return utf8.Valid(b) && !slices.ContainsFunc([]rune(string(b)), func(r rune) bool { return !unicode.IsPrint(r) })
}

// changeMiddle changes the middle of a part, staying within letters and digits
// so that the spelling stays right. A short part is a label or a version.
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
