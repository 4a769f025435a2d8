package redact

import "iter"

// CharSet is a set of characters that are one byte each.
type CharSet [256]bool

// NewCharSet returns the set of the characters in a text.
func NewCharSet(chars string) *CharSet {
	var set CharSet
	for _, c := range []byte(chars) {
		set[c] = true
	}
	return &set
}

// Digits and letters of ASCII.
const (
	Digits  = "0123456789"
	Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// The characters of encodings.
var (
	hexChars    = NewCharSet(Digits + "abcdefABCDEF")
	base64Chars = NewCharSet(Digits + Letters + "+/_-")
)

// Runs returns where the longest stretches of at least minimum bytes of a set
// begin and end. It finds the same as a regular expression, many times faster.
func (set *CharSet) Runs(text []byte, minimum int) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for start := 0; start+minimum <= len(text); start++ {
			end := start
			for end < len(text) && set[text[end]] {
				end++
			}
			if end-start >= minimum && !yield(start, end) {
				return
			}
			start = end
		}
	}
}
