package learn

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Search is the page of search results.
type Search struct {
	Query   string
	Kind    string // the only kind that is shown; empty for all
	Total   int    // results of all kinds
	Partial bool   // no entry has every word
	Groups  []SearchGroup
}

// SearchGroup are the results of one kind.
type SearchGroup struct {
	Title string
	Hits  []search.Hit
	best  int    // score of the best
	More  int    // how many are left out
	Path  string // where all of them are
}

// searchKinds are the kinds of results in the order of the page, with the
// headings of their groups.
var searchKinds = []struct{ kind, title string }{
	{"Page", "Pages"}, {"Saved call", "Saved calls"}, {"Flow", "Your flows"},
	{"Flow example", "Flows to start from"},
	{"Client", "Your captures"}, {"Server", "Your servers"},
	{"Lesson", "Lessons"}, {"Reference", "Reference"}, {"Term", "Glossary"},
	{"Demo", "Demos"}, {"Sample", "Samples"}, {"Tool", "Tools"},
	{"Call", "Your calls"}, {"Rule", "Rules"}, {"Specification", "The specification"},
}

// shownHits is how many results of a kind are shown beside other kinds.
const shownHits = 5

// NewSearch returns the page for the results of a query: all of one kind, or of
// each kind the best. The kind with the best result comes first.
func NewSearch(query, kind string, hits []search.Hit) Search {
	s := Search{Query: query, Kind: kind, Total: len(hits), Partial: len(hits) > 0 && hits[0].Partial}
	for _, k := range searchKinds {
		g := SearchGroup{Title: k.title}
		for _, h := range hits {
			if h.Kind == k.kind && (kind == "" || kind == k.kind) {
				g.Hits = append(g.Hits, h)
				g.best = max(g.best, h.Score)
			}
		}
		if len(g.Hits) == 0 {
			continue
		}
		if n := len(g.Hits); kind == "" && n > shownHits+1 {
			g.Hits, g.More = g.Hits[:shownHits], n-shownHits
			g.Path = "/search?" + url.Values{"q": {query}, "kind": {k.kind}}.Encode()
		}
		s.Groups = append(s.Groups, g)
	}
	slices.SortStableFunc(s.Groups, func(a, b SearchGroup) int { return b.best - a.best })
	return s
}

// foundWords says how many results there are, and whether they match fully.
func (s Search) foundWords() string {
	switch {
	case s.Total == 0:
		return "No entry contains any of these words."
	case s.Partial:
		return "No entry contains all of these words. These contain some."
	}
	return text.Plural(s.Total, "result") + "."
}

// searchPath is the page of all results of a query.
func searchPath(query string) string { return "/search?" + url.Values{"q": {query}}.Encode() }

// moreWords is the link to the results that are left out.
func (g SearchGroup) moreWords() string { return fmt.Sprintf("%d more", g.More) }
