// Package search finds pages by words: lessons, reference pages and their
// sections, terms, servers and saved calls, each of which is an [Entry]. It ranks
// them by how and where they have the words of a query, or synonyms of these. It
// knows neither the pages nor HTML, and keeps nothing, so that several goroutines
// may call it.
package search

import "strings"

// Entry is something that Find can find: a page, or a section of one.
type Entry struct {
	Kind  string // kind of page, as in "Lesson" or "Saved call"
	Title string
	Path  string
	Text  string
	// Page is the title of the page that a section is on. The sections of a page
	// have its path, with a fragment.
	Page string
	// Rest is the text of a page's sections. The page is found for it only if no
	// section has all that is searched for.
	Rest string
	// About is a word of queries about the page, in lower case, if its other words
	// are those of other pages, too. Queries without it find the page last.
	About string
}

// Section is a part of a page below a heading.
type Section struct {
	ID    string // fragment of its URL
	Title string
	Plain string // its text alone
}

// IsSection reports whether the entry is a section of a page.
func (e Entry) IsSection() bool { return e.Page != "" }

// FullTitle returns the title with that of the page of a section.
func (e Entry) FullTitle() string {
	if e.IsSection() {
		return e.Page + ": " + e.Title
	}
	return e.Title
}

// NewPage returns the entries of a page and its sections.
func NewPage(page Entry, sections []Section) []Entry {
	list := []Entry{page}
	var rest strings.Builder
	for _, s := range sections {
		rest.WriteString(s.Title + " " + s.Plain + " ")
		list = append(list, Entry{
			Kind: page.Kind, Title: s.Title, Path: page.Path + "#" + s.ID, Text: s.Plain, Page: page.Title,
			About: page.About,
		})
	}
	list[0].Rest = rest.String()
	return list
}
