package lesson

import (
	"cmp"
	"slices"
	"strings"
)

// Entry is something that can be found.
type Entry struct {
	Kind  string // Lesson, Term or Rule
	Title string
	Path  string
	Text  string
}

// Entries are the lessons and the terms of the glossary.
func (b *Book) Entries() []Entry {
	var list []Entry
	for _, l := range b.Lessons {
		list = append(list, Entry{"Lesson", l.Title, l.Path(), l.Summary + " " + l.Plain})
	}
	for _, t := range b.Glossary {
		list = append(list, Entry{"Term", t.Name, "/glossary#" + t.ID, t.Plain})
	}
	return list
}

// Hit is an Entry that was found, with the stretch of its text where.
type Hit struct {
	Entry
	Before, Match, After string
}

// MaxQuery is how much of a query is looked at.
const MaxQuery = 100

// Search finds the entries that have every word of the query, those with words
// in their title first.
func Search(entries []Entry, query string) []Hit {
	words := strings.Fields(lower(query[:min(len(query), MaxQuery)]))
	if len(words) == 0 {
		return nil
	}
	type scored struct {
		Hit
		score int
	}
	var found []scored
	for _, e := range entries {
		if score := e.score(words); score > 0 {
			found = append(found, scored{e.hit(words), score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	hits := make([]Hit, len(found))
	for i, f := range found {
		hits[i] = f.Hit
	}
	return hits
}

// score is 0 unless every word is somewhere.
func (e Entry) score(words []string) int {
	title, text := lower(e.Title), lower(e.Text)
	score := 0
	for _, w := range words {
		switch {
		case title == w:
			score += 20
		case strings.Contains(title, w):
			score += 10
		case strings.Contains(text, w):
			score++
		default:
			return 0
		}
	}
	return score
}

// hit cuts a stretch of text around the first word that is in it.
func (e Entry) hit(words []string) Hit {
	const around = 90
	text := lower(e.Text)
	for _, w := range words {
		i := strings.Index(text, w)
		if i < 0 {
			continue
		}
		from, to := wordStart(e.Text, i-around), wordEnd(e.Text, i+len(w)+around)
		return Hit{e, ellipsis(e.Text[from:i], from > 0, false), e.Text[i : i+len(w)], ellipsis(e.Text[i+len(w):to], false, to < len(e.Text))}
	}
	to := wordEnd(e.Text, 2*around)
	return Hit{Entry: e, Before: ellipsis(e.Text[:to], false, to < len(e.Text))}
}

// lower folds case for ASCII alone, so that places in the text stay the same.
func lower(s string) string {
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
