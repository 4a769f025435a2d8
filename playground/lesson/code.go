package lesson

import (
	"bytes"
	"embed"
	"fmt"
	plain "html"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// codeBlocks renders fenced code with classes; the style sheet has the colours.
type codeBlocks struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (codeBlocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindCodeSpan, codeSpan)
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node,
		entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var code bytes.Buffer
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			code.Write(line.Value(source))
		}
		language, kind := fenceInfo(n.(*ast.FencedCodeBlock), source)
		out, err := renderCode(language, kind, code.String())
		if err == nil {
			_, err = w.WriteString(out)
		}
		return ast.WalkSkipChildren, err
	})
}

// codeSpan renders inline code with break opportunities after dots, so that a
// long token fits a narrow column.
func codeSpan(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var code []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		code = append(code, c.(*ast.Text).Segment.Value(source)...)
	}
	shown := breakable(string(util.EscapeHTML(bytes.ReplaceAll(code, []byte("\n"), []byte(" ")))))
	point := ""
	if part, ok := terms[string(n.Text(source))]; ok { //nolint:staticcheck // a code span has text only
		point = fmt.Sprintf(" data-point=%q", part)
	}
	_, err := fmt.Fprintf(w, "<code%s>%s</code>", point, shown)
	return ast.WalkSkipChildren, err
}

// breakable returns HTML with break opportunities after dots.
func breakable(html string) string { return strings.ReplaceAll(html, ".", ".<wbr>") }

// renderCode formats messages and leaves other code as written, with a button that
// copies the block before it.
func renderCode(language, kind, code string) (string, error) {
	switch {
	case kind == "":
		out, err := highlight(language, "", code)
		return `<div class="snippet">` + out +
			"<button class=\"button small\" type=\"button\" data-copy hidden>Copy</button></div>\n", err
	case language == "http":
		return httpMessage(kind, code)
	}
	return message(kind, code)
}

// fenceInfo returns the language of a fenced block and, for messages of an
// exchange, their kind.
func fenceInfo(n *ast.FencedCodeBlock, source []byte) (language, kind string) {
	if n.Info == nil {
		return "", ""
	}
	language, kind, _ = strings.Cut(string(n.Info.Value(source)), " ")
	return language, kind
}

// kindNames describes who sent a message, for the block's label.
var kindNames = map[string]string{
	"sent":     ", sent by the client",
	"received": ", sent by the server",
	"claims":   ", inside the state",
}

// highlight renders code with classes. Their prefix "c-" keeps them apart from
// other classes. The block is focusable, because it may scroll.
func highlight(language, kind, code string) (string, error) {
	lexer, err := lexerOf(language)
	if err != nil {
		return "", err
	}
	tokens, err := tokenise(lexer, code)
	if err != nil {
		return "", fmt.Errorf("highlight %s: %w", language, err)
	}
	var out strings.Builder
	class := "code"
	if kind != "" {
		class += " code-" + kind
	}
	fmt.Fprintf(&out, "<pre class=%q tabindex=\"0\" role=\"group\" aria-label=%q><code>", class,
		"Code, "+lexer.Config().Name+kindNames[kind])
	if err := writeLines(&out, tokens); err != nil {
		return "", fmt.Errorf("highlight %s: %w", language, err)
	}
	out.WriteString("</code></pre>\n")
	return out.String(), nil
}

// tokenise splits code into tokens. The body of an HTTP message, which is one generic
// token, becomes those of JSON.
func tokenise(lexer chroma.Lexer, code string) (chroma.Iterator, error) {
	found, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return nil, err
	}
	var list []chroma.Token
	for _, token := range found.Tokens() {
		if token.Type != chroma.Generic || lexer.Config().Name != "HTTP" {
			list = append(list, token)
			continue
		}
		inner, err := lexerOf("json")
		if err != nil {
			return nil, err
		}
		body, err := chroma.Coalesce(inner).Tokenise(nil, token.Value)
		if err != nil {
			return nil, err
		}
		list = append(list, body.Tokens()...)
	}
	return chroma.Literator(list...), nil
}

// highlightLater returns a function that highlights the code when it is first
// called. The error is that of a language without a highlighter.
func highlightLater(language, code string) (func() string, error) {
	if _, err := lexerOf(language); err != nil {
		return nil, err
	}
	return sync.OnceValue(func() string {
		out, err := highlight(language, "", code)
		if err != nil { // the tests highlight every listing
			return "<pre class=\"code\"><code>" + plain.EscapeString(code) + "</code></pre>\n"
		}
		return out
	}), nil
}

// known has the lexers that were asked for: finding one takes longer than most
// code takes to highlight.
var known sync.Map

func lexerOf(language string) (chroma.Lexer, error) {
	if lexer, ok := known.Load(language); ok {
		return lexer.(chroma.Lexer), nil
	}
	lexer, err := chroma.NewXMLLexer(lexerFiles, "lexers/"+language+".xml")
	if err != nil {
		return nil, fmt.Errorf("no highlighter for the language %q: %w", language, err)
	}
	known.Store(language, lexer)
	return lexer, nil
}

// lexerFiles are the lexers of package chroma/lexers for the languages of the lessons,
// which builds all of its lexers whenever the program starts. Those of Go and HTTP are
// its Go code as XML.
//
//go:embed lexers/*.xml
var lexerFiles embed.FS

// noColours is a style without rules. Package chroma/styles reads all of its styles
// whenever the program starts.
var noColours = chroma.MustNewStyle("none", chroma.StyleEntries{})

// format writes tokens with classes.
var format = html.New(html.WithClasses(true), html.ClassPrefix("c-"), html.PreventSurroundingPre(true))

// maxDepth is the deepest indentation with a class.
const maxDepth = 8

// writeLines writes the lines of code. Each has a class for its indentation, in units of
// two columns, so that its wrapped part hangs below it.
func writeLines(out *strings.Builder, tokens chroma.Iterator) error {
	for _, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		code := chroma.Stringify(line...)
		indent := code[:len(code)-len(strings.TrimLeft(code, " \t"))]
		depth := (len(indent) + 3*strings.Count(indent, "\t")) / 2
		fmt.Fprintf(out, "<span class=\"line d%d\">", min(depth, maxDepth))
		if err := format.Format(out, noColours, chroma.Literator(line...)); err != nil {
			return err
		}
		out.WriteString("</span>")
	}
	return nil
}
