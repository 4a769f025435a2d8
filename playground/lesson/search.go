package lesson

import (
	"cmp"
	"slices"
	"strings"
)

// Entry is something that Search can find.
type Entry struct {
	Kind  string // what it is, as in "Lesson" or "Saved call"
	Title string
	Path  string
	Text  string
}

// Entries returns the lessons, the terms of the glossary and the reference pages.
func (b *Book) Entries() []Entry {
	var list []Entry
	for _, l := range b.Lessons {
		list = append(list, Entry{"Lesson", l.Title, l.Path(), l.Summary + " " + l.Plain})
	}
	for _, t := range b.Glossary {
		list = append(list, Entry{"Term", t.Name, "/glossary#" + t.ID, t.Plain})
	}
	for _, r := range b.References {
		list = append(list, Entry{"Reference", r.Title, r.Path(), r.Summary + " " + r.Plain})
	}
	return list
}

// Hit is an Entry that was found, with an excerpt around the match.
type Hit struct {
	Entry
	Before, Match, After string
	Partial              bool // it was searched for some of the words
}

// MaxQuery is the number of bytes of a query that Search uses.
const MaxQuery = 100

// maxPartial bounds the partial hits.
const maxPartial = 12

// scored is a Hit with its score.
type scored struct {
	Hit
	score int
}

// Search returns the entries that have every word of the query, those with
// words in their title first. If there are none, it returns those with the most
// words. Stop words such as "how" and "the" count only if there are no others.
func Search(entries []Entry, query string) []Hit {
	words := searchWords(query)
	if len(words) == 0 {
		return nil
	}
	var found []scored
	for _, e := range entries {
		if score := e.score(words, true); score > 0 {
			found = append(found, scored{e.hit(words), score})
		}
	}
	if len(found) == 0 {
		return SearchSome(entries, query)
	}
	return bestFirst(found)
}

// SearchSome returns the twelve entries with the most words of the query.
func SearchSome(entries []Entry, query string) []Hit {
	hits := bestFirst(searchPartial(entries, searchWords(query)))
	return hits[:min(len(hits), maxPartial)]
}

// searchWords returns the words of a query that count.
func searchWords(query string) []string {
	words := strings.Fields(lowerASCII(query[:min(len(query), MaxQuery)]))
	if about := keywords(words); len(about) > 0 {
		return about
	}
	return words
}

// bestFirst returns hits by their score.
func bestFirst(found []scored) []Hit {
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	hits := make([]Hit, len(found))
	for i, f := range found {
		hits[i] = f.Hit
	}
	return hits
}

// searchPartial scores entries by the number of words found, then as Search
// does. Only the start of a word matches: "ask" is not in "task".
func searchPartial(entries []Entry, words []string) []scored {
	const more = 1000 // one more word outweighs any score
	words = singular(words)
	var found []scored
	for _, e := range entries {
		has := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
			return !startsWord(lowerASCII(e.Title), w) && !startsWord(lowerASCII(e.Text), w)
		})
		if len(has) == 0 {
			continue
		}
		hit := e.hit(has)
		hit.Partial = true
		found = append(found, scored{hit, more*len(has) + e.score(has, false)})
	}
	return found
}

// score returns 0 unless the entry has every word. With inside, a word may also
// be inside another.
func (e Entry) score(words []string, inside bool) int {
	title, text := lowerASCII(e.Title), lowerASCII(e.Text)
	score := 0
	for _, w := range words {
		switch {
		case title == w:
			score += 20
		case startsWord(title, w):
			score += 10
		case inside && strings.Contains(title, w):
			score += 5
		case startsWord(text, w):
			score += 2
		case inside && strings.Contains(text, w):
			score++
		default:
			return 0
		}
	}
	return score
}

// hit returns a Hit with an excerpt around the first word that is in the text.
func (e Entry) hit(words []string) Hit {
	const around = 90
	text := lowerASCII(e.Text)
	for _, w := range words {
		i := findWord(text, w)
		if i < 0 {
			continue
		}
		from, to := wordStart(e.Text, i-around), wordEnd(e.Text, i+len(w)+around)
		return Hit{Entry: e, Before: ellipsis(e.Text[from:i], from > 0, false),
			Match: e.Text[i : i+len(w)], After: ellipsis(e.Text[i+len(w):to], false, to < len(e.Text))}
	}
	to := wordEnd(e.Text, 2*around)
	return Hit{Entry: e, Before: ellipsis(e.Text[:to], false, to < len(e.Text))}
}

// findWord returns the index of a word that begins with w, or else of any
// occurrence of w, or -1.
func findWord(text, w string) int {
	for i := 0; i < len(text); {
		n := strings.Index(text[i:], w)
		if n < 0 {
			break
		}
		if i += n; i == 0 || !isLetter(text[i-1]) {
			return i
		}
		i++
	}
	return strings.Index(text, w)
}

// startsWord reports whether a word of the text begins with w.
func startsWord(text, w string) bool {
	i := findWord(text, w)
	return i == 0 || i > 0 && !isLetter(text[i-1])
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// keywords returns the words without punctuation, duplicates and stop words.
func keywords(words []string) []string {
	var list []string
	for _, w := range words {
		w = strings.Trim(w, `?!.,;:"'()`)
		if w != "" && !slices.Contains(list, w) && !slices.Contains(stopWords, w) {
			list = append(list, w)
		}
	}
	return list
}

// singular removes the plural s, so that one form finds the other.
func singular(words []string) []string {
	list := slices.Clone(words)
	for i, w := range list {
		if len(w) > 3 {
			list[i] = strings.TrimSuffix(w, "s")
		}
	}
	return list
}

// stopWords are too common to search for.
var stopWords = strings.Fields("a about an and any are as at be but by can could did do does explain " +
	"explained for from get has have how i if in into is it just like make me my need no not of on " +
	"one or our should so some than that the their them then there they this to too use want was we " +
	"what when where which who why will with would you your")

// lowerASCII lowers ASCII letters only, so that byte offsets stay the same.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func wordStart(s string, i int) int {
	if i <= 0 {
		return 0
	}
	return i + strings.IndexByte(s[i:], ' ') + 1
}

func wordEnd(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if space := strings.LastIndexByte(s[:i], ' '); space > 0 {
		return space
	}
	return len(s)
}

func ellipsis(s string, before, after bool) string {
	if before {
		s = "… " + s
	}
	if after {
		s += " …"
	}
	return s
}
