package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxHidden is how many different characters a warning names.
const maxHidden = 8

// HiddenInRound returns a warning about the words that the server sent in a
// Round, in whichever messages, or "" if all of them are seen.
func HiddenInRound(r playground.Round) string {
	return hiddenWarning(fmt.Sprintf("What the server sent in round %d", r.N), sentNodes(r), sentWords(r)...)
}

// HiddenInCall returns a warning about the words that the server sent in all
// Rounds of a call, or "".
func HiddenInCall(f playground.Transcript) string {
	var nodes []*jsontree.Node
	var words []string
	for _, r := range f.Rounds {
		nodes, words = append(nodes, sentNodes(r)...), append(words, sentWords(r)...)
	}
	return hiddenWarning("What the server sent", nodes, words...)
}

// HiddenInQuestion returns a warning about the words of one question, or "".
func HiddenInQuestion(q playground.Question) string {
	return hiddenWarning("This question", []*jsontree.Node{q.Node}, q.Key)
}

// HiddenBesideQuestions returns a warning about a Round as HiddenInRound does,
// but "" if the warnings about its questions name the same characters.
func HiddenBesideQuestions(r playground.Round) string {
	var asked []*jsontree.Node
	var keys []string
	for _, q := range r.Questions {
		asked, keys = append(asked, q.Node), append(keys, q.Key)
	}
	if maps.Equal(hiddenSet(asked, keys), hiddenSet(sentNodes(r), sentWords(r))) {
		return ""
	}
	return HiddenInRound(r)
}

// HiddenWarnings returns a warning about each response whose words have
// characters that are not seen.
func HiddenWarnings(c Connection) []string {
	var list []string
	for _, trip := range c.Trips {
		if hidden := hiddenInResponse(trip); hidden != "" {
			list = append(list, hidden)
		}
	}
	return list
}

// hiddenInResponse returns a warning about the words of a response, or "".
func hiddenInResponse(r playground.Round) string {
	return hiddenWarning("The response to "+r.Method, sentNodes(r), sentWords(r)...)
}

// sentWords returns the words of a server that are shown with a Round but need
// not be in its messages: why it failed, and the messages of the task so far.
func sentWords(r playground.Round) []string {
	words := []string{r.Detail}
	if r.Task != nil {
		words = append(words, r.Task.Messages...)
	}
	return words
}

// sentNodes returns every message that the server sent in a Round.
func sentNodes(r playground.Round) []*jsontree.Node {
	var list []*jsontree.Node
	for _, m := range r.AllMessages() {
		list = append(list, m.Node)
	}
	for _, t := range r.Others {
		for _, m := range t.Messages {
			list = append(list, m.Node)
		}
	}
	return list
}

// hiddenWarning returns a warning that subject has characters that are not seen,
// or that change the order in which others are shown, or "" if it has none. A
// model reads them all the same, so they can carry instructions past a person.
// They are searched in the names and strings of the nodes, which may be nil, and
// in words.
func hiddenWarning(subject string, nodes []*jsontree.Node, words ...string) string {
	found := slices.Sorted(maps.Keys(hiddenSet(nodes, words)))
	if len(found) == 0 {
		return ""
	}
	var names []string
	for _, c := range found[:min(len(found), maxHidden)] {
		names = append(names, fmt.Sprintf("%U", c))
	}
	if len(found) > maxHidden {
		names = append(names, fmt.Sprintf("and %d more", len(found)-maxHidden))
	}
	return fmt.Sprintf("%s has characters that are not visible or that reorder text: %s. "+
		"They are shown by their numbers.", subject, strings.Join(names, ", "))
}

// hiddenSet returns the hidden characters of nodes and words.
func hiddenSet(nodes []*jsontree.Node, words []string) map[rune]bool {
	set := map[rune]bool{}
	for _, w := range words {
		addHidden(set, w)
	}
	for _, n := range nodes {
		addHiddenOf(set, n)
	}
	return set
}

func addHidden(set map[rune]bool, s string) {
	for _, c := range text.Hidden(s) {
		set[c] = true
	}
}

// addHiddenOf adds the hidden characters in the names and strings of n.
func addHiddenOf(set map[rune]bool, n *jsontree.Node) {
	if n == nil {
		return
	}
	if s, ok := n.Text(); ok {
		addHidden(set, s)
	}
	for _, m := range n.Members {
		addHidden(set, m.Key)
		addHiddenOf(set, m.Value)
	}
	for _, item := range n.Items {
		addHiddenOf(set, item)
	}
}
