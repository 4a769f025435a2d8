package lesson

import (
	"fmt"
	"strings"
)

// Term is an entry of the glossary.
type Term struct {
	Name   string
	ID     string // fragment of its URL
	Lesson string // slug of the lesson that explains it
	HTML   string
	Plain  string
}

// parseGlossary parses sections "## Name", each with a line "lesson: slug" and
// a text.
func (m markdown) parseGlossary(text string) ([]Term, error) {
	var list []Term
	for _, section := range sections(text) {
		head, body, _ := strings.Cut(section, "\n")
		slug, body, _ := strings.Cut(strings.TrimSpace(body), "\n")
		slug, ok := strings.CutPrefix(slug, "lesson: ")
		t := Term{Name: strings.TrimSpace(head), Lesson: strings.TrimSpace(slug)}
		if !ok || strings.TrimSpace(body) == "" {
			return nil, fmt.Errorf("%s: want a line \"lesson: slug\" and a text", t.Name)
		}
		t.ID = anchor(t.Name)
		t.Plain = m.plain(body)
		var err error
		if t.HTML, err = m.html(body); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// sections splits a text at its second-level headings.
func sections(text string) []string {
	parts := strings.Split("\n"+text, "\n## ")
	return parts[1:]
}

// anchor returns a name as the fragment of a URL.
func anchor(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
