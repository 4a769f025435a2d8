package lesson

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
)

// formats are the reference pages about files of the playground, with the word of a
// query about them.
var formats = map[string]string{"flows": "flow", "demos": "demo"}

// Entries returns the lessons, the reference pages with their sections, and the terms
// of the glossary.
func (b *Book) Entries() []search.Entry {
	var list []search.Entry
	for _, l := range b.Lessons {
		list = append(list, search.Entry{Kind: "Lesson", Title: l.Title, Path: l.Path(),
			Text: spaced(l.Summary + " " + l.Plain)})
	}
	for _, r := range b.References {
		list = append(list, search.NewPage(search.Entry{Kind: "Reference", Title: r.Title, Path: r.Path(),
			Text: strings.TrimSpace(r.Summary + " " + r.Intro), About: formats[r.Slug]}, r.Sections)...)
	}
	for _, t := range b.Glossary {
		list = append(list, search.Entry{Kind: "Term", Title: t.Name, Path: "/glossary#" + t.ID,
			Text: spaced(t.Plain)})
	}
	return list
}
