package lesson

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
)

// sections returns the text before the first heading of a source, and the text
// after each heading. Code blocks are left out.
func (m markdown) sections(source string) (intro string, list []search.Section) {
	src := []byte(source)
	var before strings.Builder
	texts := []*strings.Builder{&before}
	doc := m.engine.Parser().Parse(text.NewReader(src))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte) // WithAutoHeadingID gives each heading one
			list = append(list, search.Section{ID: string(name), Title: spaced(plainText(h, src))})
			texts = append(texts, &strings.Builder{})
			continue
		}
		texts[len(texts)-1].WriteString(plainText(n, src))
	}
	for i := range list {
		list[i].Plain = spaced(texts[i+1].String())
	}
	return spaced(before.String()), list
}

// spaced returns a text with single spaces between its words.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// headingLinks makes each heading a link to itself, so that readers can point at
// a section.
type headingLinks struct{}

// Transform implements parser.ASTTransformer.
func (headingLinks) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		id, _ := h.AttributeString("id")
		name, ok := id.([]byte)
		if !ok {
			continue
		}
		link := ast.NewLink()
		link.Destination = bytes.Join([][]byte{{'#'}, name}, nil)
		link.SetAttributeString("class", []byte("heading-link"))
		for c := h.FirstChild(); c != nil; c = h.FirstChild() {
			h.RemoveChild(h, c)
			link.AppendChild(link, c)
		}
		h.AppendChild(h, link)
	}
}
