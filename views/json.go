package views

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// maxReadable is how many lines are laid out; the exact bytes are always all there.
const maxReadable = 2000

// readable lays a message out for reading: indented, coloured by classes, and
// with _meta folded, which is the same in every request.
func readable(n *jsontree.Node) []JSONLine {
	lines := jsontree.Lines(n)
	if len(lines) > maxReadable {
		return []JSONLine{{HTML: "(too long to lay out; see the exact bytes)"}}
	}
	return layOut(n, lines, 0, len(lines))
}

// layOut renders lines[from:to]. The nodes of all lines share root's source.
func layOut(root *jsontree.Node, lines []jsontree.Line, from, to int) []JSONLine {
	var out []JSONLine
	for i := from; i < to; i++ {
		l := lines[i]
		line := JSONLine{HTML: lineHTML(root, l)}
		if l.Close > i && isMeta(root, l) {
			line.Fold = layOut(root, lines, i+1, l.Close+1)
			i = l.Close
		}
		out = append(out, line)
	}
	return out
}

func isMeta(root *jsontree.Node, l jsontree.Line) bool {
	return len(l.Tokens) > 0 && l.Tokens[0].Kind == jsontree.KeyToken && tokenText(root, l.Tokens[0]) == `"_meta"`
}

func tokenText(root *jsontree.Node, t jsontree.Token) string {
	return string(root.Raw()[t.Offset-root.Start : t.End-root.Start])
}

func lineHTML(root *jsontree.Node, l jsontree.Line) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("  ", l.Depth))
	key := ""
	for i, t := range l.Tokens {
		text := tokenText(root, t)
		class := tokenClass(t.Kind)
		if t.Kind == jsontree.KeyToken {
			key = text
		}
		if t.Kind == jsontree.StringToken && key == `"requestState"` {
			class = "st"
		}
		b.WriteString(`<span class="` + class + `">` + templ.EscapeString(Visible(text, 1<<20)) + `</span>`)
		if i == 1 && key != "" {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func tokenClass(k jsontree.TokenKind) string {
	switch k {
	case jsontree.KeyToken:
		return "k"
	case jsontree.StringToken:
		return "s"
	case jsontree.NumberToken:
		return "n"
	case jsontree.LiteralToken:
		return "l"
	}
	return "p"
}
