package lesson

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

//go:embed content listings
var files embed.FS

// Book holds the lessons, the reference pages, the glossary, the quiz and the
// exchanges of Spot the fault. It is immutable after New.
type Book struct {
	Lessons    []Lesson
	References []Reference
	Glossary   []Term
	Quiz       []Scenario
	Spot       []Item // exchanges of Spot the fault
}

// New reads and renders the embedded texts. It returns an error if any of them
// is invalid.
func New() (*Book, error) { return newBook(files) }

func newBook(files fs.FS) (*Book, error) {
	m := newMarkdown()
	b := &Book{}
	var err error
	if b.Lessons, err = m.readLessons(files); err != nil {
		return nil, err
	}
	if b.References, err = m.readReferences(files); err != nil {
		return nil, err
	}
	if b.Glossary, err = readWith(files, "content/glossary.md", m.parseGlossary); err != nil {
		return nil, err
	}
	if b.Quiz, err = readWith(files, "content/quiz.md", m.parseQuiz); err != nil {
		return nil, err
	}
	if b.Spot, err = readWith(files, "content/spot.md", m.parseSpot); err != nil {
		return nil, err
	}
	return b, b.check()
}

func (m markdown) readLessons(files fs.FS) ([]Lesson, error) {
	names, err := fs.Glob(files, "content/[0-9]*.md")
	if err != nil {
		return nil, fmt.Errorf("list lessons: %w", err)
	}
	var list []Lesson
	for i, name := range names {
		l, err := readWith(files, name, m.parseLesson)
		if err != nil {
			return nil, err
		}
		l.N = i + 1
		list = append(list, l)
	}
	if err := addLines(list); err != nil {
		return nil, err
	}
	for i := range list {
		if i > 0 {
			list[i].Prev = &Neighbor{list[i-1].Path(), list[i-1].Title}
			list[i-1].Next = &Neighbor{list[i].Path(), list[i].Title}
		}
	}
	return list, nil
}

// Heading names a lesson.
type Heading struct{ Slug, Title, Summary string }

// Headings returns the names of the lessons without rendering them.
func Headings() []Heading { return headings("content/[0-9]*.md", lessonKeys...) }

// ReferenceHeadings returns the names of the reference pages without rendering them.
func ReferenceHeadings() []Heading { return headings("content/reference/*.md", referenceKeys...) }

func headings(pattern string, keys ...string) []Heading {
	names, err := fs.Glob(files, pattern)
	if err != nil { // the pattern is constant
		panic(err)
	}
	list := make([]Heading, len(names))
	for i, name := range names {
		f, err := readWith(files, name, func(text string) (frontMatter, error) {
			f, _, err := splitFrontMatter(text, keys...)
			return f, err
		})
		if err != nil { // a test renders all lessons, which are part of the program
			panic(err)
		}
		list[i] = Heading{f.value("slug"), f.value("title"), f.value("summary")}
	}
	return list
}

// readWith reads and parses a file. Errors name the file.
func readWith[T any](files fs.FS, name string, parse func(string) (T, error)) (T, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		var zero T
		return zero, fmt.Errorf("read lesson: %w", err)
	}
	value, err := parse(string(data))
	if err != nil {
		err = fmt.Errorf("lesson %s: %w", name, err)
	}
	return value, err
}

// Lesson returns the lesson with that slug.
func (b *Book) Lesson(slug string) (Lesson, bool) {
	i := slices.IndexFunc(b.Lessons, func(l Lesson) bool { return l.Slug == slug })
	if i < 0 {
		return Lesson{}, false
	}
	return b.Lessons[i], true
}

// ForRule returns the lesson with a sentence that treats a rule, marked in its
// text. If several lessons have one, it is the one that teaches most of the
// rule's sentences in the table of the specification, or else the first. It
// returns false if no lesson has one.
func (b *Book) ForRule(id string) (Lesson, bool) {
	treats := func(l Lesson) bool { return slices.Contains(l.Rules, id) }
	if l, ok := b.Lesson(spec.LessonOf(id)); ok && treats(l) {
		return l, true
	}
	if i := slices.IndexFunc(b.Lessons, treats); i >= 0 {
		return b.Lessons[i], true
	}
	return Lesson{}, false
}

// RulePath returns the URL path that explains a rule: the sentence of a lesson,
// or else the rule's row in the table of the specification. It returns false for
// an unknown rule.
func (b *Book) RulePath(id string) (string, bool) {
	if l, ok := b.ForRule(id); ok {
		return l.Path() + "#" + RuleAnchor(id), true
	}
	for _, s := range spec.Sentences() {
		if slices.Contains(s.Rules, id) {
			return "/learn/specification#" + s.ID, true
		}
	}
	return "", false
}

// check returns an error for duplicate names and for names that refer to
// nothing.
func (b *Book) check() error {
	seen := map[string]bool{}
	for _, l := range b.Lessons {
		if seen[l.Slug] {
			return fmt.Errorf("two lessons have the name %s", l.Slug)
		}
		seen[l.Slug] = true
	}
	for _, r := range b.References {
		if seen["reference "+r.Slug] {
			return fmt.Errorf("two reference pages have the name %s", r.Slug)
		}
		seen["reference "+r.Slug] = true
		if _, ok := b.Lesson(r.Lesson); !ok {
			return fmt.Errorf("reference %s: no lesson %q", r.Slug, r.Lesson)
		}
	}
	for _, t := range b.Glossary {
		if _, ok := b.Lesson(t.Lesson); !ok {
			return fmt.Errorf("glossary, %s: no lesson %q", t.Name, t.Lesson)
		}
	}
	for _, s := range b.Quiz {
		if _, ok := b.Lesson(s.Lesson); !ok {
			return fmt.Errorf("quiz, %s: no lesson %q", s.Title, s.Lesson)
		}
	}
	for _, i := range b.Spot {
		if _, ok := b.Lesson(i.Lesson); !ok {
			return fmt.Errorf("spot, %s: no lesson %q", i.Title, i.Lesson)
		}
	}
	return b.checkLinks()
}

// checkLinks returns an error for a link to a lesson, a reference page, a section of
// one or a term that does not exist.
func (b *Book) checkLinks() error {
	for _, l := range b.Lessons {
		if err := b.checkLinksIn(l.HTML); err != nil {
			return fmt.Errorf("lesson %s: %w", l.Slug, err)
		}
	}
	for _, r := range b.References {
		if err := b.checkLinksIn(r.HTML); err != nil {
			return fmt.Errorf("reference %s: %w", r.Slug, err)
		}
	}
	return nil
}

// ExercisePath is the address of the exercise that ends the lessons. That of its
// results is ExercisePath, a slash and the id of the Session.
const ExercisePath = "/learn/your-turn"

// ClientExercisePath is the address of its second half.
const ClientExercisePath = ExercisePath + "/client"

// otherPaths are the addresses under /learn that are neither lessons nor
// reference pages.
var otherPaths = []string{"/learn/specification", SpotPath, ExercisePath, ClientExercisePath}

func (b *Book) checkLinksIn(html string) error {
	for _, link := range ownLink.FindAllStringSubmatch(html, -1) {
		path, anchor, _ := strings.Cut(link[1], "#")
		page, ok := b.pageHTML(path)
		if !ok && !slices.Contains(otherPaths, path) {
			return fmt.Errorf("link to %s, which does not exist", path)
		}
		if ok && anchor != "" && !hasID(page, anchor) {
			return fmt.Errorf("link to %s, a section that does not exist", link[1])
		}
	}
	for _, link := range sectionLink.FindAllStringSubmatch(html, -1) {
		if !hasID(html, link[1]) {
			return fmt.Errorf("link to #%s, a section that does not exist", link[1])
		}
	}
	for _, link := range termLink.FindAllStringSubmatch(html, -1) {
		if !slices.ContainsFunc(b.Glossary, func(t Term) bool { return t.ID == link[1] }) {
			return fmt.Errorf("link to the term %q, which does not exist", link[1])
		}
	}
	return nil
}

// pageHTML returns the text of the lesson or reference page with a path.
func (b *Book) pageHTML(path string) (string, bool) {
	if slug, ok := strings.CutPrefix(path, ReferencePath); ok {
		r, ok := b.Reference(slug)
		return r.HTML, ok
	}
	l, ok := b.Lesson(strings.TrimPrefix(path, "/learn/"))
	return l.HTML, ok
}

// partsOfPage are the ids that every lesson has beside its text.
var partsOfPage = []string{"live", "lines", "listings", "question"}

func hasID(html, id string) bool {
	return strings.Contains(html, `id="`+id+`"`) || slices.Contains(partsOfPage, id)
}

var (
	ownLink     = regexp.MustCompile(`href="(/learn/[^"]*)"`)
	sectionLink = regexp.MustCompile(`href="#([^"]*)"`)
	termLink    = regexp.MustCompile(`href="/glossary#([^"]*)"`)
)
