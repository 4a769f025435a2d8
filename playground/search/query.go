package search

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// term is one thing that a query looks for: a word or phrase, folded, and its
// synonyms.
type term []string

// parseQuery returns the terms of a query. Stop words count only if there are no others.
func parseQuery(query string) []term {
	var words []string
	for _, w := range strings.Fields(query[:min(len(query), MaxQuery)]) {
		if w = spaced(fold(strings.Trim(w, `?!.,;:"'()`))); w != "" {
			words = append(words, w) // one word, also if it has a hyphen
		}
	}
	if terms := parseWords(words, stopWords); len(terms) > 0 {
		return terms
	}
	return parseWords(words, nil)
}

// parseWords returns the terms of words without duplicates. Of phrases with synonyms it
// takes the longest.
func parseWords(words, without []string) []term {
	var list []term
	for i := 0; i < len(words); i++ {
		n := longestPhrase(words[i:])
		if n <= 1 && slices.Contains(without, words[i]) {
			continue
		}
		phrase := singular(strings.Join(words[i:i+max(n, 1)], " "))
		i += max(n, 1) - 1
		if !slices.ContainsFunc(list, func(t term) bool { return t[0] == phrase }) {
			list = append(list, append(term{phrase}, synonyms()[phrase]...))
		}
	}
	return list
}

// longestPhrase returns how many of the first words are a phrase with synonyms, 0 for
// none.
func longestPhrase(words []string) int {
	const most = 4
	for n := min(most, len(words)); n > 0; n-- {
		if len(synonyms()[singular(strings.Join(words[:n], " "))]) > 0 {
			return n
		}
	}
	return 0
}

// singular removes the plural s of the last word: locate finds both forms of a singular.
func singular(w string) string {
	if len(w) <= 3 || strings.HasSuffix(w, "ss") {
		return w
	}
	for _, end := range []string{"sses", "shes", "ches", "xes"} {
		if strings.HasSuffix(w, end) {
			return strings.TrimSuffix(w, "es")
		}
	}
	return strings.TrimSuffix(w, "s")
}

//go:embed synonyms.txt
var synonymGroups string

// synonyms returns the other words for a word or phrase of the field. Each line of the
// file is a group of words, separated by commas, any of which finds the others; a line
// that begins with # is a comment.
var synonyms = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(synonymGroups) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var group []string
		for w := range strings.SplitSeq(line, ",") {
			if w = strings.TrimSpace(w); w != "" {
				group = append(group, singular(spaced(fold(w))))
			}
		}
		for _, w := range group {
			for _, other := range group {
				if other != w && !slices.Contains(all[w], other) {
					all[w] = append(all[w], other)
				}
			}
		}
	}
	return all
})

// stopWords are too common to search for.
var stopWords = strings.Fields("a about an and any are as at be but by can could did do does explain " +
	"explained for from get has have how i if in into is it just like make me my need no not of on " +
	"one or our should so some than that the their them then there they this to too use want was we " +
	"what when where which who why will with would you your")

// DistinctWords returns the words of a text that a query may look for, once each, in lower
// case.
func DistinctWords(text string) string {
	var list []string
	seen := map[string]bool{}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWord(r) })
	for _, w := range words {
		if len(w) >= shortest && !seen[w] && !slices.Contains(stopWords, w) {
			seen[w] = true
			list = append(list, w)
		}
	}
	return strings.Join(list, " ")
}
