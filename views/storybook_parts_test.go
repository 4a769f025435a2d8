package views_test

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// part is the part of a page in a golden file, as CSS selectors: every element
// that shows selects, without those in it that hides selects.
type part struct{ shows, hides string }

// wholePages is the group of one page of each kind.
const wholePages = "page"

// parts are the parts in the golden files of a group if a story names none.
var parts = map[string]part{
	wholePages: {shows: "main"},
	"admin":    {shows: "[data-person]", hides: "[popovertargetaction=hide]"},
	"board":    {shows: ".board", hides: ".judged-tools, .board-group, .board-more, .verdicts"},
	"branch":   {shows: ".tried > h2, .tried dd, .branch > p", hides: ".requirement-level"},
	"check":    {shows: ".judged", hides: ".judged-tools"},
	"client":   {shows: ".judged, [data-side]", hides: ".judged-tools"},
	"complete": {shows: ".result"},
	"demo": {shows: ".story-caption, .story-lanes, .story-actions",
		hides: "summary, .story-actions [data-key], .talk-start, [data-go=prev]"},
	"earlier-round":   {shows: ".ask > *", hides: ".actions, .ended"},
	"edit":            {shows: ".edit-side", hides: ".actions"},
	"error":           {shows: "main > *"},
	"failed":          {shows: "[data-error]"},
	"history":         {shows: "#list", hides: ".bulk"},
	"interrupted":     {shows: "[data-error]"},
	"legacy":          {shows: ".ask > *", hides: ".as-json, .send, .preview, .actions"},
	"reader":          {shows: ".status, .ask > *", hides: ".branch, .facts, .files, .step"},
	"retry":           {shows: ".ask > *"},
	"running":         {shows: ".ask > *"},
	"said-no":         {shows: ".ask > *", hides: ".actions"},
	"server":          {shows: "[data-error], .round > summary"},
	"sign-in":         {shows: ".sign-in-now, .sign-in-steps > :last-child", hides: ".facts, .frames"},
	"signed-out":      {shows: "[data-signed-out] > *"},
	"state":           {shows: "#state > *", hides: ".drawn, .state-size, [data-do=workbench], [data-copy]"},
	"state-workbench": {shows: "#state-token, .bench-verdicts, .bench-facts dd"},
	"task":            {shows: ".ask > *", hides: ".actions, .answers, .facts"},
	"waiting":         {shows: ".question, .preview .add:not(.state)", hides: ".as-json"},
	"wire":            {shows: "[data-frame=response]"},
}

// summaryFile has the status of every page of an exchange, its Rounds and the
// next actions of a user: one file, because these words are the same on many
// pages.
const summaryFile = "summary/exchanges"

// inSummary is the part of a story that has no more to show than that.
var inSummary = part{shows: summaryFile}

var summarized = part{
	shows: ".status, .ribbon li, .narration, [data-result] > h2, .ask > p[data-error], " +
		".ask .actions a, .ask .actions button",
}

// hashed is a name of package static that carries a digest of its content.
var hashed = regexp.MustCompile(`(/static/[a-z]+)\.[0-9a-f]{12}\.`)

// excerpt returns a part of a page as the golden file has it, and the labels in
// it. Every selector of the part must select something.
func excerpt(page *html.Node, of part) (text string, labels []string, err error) {
	shows, err := cascadia.ParseGroup(of.shows)
	if err != nil {
		return "", nil, fmt.Errorf("parse %q: %w", of.shows, err)
	}
	for _, one := range shows {
		if cascadia.Query(page, one) == nil {
			return "", nil, fmt.Errorf("the page has no %s", one)
		}
	}
	text, labels = printed(page, shows, of.hides, 0)
	return text, labels, nil
}

// printed returns the elements that a selector selects, each once.
func printed(
	page *html.Node, shows cascadia.Matcher, hides string, depth int,
) (text string, labels []string) {
	p := &printer{hidden: map[*html.Node]bool{}}
	if hides != "" {
		for _, n := range cascadia.QueryAll(page, cascadia.MustCompile(hides)) {
			p.hidden[n] = true
		}
	}
	done := map[*html.Node]bool{}
	for _, n := range cascadia.QueryAll(page, shows) {
		if !p.isInside(n, done) {
			p.node(n, depth)
			labels = append(labels, labelsOf(n, p.hidden)...)
			done[n] = true
		}
	}
	return hashed.ReplaceAllString(p.String(), "$1.HASH."), labels
}

// isInside reports whether n was printed with an element around it.
func (p *printer) isInside(n *html.Node, done map[*html.Node]bool) bool {
	for a := range n.Ancestors() {
		if p.hidden[a] {
			return false
		}
		if done[a] {
			return true
		}
	}
	return false
}

// summary is the golden file of summaryFile.
type summary struct {
	bytes.Buffer
	known  map[string]bool
	labels []string
}

// add adds a page if it is one of an exchange and no page before it reads the
// same.
func (s *summary) add(path string, page *html.Node) {
	main := cascadia.Query(page, cascadia.MustCompile("main.workbench"))
	if main == nil {
		return
	}
	text, labels := printed(page, cascadia.MustCompile(summarized.shows), summarized.hides, 1)
	if !s.known[text] {
		fmt.Fprintf(s, "%s %s\n%s", path, tag(main), text)
		s.known[text], s.labels = true, append(s.labels, labels...)
	}
}
