package agent

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
)

// URIs of the resources. Those of lessons and reference pages end with their slugs. Those
// of requirements end with the name of their page, which begins their ids.
const (
	lessonURI       = "mrtr://lessons/"
	referenceURI    = "mrtr://reference/"
	glossaryURI     = "mrtr://glossary"
	requirementsURI = "mrtr://requirements"
)

// resources returns the texts: lessons, reference pages, glossary and requirements. Their
// names are known without rendering the lessons, which takes long.
func (s *Pages) resources() []serve.Resource {
	list := []serve.Resource{{
		URI: glossaryURI, Name: "glossary", Title: "Glossary", MIMEType: "text/markdown",
		Description: "Every term in one or two sentences.", Run: s.text(s.glossary),
	}, {
		URI: requirementsURI, Name: "requirements", Title: "Requirements", MIMEType: "text/markdown",
		Description: "The pages of the specification, with how many requirements each has, and where " +
			"they are.",
		Run: s.text(requirements),
	}}
	for _, p := range spec.Pages() {
		list = append(list, serve.Resource{
			URI: requirementsURI + "/" + p.Name, Name: "requirements-" + p.Name, MIMEType: "text/markdown",
			Title:       "Requirements: " + p.Title,
			Description: "What the page demands of servers and clients, with the rules that judge it.",
			Run:         s.text(func() string { return requirementsOf(p) }),
		})
	}
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
	l, ok := s.App.Lessons().Lesson(slug)
	if !ok { // cannot happen: the headings are those of the lessons
		return ""
	}
	l = l.At(s.App.BaseURL, s.App.Program)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", l.Title, s.absolute(l.Markdown))
	for _, x := range l.Lines {
		fmt.Fprintf(&b, "## %s, %s\n\n%s\n", x.Name, x.About, codeBlock(x, x.Source))
		if x.Called != "" {
			fmt.Fprintf(&b, "### The helpers in %s\n\nWhat these lines call and use, from the same "+
				"program.\n\n%s\n", x.Name, codeBlock(x, x.Called))
		}
	}
	for _, x := range l.Listings {
		fmt.Fprintf(&b, "## A complete program, %s, %s\n\n%s\n", x.Name, x.About, codeBlock(x, x.Source))
	}
	fmt.Fprintf(&b, "%s: %s\n", l.Clause.Words, l.Clause.Href)
	return b.String()
}

// reference returns a reference page.
func (s *Pages) reference(slug string) string {
	r, ok := s.App.Lessons().Reference(slug)
	if !ok { // cannot happen: the headings are those of the pages
		return ""
	}
	r = r.At(s.App.BaseURL, s.App.Program)
	return fmt.Sprintf("# %s\n\n%s\n\n%s: %s\n", r.Title, s.absolute(r.Markdown), r.Clause.Words,
		r.Clause.Href)
}

// codeBlock returns a part of a program in Markdown.
func codeBlock(x lesson.Listing, source string) string {
	return fmt.Sprintf("```%s\n%s\n```\n", x.Language(), strings.TrimRight(source, "\n"))
}

// ownLink matches a link of Markdown to a page of this site.
var ownLink = regexp.MustCompile(`\]\((/[^)\s]*)\)`)

// What is only for readers of the pages: boxes with something to try, and links to pages
// of the lessons that are no resource.
var (
	tryBox    = regexp.MustCompile(`(?m)^> \[!TRY\]\n(?:>.*(?:\n|$))+\n?`)
	learnLink = regexp.MustCompile(`\[([^\]]+)\]\((/learn[^)\s]*)\)`)
)

// absolute returns a text whose links lead to resources, or else to this site, from
// anywhere, without what is only for readers of the pages.
func (s *Pages) absolute(markdown string) string {
	markdown = tryBox.ReplaceAllString(markdown, "")
	markdown = learnLink.ReplaceAllStringFunc(markdown, func(link string) string {
		if parts := learnLink.FindStringSubmatch(link); resourceAt(parts[2]) == "" {
			return parts[1]
		}
		return link
	})
	return ownLink.ReplaceAllStringFunc(markdown, func(link string) string {
		path := link[2 : len(link)-1]
		return "](" + cmp.Or(resourceAt(path), s.App.BaseURL+path) + ")"
	})
}

// resourceAt returns the URI of the resource with the text of a page, or "".
func resourceAt(path string) string {
	path, anchor, _ := strings.Cut(path, "#")
	uri := resourcePaths()[path]
	if uri == requirementsURI && anchor != "" {
		page, _, _ := strings.Cut(anchor, ".") // an id begins with the name of its page
		uri += "/" + page
	}
	return uri
}

// resourcePaths are the resources by the paths of their pages.
var resourcePaths = sync.OnceValue(func() map[string]string {
	paths := map[string]string{"/glossary": glossaryURI, paths.Specification: requirementsURI}
	for _, h := range lesson.Headings() {
		paths["/learn/"+h.Slug] = lessonURI + h.Slug
	}
	for _, h := range lesson.ReferenceHeadings() {
		paths[lesson.ReferencePath+h.Slug] = referenceURI + h.Slug
	}
	return paths
})

func (s *Pages) glossary() string {
	var b strings.Builder
	b.WriteString("# Glossary\n\n")
	for _, t := range s.App.Lessons().Glossary {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", t.Name, t.Plain)
	}
	return b.String()
}

// requirements returns the pages of the specification, and where their requirements are.
func requirements() string {
	var b strings.Builder
	b.WriteString("# What MCP 2026-07-28 demands\n\nA resource for each page of the specification:\n\n")
	for _, p := range spec.Pages() {
		fmt.Fprintf(&b, "- %s/%s: %s, %s\n", requirementsURI, p.Name, p.Title,
			text.Plural(len(p.Sentences), "requirement"))
	}
	b.WriteString("\nThe HTTP statuses of errors:\n\n")
	for _, code := range statusCodes {
		fmt.Fprintf(&b, "- %s\n", statusWords(code))
	}
	fmt.Fprintf(&b, "\n%shttp has a table of them.\n", referenceURI)
	return b.String()
}

// requirementsOf returns the requirements of a page of the specification.
func requirementsOf(p spec.Page) string {
	var b strings.Builder
	observed := rules.Observed()
	fmt.Fprintf(&b, "# Requirements: %s\n\n%s\n\n", p.Title, p.Link())
	for _, x := range p.Sentences {
		fmt.Fprintf(&b, "- %s, %s %s: %s", x.ID, x.Party, x.Level, x.Text)
		if len(x.Rules) > 0 {
			fmt.Fprintf(&b, " Rules: %s.", strings.Join(x.Rules, ", "))
		}
		if len(x.Experiments) > 0 {
			fmt.Fprintf(&b, " Experiments: %s.", strings.Join(x.Experiments, ", "))
		}
		if ids := observed[x.ID]; len(ids) > 0 {
			fmt.Fprintf(&b, " Client test: %s.", strings.Join(ids, ", "))
		} else if isUnseen(x) {
			fmt.Fprintf(&b, " Not judged: %s", x.Reason)
		}
		b.WriteByte('\n')
	}
	if statuses := statusesIn(b.String()); len(statuses) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(statuses, "\n\n"))
	}
	return b.String()
}
