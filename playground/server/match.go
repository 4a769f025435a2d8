package server

import (
	"strings"
	"unicode"
)

// Match reports whether the name or the label of a tool, prompt or resource
// matches a filter, and how well: 0 is best. Every word of the filter must be
// in one of the two: "cb", "create" and "eate bra" all match create_branch. The
// script tools.js filters by the same rules.
func Match(filter, name, label string) (rank int, ok bool) {
	for _, word := range strings.Fields(strings.ToLower(filter)) {
		n := min(rankOf(word, name), rankOf(word, label))
		if n == noMatch {
			return noMatch, false
		}
		rank = max(rank, n)
	}
	return rank, true
}

const noMatch = 5

// rankOf returns how well a word matches a text: as the whole or as the initials
// of its words, as its beginning, as the beginning of a word, anywhere.
func rankOf(word, text string) int {
	words := nameWords(text)
	initials := ""
	for _, w := range words {
		initials += string([]rune(w)[:1])
	}
	lower := strings.ToLower(text)
	switch {
	case lower == word || initials == word:
		return 0
	case strings.HasPrefix(lower, word):
		return 1
	case strings.HasPrefix(initials, word):
		return 2
	}
	for _, w := range words {
		if strings.HasPrefix(w, word) {
			return 3
		}
	}
	if strings.Contains(lower, word) {
		return 4
	}
	return noMatch
}

// nameWords returns the words of a name in lower case: those of create_branch,
// create-branch and createBranch are the same.
func nameWords(name string) []string {
	var b strings.Builder
	lower := false // the last letter was in lower case, or a digit
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
