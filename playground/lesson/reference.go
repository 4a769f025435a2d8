package lesson

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
)

// Reference is a page to look things up: tables and details that would make a
// lesson too long. It has no live exchange and no question. Its claims are
// executed like those of a lesson.
type Reference struct {
	Slug    string
	Title   string
	Summary string // one line
	Lesson  string // slug of the lesson that it continues
	HTML    string
	// the text as it was written, for programs
	Markdown string
	Intro    string // the text before the first heading, for search
	Sections []search.Section
	Clause   Link // of the specification
	Script   Script
}

// ReferencePath is the path below which the reference pages are.
const ReferencePath = "/learn/reference/"

// Path returns the URL path of the page.
func (r Reference) Path() string { return ReferencePath + r.Slug }

// Reference returns the reference page with that slug.
func (b *Book) Reference(slug string) (Reference, bool) {
	i := slices.IndexFunc(b.References, func(r Reference) bool { return r.Slug == slug })
	if i < 0 {
		return Reference{}, false
	}
	return b.References[i], true
}

// ReferencesOf returns the reference pages that continue a lesson.
func (b *Book) ReferencesOf(l Lesson) []Reference {
	var list []Reference
	for _, r := range b.References {
		if r.Lesson == l.Slug {
			list = append(list, r)
		}
	}
	return list
}

func (m markdown) readReferences(files fs.FS) ([]Reference, error) {
	names, err := fs.Glob(files, "content/reference/*.md")
	if err != nil {
		return nil, fmt.Errorf("list reference pages: %w", err)
	}
	var list []Reference
	for _, name := range names {
		r, err := readWith(files, name, m.parseReference)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

var referenceKeys = []string{"slug", "title", "summary", "lesson", "clause"}

func (m markdown) parseReference(text string) (Reference, error) {
	f, body, err := splitFrontMatter(text, referenceKeys...)
	if err != nil {
		return Reference{}, err
	}
	r := Reference{Slug: f.value("slug"), Title: f.value("title"), Summary: f.value("summary"),
		Lesson: f.value("lesson"), Clause: clause(f.value("clause"))}
	if r.Slug == "" || r.Title == "" || r.Summary == "" || r.Clause.Words == "" {
		return r, fmt.Errorf("slug, title, summary or clause is missing")
	}
	prose, blocks, err := cutBlocks(body, "expect")
	if err != nil {
		return r, err
	}
	for i, b := range blocks {
		steps, err := parseSteps(i+1, b)
		if err != nil {
			return r, err
		}
		r.Script = append(r.Script, steps...)
	}
	r.Markdown = strings.TrimSpace(prose)
	r.Intro, r.Sections = m.sections(prose)
	r.HTML, err = m.html(prose)
	return r, err
}

// AgentsPath is the page about connecting an agent.
const AgentsPath = ReferencePath + "agents"
