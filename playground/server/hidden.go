package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxHidden is how many different characters a warning names.
const maxHidden = 8

// hiddenWarnings returns a warning about characters in the words of a response
// that are not seen, or that change the order in which others are shown. A model
// reads them all the same, so they can carry instructions past a person.
func hiddenWarnings(r playground.Round) []string {
	words := ""
	if r.Error != nil {
		words = r.Error.Message
	}
	names := HiddenCharacters(r.Result, words)
	if names == "" {
		return nil
	}
	return []string{fmt.Sprintf("The response to %s has characters that are not visible or that reorder "+
		"text: %s.", r.Method, names)}
}

// HiddenCharacters returns the characters in the names and strings of n and in
// words that are not seen, or that change the order in which others are shown,
// as "U+200B, U+202E". It returns "" if there are none. n may be nil.
func HiddenCharacters(n *jsontree.Node, words ...string) string {
	var b strings.Builder
	collectStrings(&b, n)
	for _, w := range words {
		b.WriteString(w)
		b.WriteByte('\n')
	}
	found := text.Hidden(b.String())
	slices.Sort(found)
	var names []string
	for _, c := range found[:min(len(found), maxHidden)] {
		names = append(names, fmt.Sprintf("%U", c))
	}
	if len(found) > maxHidden {
		names = append(names, fmt.Sprintf("and %d more", len(found)-maxHidden))
	}
	return strings.Join(names, ", ")
}

// collectStrings writes the names and strings of n, each on a line.
func collectStrings(b *strings.Builder, n *jsontree.Node) {
	if n == nil {
		return
	}
	if s, ok := n.Text(); ok {
		b.WriteString(s)
		b.WriteByte('\n')
	}
	for _, m := range n.Members {
		b.WriteString(m.Key)
		b.WriteByte('\n')
		collectStrings(b, m.Value)
	}
	for _, item := range n.Items {
		collectStrings(b, item)
	}
}
