package session

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what is kept for searching, in characters.
const (
	MaxEnding = 16  // of an ending
	MaxWord   = 128 // of a word
)

// SearchWords returns the words of a normalised text, each once, in the order in
// which they begin: the longest parts of it that are letters, marks and numbers. A
// longer one than MaxWord counts as several, which overlap so that any MaxEnding
// characters of it are in one of them.
//
// If a text contains another one, then for each word of the other one, a word of the
// text contains its Beginning. So words narrow a search for any part of a text.
func SearchWords(text string) []string {
	var words []string
	seen := map[string]bool{}
	for _, whole := range strings.FieldsFunc(text, separates) {
		for _, word := range parts(whole) {
			if !seen[word] {
				seen[word] = true
				words = append(words, word)
			}
		}
	}
	return words
}

// parts returns the parts of a word that overlap.
func parts(word string) []string {
	if len(word) <= MaxWord {
		return []string{word}
	}
	var list []string
	for runes := []rune(word); ; runes = runes[MaxWord-MaxEnding+1:] {
		if len(runes) <= MaxWord {
			return append(list, string(runes))
		}
		list = append(list, string(runes[:MaxWord]))
	}
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
