package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Hit is an Entry that was found, with an excerpt around the match.
type Hit struct {
	Entry
	Before, Match, After string
	Partial              bool // it has some of the words only
	Score                int  // the higher, the better
	inTitle              int  // how many of the words the title has
}

// MaxQuery is the number of bytes of a query that Find uses.
const MaxQuery = 100

// maxPartial bounds the partial hits.
const maxPartial = 12

// Find returns the entries that have every word of the query, the best first: whole
// words come before beginnings of words, these before parts of words, and a title before
// a text. A word also finds its synonyms, after itself. A page is found for the text of
// its sections only if no section has every word. If no entry has, Find returns those
// with the most. Stop words such as "how" and "the" count only if
// there are no others.
func Find(entries []Entry, query string) []Hit {
	words := parseQuery(query)
	if len(words) == 0 {
		return nil
	}
	for _, withRest := range []bool{false, true} {
		var found []Hit
		for _, e := range entries {
			if m := e.match(words, true, withRest); len(m.has) == len(words) {
				found = append(found, m.Hit(query))
			}
		}
		if len(found) > 0 {
			return aboutLast(bestFirst(found), query)
		}
	}
	return FindSome(entries, query)
}

// FindSome returns the twelve entries with the most words of the query. Only whole
// words and their beginnings match: "ask" is not in "task".
func FindSome(entries []Entry, query string) []Hit {
	const more = 1000 // one more word outweighs any score
	words := parseQuery(query)
	var found []Hit
	for _, e := range entries {
		m := e.match(words, false, false)
		if len(m.has) == 0 {
			continue
		}
		hit := m.Hit(query)
		hit.Partial = true
		hit.Score += more * len(m.has)
		found = append(found, hit)
	}
	hits := aboutLast(bestFirst(found), query)
	return hits[:min(len(hits), maxPartial)]
}

// aboutLast puts the entries about something last, unless the query is about it.
func aboutLast(hits []Hit, query string) []Hit {
	rank := func(h Hit) int {
		if h.About != "" && !strings.Contains(strings.ToLower(query), h.About) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(rank(a), rank(b)) })
	return hits
}

// bestFirst sorts hits by their score. Of equal ones, a title with fewer other words and
// then a shorter text has more of the searched words.
func bestFirst(hits []Hit) []Hit {
	covered := func(h Hit) int { return 100 * h.inTitle / max(1, len(strings.Fields(h.Title))) }
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(covered(b), covered(a)),
			cmp.Compare(len(a.Text), len(b.Text)))
	})
	return hits
}

// Scores of a word by where and how it was found.
var (
	titleScores = map[quality]int{whole: 24, start: 9, part: 4}
	textScores  = map[quality]int{whole: 12, start: 6, part: 2}
)

// Other scores. A synonym counts as a whole word only, and less than the word itself.
const (
	synonymInTitle = 10
	phraseOfTitle  = 16 // a synonym of several words, which means little else
	synonymInText  = 5
	inRestAlone    = 1  // a word in the text of a page's sections
	phraseInTitle  = 12 // more, for a title with the query as it was typed
	isTitle        = 1  // more, if that is the whole title
	isSection      = 2  // more, if it is a section, which says more than a term
	isNear         = 1  // more, for each other word in the excerpt
)

// match is the match of an entry with a query.
type match struct {
	entry   Entry
	title   string // folded
	has     []place
	score   int
	inTitle int
}

// place is where a word was found in the text of an entry, if it was found there.
type place struct {
	text     string // Text or Rest of the entry; empty for a word of the title
	from, to int
	score    int
}

// match looks for the words of a query in an entry: with parts, also inside of other
// words, and with rest, also in the sections of a page.
func (e Entry) match(words []term, parts, rest bool) match {
	m := match{entry: e, title: fold(e.Title)}
	title, body, sections := searchable{plain: m.title}, newSearchable(e.Text), searchable{}
	if rest {
		sections = newSearchable(e.Rest)
	}
	for _, w := range words {
		score, at := find(title, body, w, parts)
		if score == 0 {
			score, at = sections.findWhole(w)
		}
		if score > 0 {
			m.has, m.score = append(m.has, at), m.score+score
		}
		if slices.ContainsFunc(w, func(form string) bool { return hasWhole(m.title, form) }) {
			m.inTitle++
		}
	}
	return m
}

// searchable is a text that is searched, with its folded form.
type searchable struct{ text, plain string }

func newSearchable(text string) searchable { return searchable{text, fold(text)} }

// find returns the score of a term in an entry, and its place in the text of that.
func find(title, body searchable, t term, parts bool) (score int, at place) {
	for i, form := range t {
		synonym := synonymInTitle
		if strings.Contains(form, " ") {
			synonym = phraseOfTitle
		}
		inTitle, _ := title.judged(form, titleScores, synonym, i > 0, parts)
		inText, p := body.judged(form, textScores, synonymInText, i > 0, parts)
		score = max(score, inTitle, inText)
		if inText > at.score {
			at = p
		}
	}
	return score, at
}

// findWhole returns the score and the place of a term in the text of a page's sections.
func (s searchable) findWhole(t term) (score int, at place) {
	for _, form := range t {
		if from, to, q := locate(s.plain, form); q == whole {
			return inRestAlone, place{s.text, from, to, inRestAlone}
		}
	}
	return 0, place{}
}

// judged returns the score of a form of a term in a text and its place. It is 0 for a
// synonym that is no whole word.
func (s searchable) judged(form string, scores map[quality]int, synonym int, isSynonym, parts bool) (
	int, place,
) {
	from, to, q := locate(s.plain, form)
	score := scores[q]
	switch {
	case q == part && !parts, isSynonym && q != whole:
		score = 0
	case isSynonym:
		score = synonym
	}
	return score, place{s.text, from, to, score}
}

// Hit returns the entry with an excerpt around the place that has the most words near it.
func (m match) Hit(query string) Hit {
	const around = 90
	h := Hit{Entry: m.entry, Score: m.score, inTitle: m.inTitle}
	if hasWhole(m.title, spaced(fold(query))) {
		h.Score += phraseInTitle
		if h.IsSection() {
			h.Score += isSection
		}
		if m.title == spaced(fold(query)) {
			h.Score += isTitle
		}
	}
	best, most := m.nearest(around)
	h.Score += max(most, 0) * isNear
	if most < 0 { // it has the words in its title only
		to := wordEnd(m.entry.Text, 0, 2*around)
		h.Before = ellipsis(m.entry.Text[:to], false, to < len(m.entry.Text))
		return h
	}
	from, to := wordStart(best.text, best.from-around, best.from), wordEnd(best.text, best.to, best.to+around)
	h.Before = ellipsis(best.text[from:best.from], from > 0, false)
	h.Match = best.text[best.from:best.to]
	h.After = ellipsis(best.text[best.to:to], false, to < len(best.text))
	return h
}

// nearest returns the place in the text with the most other words near it, and how many
// these are, or -1 if no word is in the text.
func (m match) nearest(around int) (best place, most int) {
	most = -1
	for i, p := range m.has {
		if p.score == 0 {
			continue
		}
		near := 0
		for j, other := range m.has {
			if i != j && other.score > 0 && other.from > p.from-around && other.to < p.to+around {
				near++
			}
		}
		if near > most || near == most && p.score > best.score {
			best, most = p, near
		}
	}
	return best, most
}

// wordStart returns where the first word at i or after it begins, at most most.
func wordStart(s string, i, most int) int {
	if i <= 0 {
		return 0
	}
	if space := strings.IndexByte(s[i:most], ' '); space >= 0 {
		return i + space + 1
	}
	return most
}

// wordEnd returns where the last word before i ends, at least least. A text without
// spaces ends at i.
func wordEnd(s string, least, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if space := strings.LastIndexByte(s[least:i], ' '); space >= 0 {
		return least + space
	}
	for i > least && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
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
