package lesson

import (
	"fmt"
	"slices"
	"strings"
)

// frontMatter is the frontMatter matter of a file: lines of "key: value". A key may stand
// more than once.
type frontMatter map[string][]string

// splitFrontMatter cuts a file into front matter and body and refuses keys that are
// not among the known ones, so that a typo is found at start-up.
func splitFrontMatter(text string, known ...string) (frontMatter, string, error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, "", fmt.Errorf("no front matter")
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return nil, "", fmt.Errorf("front matter does not end")
	}
	f, err := parseFrontMatter(head, known)
	return f, body, err
}

func parseFrontMatter(head string, known []string) (frontMatter, error) {
	f := frontMatter{}
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			return nil, fmt.Errorf("front matter: %q is not \"key: value\"", line)
		}
		if !slices.Contains(known, key) {
			return nil, fmt.Errorf("front matter: unknown key %q", key)
		}
		f[key] = append(f[key], strings.TrimSpace(value))
	}
	return f, nil
}

// value is the value of a key; empty when it is not there.
func (f frontMatter) value(key string) string {
	if len(f[key]) == 0 {
		return ""
	}
	return f[key][0]
}

// list is a value of words separated by commas.
func (f frontMatter) list(key string) []string {
	var words []string
	for word := range strings.SplitSeq(f.value(key), ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// pair cuts "a | b" in two.
func pair(value string) (string, string) {
	a, b, _ := strings.Cut(value, "|")
	return strings.TrimSpace(a), strings.TrimSpace(b)
}
