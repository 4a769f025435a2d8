package share

import (
	"bytes"
	"math"
)

// Lengths of texts that isRandom considers, in bytes. Longer ones are data, not
// keys.
const (
	minRandom = 20
	maxRandom = 512
)

// isRandom reports whether a text looks randomly generated: many different
// characters, digits in more than one place, and frequent changes between
// letters and digits. Words, tool names and ISO times do not.
func isRandom(text []byte) bool {
	if len(text) < minRandom || len(text) > maxRandom || isUUID(text) {
		return false
	}
	turns, digitRuns := changes(text)
	hexOnly := len(bytes.Trim(text, "0123456789abcdefABCDEF")) == 0
	if hexOnly {
		return len(text) >= 32 && digitRuns >= 3 && bits(text) >= 3
	}
	return digitRuns >= 2 && 10*turns >= 3*len(text) && bits(text) >= 3.5
}

// isKey reports whether a segment of a server's path, or a value of its query,
// looks like a key. There a UUID often is one, and keys can be shorter than
// elsewhere.
func isKey(text []byte) bool {
	turns, digitRuns := changes(text)
	if bytes.ContainsAny(text, ":,;") {
		return false // a list, such as the instances of a sample
	}
	return isUUID(text) || isRandom(text) || len(text) >= 12 && digitRuns >= 3 && 10*turns >= 3*len(text)
}

// changes returns the number of changes of the character class, and of runs of
// digits.
func changes(text []byte) (turns, digitRuns int) {
	last := byte(0)
	for _, c := range text {
		k := characterClass(c)
		if k != last {
			turns++
			if k == '0' {
				digitRuns++
			}
		}
		last = k
	}
	return turns, digitRuns
}

// characterClass returns 0, a or A for a digit or letter, else a hyphen.
func characterClass(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	case c >= 'A' && c <= 'Z':
		return 'A'
	}
	return '-'
}

// bits returns the Shannon entropy per character.
func bits(text []byte) float64 {
	var count [256]int
	for _, c := range text {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

func isUUID(text []byte) bool {
	return len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-'
}
