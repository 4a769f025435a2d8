package share

import "iter"

// charSet tells which bytes belong to a set of characters.
type charSet [256]bool

func newCharSet(chars string) *charSet {
	var set charSet
	for _, c := range []byte(chars) {
		set[c] = true
	}
	return &set
}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// The sets of characters that runs are made of.
var (
	hexChars    = newCharSet(digits + "abcdefABCDEF")
	base64Chars = newCharSet(digits + letters + "+/_-")
	keyChars    = newCharSet(digits + letters + "+/_-=") // of the texts that isRandom considers
	nameChars   = newCharSet(digits + letters + "_.-")
)

// runs returns where the longest stretches of at least minimum bytes of a set
// begin and end. It does what a regular expression would do, many times faster.
func runs(text []byte, set *charSet, minimum int) iter.Seq2[int, int] {
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
