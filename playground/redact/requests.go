package redact

import "slices"

// maxBetween is how many words may stand before a secret back to the verb that asks
// for it.
const maxBetween = 5

// Words before a secret that ask for it or say that it is not asked for, and words
// after one that make it none.
var (
	askingWords = []string{
		"enter", "provide", "type", "input", "give", "supply", "submit", "paste", "share", "tell", "send",
		"what", "need", "fill",
	}
	denyingWords  = []string{"not", "never", "no", "without", "don", "t"}
	afterNoSecret = []string{"policy", "manager", "reset", "hint", "length", "protected"}
)

// RequestsSecret reports whether a text seems to tell its reader to enter a secret:
// "Please enter your password". Like NamesSecret it compares words.
func RequestsSecret(text string) bool {
	words := wordsOf(text, Label)
	for i, word := range words {
		before := words[max(0, i-maxBetween):i]
		if !containsAny(before, askingWords) || containsAny(before, denyingWords) {
			continue
		}
		for _, p := range phrases[word] {
			if p.place == Label && p.isAt(words, i) && !slices.Contains(afterNoSecret, p.after(words, i)) {
				return true
			}
		}
	}
	return false
}

// after returns the word after the phrase at word i, or "".
func (p phrase) after(words []string, i int) string {
	if p.rest != "" {
		i++
	}
	if i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

func containsAny(words, list []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}
