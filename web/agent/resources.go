package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// URIs of the resources. Those of lessons and reference pages end with their slugs.
const (
	lessonURI       = "mrtr://lessons/"
	referenceURI    = "mrtr://reference/"
	glossaryURI     = "mrtr://glossary"
	requirementsURI = "mrtr://requirements"
)

// resources returns the texts: lessons, reference pages, glossary and requirements. Their names are
// known without rendering the lessons, which takes long.
func (s *Pages) resources() []serve.Resource {
	list := []serve.Resource{{
		URI: glossaryURI, Name: "glossary", Title: "Glossary", MIMEType: "text/markdown",
		Description: "Every term in one or two sentences.", Run: s.text(s.glossary),
	}, {
		URI: requirementsURI, Name: "requirements", Title: "Requirements", MIMEType: "text/markdown",
		Description: "What the specification demands of servers and clients, with the rules that judge it.",
		Run:         s.text(requirements),
	}}
	for _, h := range lesson.Headings() {
		list = append(list, serve.Resource{
			URI: lessonURI + h.Slug, Name: h.Slug, Title: h.Title, Description: h.Summary,
			MIMEType: "text/markdown", Run: s.text(func() string { return s.lesson(h.Slug) }),
		})
	}
	for _, h := range lesson.ReferenceHeadings() {
		list = append(list, serve.Resource{
			URI: referenceURI + h.Slug, Name: "reference-" + h.Slug, Title: h.Title, Description: h.Summary,
			MIMEType: "text/markdown", Run: s.text(func() string { return s.reference(h.Slug) }),
		})
	}
	return list
}

// text returns the script of a resource.
func (s *Pages) text(content func() string) serve.Script {
	return func(_ context.Context, t *serve.Turn) (serve.Result, error) {
		return &serve.ResourceResult{Contents: []*mcp.ResourceContents{{
			URI: t.Name, MIMEType: "text/markdown", Text: content(),
		}}}, nil
	}
}

// lesson returns a lesson with the lines that carry its idea and its programs, in each
// language.
func (s *Pages) lesson(slug string) string {
	l, ok := s.Lessons().Lesson(slug)
	if !ok { // cannot happen: the headings are those of the lessons
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", l.Title, s.absolute(l.Markdown))
	for _, x := range l.Lines {
		fmt.Fprintf(&b, "## %s, %s\n\n```%s\n%s\n```\n\n", x.Name, x.About, x.Language(),
			strings.TrimRight(x.Source, "\n"))
	}
	for _, x := range l.Listings {
		fmt.Fprintf(&b, "## A complete program, %s, %s\n\n```%s\n%s\n```\n\n", x.Name, x.About, x.Language(),
			strings.TrimRight(x.Source, "\n"))
	}
	fmt.Fprintf(&b, "%s: %s\n", l.Clause.Words, l.Clause.Href)
	return b.String()
}

// reference returns a reference page.
func (s *Pages) reference(slug string) string {
	r, ok := s.Lessons().Reference(slug)
	if !ok { // cannot happen: the headings are those of the pages
		return ""
	}
	return fmt.Sprintf("# %s\n\n%s\n\n%s: %s\n", r.Title, s.absolute(r.Markdown), r.Clause.Words,
		r.Clause.Href)
}

// absolute returns a text whose links lead to this site from anywhere.
func (s *Pages) absolute(markdown string) string {
	return strings.ReplaceAll(markdown, "](/", "]("+s.BaseURL+"/")
}

func (s *Pages) glossary() string {
	var b strings.Builder
	b.WriteString("# Glossary\n\n")
	for _, t := range s.Lessons().Glossary {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", t.Name, t.Plain)
	}
	return b.String()
}

// requirements returns the table of the specification.
func requirements() string {
	var b strings.Builder
	b.WriteString("# What MCP 2026-07-28 demands\n")
	for _, p := range spec.Pages() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", p.Title, p.Link())
		for _, x := range p.Sentences {
			fmt.Fprintf(&b, "- %s, %s %s: %s", x.ID, x.Party, x.Level, x.Text)
			if len(x.Rules) > 0 {
				fmt.Fprintf(&b, " Rules: %s.", strings.Join(x.Rules, ", "))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
