package lesson

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders the embedded texts. Its output has no inline styles or
// scripts, which the pages forbid.
type markdown struct{ engine goldmark.Markdown }

func newMarkdown() markdown {
	return markdown{goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough,
		),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithASTTransformers(util.Prioritized(callouts{}, 100),
				util.Prioritized(externalLinks{}, 200), util.Prioritized(headingLinks{}, 300)),
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(codeBlocks{}, 100))),
	)}
}

func (m markdown) html(source string) (string, error) {
	var out bytes.Buffer
	if err := m.engine.Convert([]byte(source), &out); err != nil {
		return "", fmt.Errorf("render: %w", err)
	}
	return out.String(), nil
}

// inline renders one paragraph without its <p> element.
func (m markdown) inline(source string) (string, error) {
	out, err := m.html(source)
	out = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(out), "<p>"), "</p>")
	if err == nil && strings.Contains(out, "<p>") {
		err = fmt.Errorf("render: %q is more than one paragraph", source)
	}
	return out, err
}

// plain returns the text of a source without its code blocks.
func (m markdown) plain(source string) string {
	src := []byte(source)
	return strings.TrimSpace(plainText(m.engine.Parser().Parse(text.NewReader(src)), src))
}

// plainText returns the text of a node without code blocks.
func plainText(node ast.Node, src []byte) string {
	var out strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				out.WriteByte('\n')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			out.Write(n.Segment.Value(src))
			if n.SoftLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(n.Value)
		}
		return ast.WalkContinue, nil
	}) // the walker never fails
	return out.String()
}

// externalLinks sets rel on links to other sites.
type externalLinks struct{}

// Transform implements parser.ASTTransformer.
func (externalLinks) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering && bytes.HasPrefix(link.Destination, []byte("http")) {
			link.SetAttributeString("rel", []byte("noreferrer"))
		}
		return ast.WalkContinue, nil
	}) // the walker never fails
}
