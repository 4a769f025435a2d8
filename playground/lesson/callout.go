package lesson

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// callouts turns a block quote whose first line is a marker such as [!TRY] into
// a box with a title. Other Markdown renderers understand the same syntax.
type callouts struct{}

// calloutNames maps the markers to the titles of their boxes.
var calloutNames = map[string]string{
	"TRY":    "Try it",
	"TRAP":   "Pitfall",
	"NOTE":   "Note",
	"BEFORE": "Before MRTR",
	"NEXT":   "Coming up",
}

// Transform implements parser.ASTTransformer.
func (callouts) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		quote, ok := n.(*ast.Blockquote)
		if !ok {
			continue
		}
		first, ok := quote.FirstChild().(*ast.Paragraph)
		if !ok || first.Lines().Len() < 2 {
			continue
		}
		line := first.Lines().At(0)
		marker := bytes.Trim(bytes.TrimSpace(line.Value(reader.Source())), "[!]")
		if words, ok := calloutNames[string(marker)]; ok {
			addCalloutName(quote, first, words, string(bytes.ToLower(marker)))
		}
	}
}

// addCalloutName gives the quote its title and removes the marker's line.
func addCalloutName(quote *ast.Blockquote, first *ast.Paragraph, words, kind string) {
	for n := first.FirstChild(); n != nil; n = first.FirstChild() {
		part, isText := n.(*ast.Text)
		first.RemoveChild(first, n)
		if isText && part.SoftLineBreak() {
			break
		}
	}
	name := ast.NewParagraph()
	name.SetAttributeString("class", []byte("callout-name"))
	name.AppendChild(name, ast.NewString([]byte(words)))
	quote.InsertBefore(quote, first, name)
	quote.SetAttributeString("class", []byte("callout callout-"+kind))
}
