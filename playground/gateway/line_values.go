package gateway

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ofClass judges the changes of a class in every part, and counts the parts that have such
// values.
func ofClass(k class, is func(*jsontree.Node, string) bool) func(*recordings, *tally) {
	return func(r *recordings, t *tally) {
		for _, c := range r.compared {
			counts := func(d change) bool { return d.class == k }
			if has(c.before, c.path[len(c.path)-1], is) || slices.ContainsFunc(c.changes, counts) {
				c.judge(t, counts)
			}
		}
	}
}

func isNumber(n *jsontree.Node, _ string) bool { return isInexact(n) }

func isForeign(n *jsontree.Node, _ string) bool {
	return !n.Broken && strings.ContainsFunc(n.Str(), func(r rune) bool { return r > unicode.MaxASCII })
}

func isEmptyNamed(n *jsontree.Node, _ string) bool { return isEmpty(n) }

func isUnknown(_ *jsontree.Node, name string) bool {
	return strings.HasPrefix(name, "x-")
}
