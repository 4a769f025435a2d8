package lesson

import (
	"fmt"
	"slices"
	"strings"
)

// frontMatter is the front matter of a file: lines of "key: value". A key can
// occur more than once.
type frontMatter map[string][]string

// splitFrontMatter splits a file into front matter and body. It rejects unknown
// keys, so that a typo is found when the program starts.
func splitFrontMatter(text string, known ...string) (frontMatter, string, error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, "", fmt.Errorf("no front matter")
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return nil, "", fmt.Errorf("front matter is not closed")
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

// value returns the first value of a key, or "".
func (f frontMatter) value(key string) string {
	if len(f[key]) == 0 {
		return ""
	}
	return f[key][0]
}

// pair splits "a | b" in two.
func pair(value string) (string, string) {
	a, b, _ := strings.Cut(value, "|")
	return strings.TrimSpace(a), strings.TrimSpace(b)
}
