package code

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// slugOf returns a name for folders and packages.
func slugOf(name string) string {
	slug := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if slug == "" {
		return "flow"
	}
	return slug
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// wordsOf splits a name at its separators and humps: orderId is order, id.
func wordsOf(name string) []string {
	var words []string
	word := []rune{}
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	before := ' '
	for _, r := range name {
		letter := r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if !letter || unicode.IsUpper(r) && !unicode.IsUpper(before) {
			end()
		}
		if letter {
			word = append(word, r)
		}
		before = r
	}
	end()
	if len(words) == 0 || unicode.IsDigit(rune(words[0][0])) {
		words = append([]string{"the"}, words...)
	}
	return words
}

// initialisms are written in capitals in Go.
var initialisms = []string{"id", "url", "uri", "api", "http", "https", "json", "ip", "html", "uid", "uuid"}

// pascal returns a name as Go exports it.
func pascal(name string) string {
	var b strings.Builder
	for _, w := range wordsOf(name) {
		if slices.Contains(initialisms, w) {
			b.WriteString(strings.ToUpper(w))
		} else {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	return b.String()
}

// camel returns a name in camel case that begins in lower case.
func camel(name string) string {
	words := wordsOf(name)
	var b strings.Builder
	b.WriteString(words[0])
	for _, w := range words[1:] {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// snake returns a name as Python writes it.
func snake(name string) string { return strings.Join(wordsOf(name), "_") }

// namer gives identifiers, each once.
type namer struct {
	taken map[string]bool
	given map[string]string
}

func newNamer(reserved ...string) *namer {
	n := &namer{taken: map[string]bool{}, given: map[string]string{}}
	for _, list := range reserved {
		for _, word := range strings.Fields(list) {
			n.taken[word] = true
		}
	}
	return n
}

// name returns the identifier of the thing with this key. The first of the
// candidates that is free is taken.
func (n *namer) name(key string, candidates ...string) string {
	if name, ok := n.given[key]; ok {
		return name
	}
	name := candidates[len(candidates)-1]
	for _, c := range candidates {
		if !n.taken[c] {
			name = c
			break
		}
	}
	for i, base := 2, name; n.taken[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	n.taken[name], n.given[key] = true, name
	return name
}
