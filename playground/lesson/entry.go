package lesson

import "strings"

// Entry is something that Search can find: a page, or a section of one.
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
		})
	}
	list[0].Rest = rest.String()
	return list
}

// Entries returns the lessons, the reference pages with their sections, and the terms
// of the glossary.
func (b *Book) Entries() []Entry {
	var list []Entry
	for _, l := range b.Lessons {
		list = append(list, Entry{Kind: "Lesson", Title: l.Title, Path: l.Path(),
			Text: spaced(l.Summary + " " + l.Plain)})
	}
	for _, r := range b.References {
		list = append(list, NewPage(Entry{Kind: "Reference", Title: r.Title, Path: r.Path(),
			Text: strings.TrimSpace(r.Summary + " " + r.Intro)}, r.Sections)...)
	}
	for _, t := range b.Glossary {
		list = append(list, Entry{Kind: "Term", Title: t.Name, Path: "/glossary#" + t.ID,
			Text: spaced(t.Plain)})
	}
	return list
}
