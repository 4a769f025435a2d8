package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// How many results a search returns, and how many are too few.
const (
	maxHits = 12
	fewHits = 3
)

// searchInput is the input schema of search_lessons.
const searchInput = `{"type":"object","properties":{
	"query":{"type":"string","minLength":1,"maxLength":100,
		"description":"Words to look for, such as requestState or header mismatch"}},
	"required":["query"]}`

const searchOutput = `{"type":"object","properties":{
	"note":{"type":"string","description":"How the results match, unless each has every word"},
	"results":{"type":"array","items":{"type":"object","properties":{
		"kind":{"type":"string","description":"Lesson, Code, Term, Reference, Rule or Specification"},
		"title":{"type":"string"},
		"excerpt":{"type":"string"},
		"url":{"type":"string"},
		"resource":{"type":"string","description":"URI of the resource with the whole text"}},
		"required":["kind","title","excerpt","url"]}}},
	"required":["results"]}`

// found is the structured content of search_lessons.
type found struct {
	Note    string `json:"note,omitempty"`
	Results []hit  `json:"results"`
}

type hit struct {
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Excerpt  string `json:"excerpt"`
	URL      string `json:"url"`
	Resource string `json:"resource,omitempty"`
}

func (s *Pages) searchLessons() serve.Tool {
	return serve.Tool{
		Name: "search_lessons", Title: "Search the lessons",
		Description: "Finds lessons, their code, terms, reference pages, rules and requirements of the " +
			"specification: those with every word of the query, then those with the most.",
		Input: searchInput, Output: searchOutput, Annotations: reads(), Run: s.search,
	}
}

// searched returns what is searched, which is the same for all.
func searched(book *lesson.Book) []search.Entry {
	return slices.Concat(book.Entries(), codeEntries(book), web.RuleEntries(book),
		learnview.SpecificationEntries(spec.Pages()))
}

func (s *Pages) search(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := read[struct {
		Query string `json:"query"`
	}](t, searchInput)
	if err != nil {
		return nil, err
	}
	end, err := s.waitTurn(ctx, t)
	if err != nil {
		return nil, err
	}
	defer end()
	hits := searchAll(s.entries(), args.Query)
	out := found{Note: matchWords(hits), Results: []hit{}}
	for _, h := range hits[:min(len(hits), maxHits)] {
		out.Results = append(out.Results, hit{
			Kind: h.Kind, Title: h.FullTitle(), Excerpt: h.Before + h.Match + h.After,
			URL: s.App.BaseURL + h.Path, Resource: resourceAt(h.Path),
		})
	}
	return structured(out), nil
}

// text returns the note and the results.
func (f found) text() string {
	var b strings.Builder
	b.WriteString(f.Note + "\n\n")
	for _, h := range f.Results {
		fmt.Fprintf(&b, "%s: %s\n%s\n%s\n\n", h.Kind, h.Title, h.Excerpt, cmp.Or(h.Resource, h.URL))
	}
	return strings.TrimSpace(b.String())
}

// codeEntries returns the code of each lesson in each language, with its helpers.
func codeEntries(b *lesson.Book) []search.Entry {
	var list []search.Entry
	for _, l := range b.Lessons {
		for _, x := range slices.Concat(l.Lines, l.Listings) {
			list = append(list, search.Entry{
				Kind: "Code", Title: l.Title + ", " + x.Name, Path: l.Path(),
				Text: strings.Join(strings.Fields(x.Source+" "+x.Called), " "),
			})
		}
	}
	return list
}

// searchAll returns the entries with every word of a query and, if these are few, those
// with some.
func searchAll(entries []search.Entry, query string) []search.Hit {
	hits := search.Find(entries, query)
	if len(hits) > fewHits {
		return hits
	}
	for _, h := range search.FindSome(entries, query) {
		if !slices.ContainsFunc(hits, func(other search.Hit) bool {
			return other.Path == h.Path && other.Title == h.Title
		}) {
			hits = append(hits, h)
		}
	}
	return hits
}

// matchWords says how hits match, or what there is if nothing was found. It returns "" for
// hits with every word.
func matchWords(hits []search.Hit) string {
	switch {
	case len(hits) == 0:
		var b strings.Builder
		b.WriteString("No entry has any of these words. The lessons are:\n")
		for _, h := range lesson.Headings() {
			fmt.Fprintf(&b, "- %s%s: %s\n", lessonURI, h.Slug, h.Title)
		}
		fmt.Fprintf(&b, "The terms are in %s, the requirements in %s.", glossaryURI, requirementsURI)
		return b.String()
	case hits[0].Partial:
		return "No entry has all of these words. These have some; those with the most are first."
	case hits[len(hits)-1].Partial:
		return "The first have all of these words, the others some."
	}
	return ""
}
