package verdict

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxReasons is how many reasons a text has for one outcome.
const maxReasons = 6

// reasons returns a sentence for each outcome that says why nothing was found, with the
// most frequent reasons first: "Not judged: 3 rules: no message shows it."
func (r Report) reasons() []string {
	var list []string
	for _, o := range []Outcome{Stopped, NotJudged, NotReached, NotApplicable} {
		if words := r.reasonsOf(o); words != "" {
			list = append(list, words)
		}
	}
	return list
}

// reasonsOf returns the sentence for one outcome, or "".
func (r Report) reasonsOf(o Outcome) string {
	type group struct {
		why, noun string
		names     []string
	}
	var groups []group
	for _, g := range r.Groups {
		if g.Steps || g.Aside {
			continue
		}
		for _, l := range g.Lines {
			if l.Outcome != o {
				continue
			}
			i := slices.IndexFunc(groups, func(x group) bool { return x.why == l.Sentence })
			if i < 0 {
				noun := strings.ToLower(g.Noun)
				if l.Scope != "" {
					noun = "check"
				}
				i, groups = len(groups), append(groups, group{why: l.Sentence, noun: noun})
			}
			groups[i].names = append(groups[i].names, l.Name())
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(len(b.names), len(a.names)) })
	var words []string
	for i, g := range groups {
		if i == maxReasons {
			words = append(words, "and more")
			break
		}
		named := g.names[0]
		if n := len(g.names); n > 1 {
			named = text.Plural(n, cmp.Or(g.noun, "check"))
		}
		words = append(words, text.Visible(named+": "+inside(g.why), 300))
	}
	if len(words) == 0 {
		return ""
	}
	first := o.Word()
	return strings.ToUpper(first[:1]) + first[1:] + ": " + strings.Join(words, "; ") + "."
}

// inside returns the first sentence of a text as a part of another, which says already that
// nothing was judged. An abbreviation keeps its capitals.
func inside(sentence string) string {
	sentence = strings.TrimPrefix(sentence, "Not judged, because ")
	first, n := utf8.DecodeRuneInString(sentence)
	if n == 0 {
		return "no reason is known"
	}
	rest, _, _ := strings.Cut(sentence[n:], ". ")
	if second, _ := utf8.DecodeRuneInString(rest); !unicode.IsUpper(second) {
		first = unicode.ToLower(first)
	}
	return string(first) + strings.TrimSuffix(rest, ".")
}
