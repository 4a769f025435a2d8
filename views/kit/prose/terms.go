package prose

import (
	"slices"
	"strings"
)

// terms lists the wire words in our sentences, with their glossary entries.
var terms = []struct{ word, path string }{
	{"input_required", "/glossary#input-required"},
	{"requestState", "/glossary#requeststate"},
}

// words are a part of a sentence. path is that of a term in the glossary, or empty.
type words struct{ text, path string }

// explained returns the parts of a sentence, in which the first use of each term
// has a path.
func explained(sentence string) []words {
	parts := []words{{text: sentence}}
	for _, t := range terms {
		for i, p := range parts {
			before, after, found := strings.Cut(p.text, t.word)
			if found && p.path == "" {
				parts = slices.Replace(parts, i, i+1,
					words{text: before}, words{t.word, t.path}, words{text: after})
				break
			}
		}
	}
	return parts
}
