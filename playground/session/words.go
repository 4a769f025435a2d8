package session

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxEnding is how many characters of an ending are kept for searching.
const MaxEnding = 16

// SearchWords returns the words of a normalised text, each once, in the order in
// which they begin: the longest parts of it that are letters, marks and numbers.
// Each word of a text that contains another text contains, at its place, the word
// of that other text, so that words narrow a search for any part of a text.
func SearchWords(text string) []string {
	var words []string
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, separates) {
		if !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

func separates(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && (r < 'A' || r > 'Z')
	}
	return !unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// Endings returns the distinct endings of a word, one that begins at each of its
// characters, cut at MaxEnding characters. A text of up to MaxEnding characters is
// part of the word exactly if one of them begins with it.
func Endings(word string) []string {
	var endings []string
	seen := map[string]bool{}
	for i := range word {
		ending := Beginning(word[i:])
		if !seen[ending] {
			seen[ending] = true
			endings = append(endings, ending)
		}
	}
	return endings
}

// Beginning returns the first MaxEnding characters of a text.
func Beginning(text string) string {
	n := 0
	for i := range text {
		if n++; n > MaxEnding {
			return text[:i]
		}
	}
	return text
}

// AfterPrefix returns the least text, in the order of bytes, that is greater than
// every text that begins with prefix, or "" if there is none.
func AfterPrefix(prefix string) string {
	for prefix != "" {
		last, n := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-n]
		switch {
		case last == 0xd7ff: // the surrogates behind it are no characters
			return prefix + "\ue000"
		case last < utf8.MaxRune:
			return prefix + string(last+1)
		}
	}
	return ""
}
