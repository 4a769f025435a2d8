package views_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// most is how many golden files may have the same label, because a new word for
// it changes all of them.
const most = 10

// labelled are the labels of golden files by their paths.
type labelled map[string][]string

// add adds those of a golden file. The names of samples are no labels.
func (l labelled) add(path string, labels []string, samples []sampletools.Sample) {
	for _, s := range samples {
		labels = slices.DeleteFunc(labels, func(label string) bool {
			return label == s.Title || label == s.Title+" (sample)"
		})
	}
	l[path] = labels
}

// isOutcome reports whether a label is the word of an outcome. These stand once, in package
// verdict, and every story of a verdict has them.
func isOutcome(label string) bool {
	return slices.ContainsFunc(verdict.Outcomes(), func(o verdict.Outcome) bool {
		return label == o.Word() || strings.HasSuffix(o.Count(2), label)
	})
}

// check fails for every label that is in too many golden files, except the words of
// outcomes. A label of several words counts as well where it is more than half of another
// text.
func (l labelled) check(t *testing.T) {
	t.Helper()
	in := map[string][]string{}
	for path, list := range l {
		slices.Sort(list)
		for _, label := range slices.Compact(list) {
			in[label] = append(in[label], path)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(in)) {
		paths := in[label]
		if len(paths) > 1 && strings.Contains(label, " ") {
			for path, list := range l {
				if slices.ContainsFunc(list, func(text string) bool {
					return len(text) < 2*len(label) && strings.Contains(text, label)
				}) {
					paths = append(paths, path)
				}
			}
			slices.Sort(paths)
			paths = slices.Compact(paths)
		}
		if slices.Sort(paths); len(paths) > most && !isOutcome(label) {
			t.Errorf("%q is in %d golden files; show less of their pages: %s", label, len(paths),
				strings.Join(paths, " "))
		}
	}
}

// labelsOf returns the texts of an element that the program has for people: not
// those of messages, and no names with dots and the like in them. Numbers are
// left out.
func labelsOf(n *html.Node, hidden map[*html.Node]bool) (labels []string) {
	add := func(s string) {
		s = strings.Trim(strings.Join(strings.Fields(number.ReplaceAllString(s, " ")), " "), " ,:.·")
		if letters.MatchString(s) && (strings.Contains(s, " ") || !inName.MatchString(s)) {
			labels = append(labels, s)
		}
	}
	switch {
	case n.Type == html.TextNode:
		add(n.Data)
		return labels
	case hidden[n]:
		return nil
	}
	for _, key := range []string{"aria-label", "title", "placeholder", "alt"} {
		add(attribute(n, key))
	}
	if slices.Contains([]string{"svg", "pre", "code", "textarea", "script"}, n.Data) ||
		slices.ContainsFunc(strings.Fields(attribute(n, "class")), func(class string) bool {
			return slices.Contains([]string{"json", "fields", "wire"}, class)
		}) {
		return labels
	}
	for c := range n.ChildNodes() {
		labels = append(labels, labelsOf(c, hidden)...)
	}
	return labels
}

var (
	number  = regexp.MustCompile(`[0-9]+`)
	letters = regexp.MustCompile(`\pL{3}`)
	inName  = regexp.MustCompile(`[._/:]`)
)
