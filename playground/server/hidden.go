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
	var words strings.Builder
	collectStrings(&words, r.Result)
	if r.Error != nil {
		words.WriteString(r.Error.Message)
	}
	found := text.Hidden(words.String())
	if len(found) == 0 {
		return nil
	}
	slices.Sort(found)
	var names []string
	for _, c := range found[:min(len(found), maxHidden)] {
		names = append(names, fmt.Sprintf("%U", c))
	}
	if len(found) > maxHidden {
		names = append(names, fmt.Sprintf("and %d more", len(found)-maxHidden))
	}
	return []string{fmt.Sprintf("The response to %s has characters that are not visible or that reorder text: %s.",
		r.Method, strings.Join(names, ", "))}
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
