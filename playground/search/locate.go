package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// quality is how a text has a word.
type quality int

const (
	none  quality = iota
	part          // inside of another word
	start         // the beginning of a word
	whole         // a word, or its plural
)

// shortest is the length of the shortest word that is looked for inside of others: "id"
// is in too many.
const shortest = 3

// locate returns the first of the best places of a word in a text. Both are folded: a text
// is searched for many words, and to fold it for each takes longer than the search.
func locate(plain, word string) (from, to int, best quality) {
	if word == "" {
		return 0, 0, none
	}
	for i := 0; i < len(plain); {
		n := strings.Index(plain[i:], word)
		if n < 0 {
			break
		}
		i += n
		if end, q := judge(plain, i, i+len(word)); q > best && (q > part || len(word) >= shortest) {
			from, to, best = i, end, q
		}
		if best == whole {
			break
		}
		i += len(word)
	}
	return from, to, best
}

// judge returns how text[from:to] stands in a text, and the end of the whole word.
func judge(text string, from, to int) (end int, q quality) {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	if from > 0 && isWord(before) && isWord(first) {
		return to, part
	}
	for _, plural := range []string{"", "s", "es", "'s", "’s"} {
		if rest, ok := strings.CutPrefix(text[to:], plural); ok {
			if after, _ := utf8.DecodeRuneInString(rest); rest == "" || !isWord(after) {
				return to + len(plural), whole
			}
		}
	}
	return to, start
}

// hasWhole reports whether a folded text has a folded word or phrase as a whole.
func hasWhole(plain, word string) bool {
	_, _, q := locate(plain, word)
	return q == whole
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// fold returns a text in which only other words are different: ASCII letters are small,
// and a hyphen or underscore is a space. Byte offsets stay the same.
func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case c == '-' || c == '_':
			b[i] = ' '
		}
	}
	return string(b)
}

// spaced returns a text with single spaces between its words.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }
