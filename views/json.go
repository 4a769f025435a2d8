package views

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// maxReadable is the most lines that are formatted. The exact bytes are always
// complete.
const maxReadable = 2000

// maxStanding is the most lines that are shown without scrolling.
const maxStanding = 60

// maxIndent is the deepest indentation with its own CSS class (.d1 to .d8).
const maxIndent = 8

// readable formats a message: indented, colored by classes, and with _meta
// folded, which is nearly the same in every request. Differences from before,
// the corresponding message of the previous Round, are marked; before may be
// nil.
func readable(before, n *jsontree.Node) []JSONLine {
	lines := jsontree.Lines(n)
	if len(lines) > maxReadable {
		return []JSONLine{{HTML: "(too long to format; see the exact bytes)"}}
	}
	l := jsonLayout{root: n, lines: lines}
	if before != nil {
		l.changes(jsontree.Diff(before, n))
	}
	return append(l.layOut(0, len(lines), ""), l.gone...)
}

// jsonLayout is the layout of one message. The nodes of all lines share root's
// source.
type jsonLayout struct {
	root  *jsontree.Node
	lines []jsontree.Line
	marks map[*jsontree.Node]string // added or changed
	was   map[*jsontree.Node]string // of a changed string, what it was
	gone  []JSONLine                // members that the message no longer has
}

func (l *jsonLayout) changes(list []jsontree.Change) {
	l.marks, l.was = map[*jsontree.Node]string{}, map[*jsontree.Node]string{}
	for _, c := range list {
		if c.Kind == jsontree.Removed {
			html := "removed: " + templ.EscapeString(text.Visible(jsontree.Pointer(c.Path...), 200))
			l.gone = append(l.gone, JSONLine{HTML: html, Mark: string(c.Kind)})
			continue
		}
		l.marks[c.After] = string(c.Kind)
		if c.Kind == jsontree.Changed && c.Before.Kind == jsontree.String && c.After.Kind == jsontree.String {
			l.was[c.After] = string(c.Before.Raw())
		}
	}
}

// layOut renders lines[from:to]; all of them are marked if mark is set.
func (l *jsonLayout) layOut(from, to int, mark string) []JSONLine {
	var out []JSONLine
	for i := from; i < to; i++ {
		at := l.lines[i]
		line := JSONLine{HTML: l.lineHTML(at), Depth: min(at.Depth, maxIndent), Mark: mark}
		if own := l.marks[at.Node]; own != "" && at.Node != nil {
			line.Mark = own
		}
		switch {
		case at.Close > i && isMeta(l.root, at):
			line.Inside = at.Node.Len()
			line.Fold = l.layOut(i+1, at.Close+1, line.Mark)
			i = at.Close
		case at.Close > i && line.Mark != mark:
			out = append(append(out, line), l.layOut(i+1, at.Close+1, line.Mark)...)
			i = at.Close
			continue
		}
		out = append(out, line)
	}
	return out
}

// linesHTML returns lines as HTML, one element each. A page has hundreds of
// lines; a component for each would be slow.
func linesHTML(lines []JSONLine) string {
	var b strings.Builder
	for _, l := range lines {
		// The depth aligns the rest of a wrapped line.
		class := strings.TrimSpace(l.Mark + " d" + strconv.Itoa(l.Depth))
		if len(l.Fold) == 0 {
			b.WriteString(`<span class="line ` + class + `">` + l.HTML + `</span>`)
			continue
		}
		b.WriteString(`<details class="fold"><summary class="` + class + `">` + l.HTML)
		b.WriteString(`<span class="inside">` + strconv.Itoa(l.Inside) + ` more</span></summary>` +
			linesHTML(l.Fold) + `</details>`)
	}
	return b.String()
}

func isMeta(root *jsontree.Node, l jsontree.Line) bool {
	return len(l.Tokens) > 0 && l.Tokens[0].Kind == jsontree.KeyToken &&
		tokenText(root, l.Tokens[0]) == `"_meta"`
}

func tokenText(root *jsontree.Node, t jsontree.Token) string {
	return string(root.Raw()[t.Offset-root.Start : t.End-root.Start])
}

func (l *jsonLayout) lineHTML(at jsontree.Line) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("  ", at.Depth))
	key := ""
	for i, t := range at.Tokens {
		token := tokenText(l.root, t)
		class := tokenClass(t.Kind)
		if t.Kind == jsontree.KeyToken {
			key = token
		}
		if t.Kind == jsontree.StringToken && key == `"requestState"` {
			class = "st"
		}
		html := templ.EscapeString(text.Visible(token, 1<<20))
		if was := l.was[at.Node]; was != "" && t.Kind == jsontree.StringToken {
			html = differing(text.Visible(was, 1<<20), text.Visible(token, 1<<20))
		}
		b.WriteString(`<span class="` + class + `">` + html + `</span>`)
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

// differing returns a text as HTML with the changed part marked, if most of the
// text is unchanged: one flipped byte of a long state is hard to find.
func differing(was, is string) string {
	a, b := []rune(was), []rune(is)
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	end := 0
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if 2*(from+end) < len(b) {
		return templ.EscapeString(is)
	}
	escape := func(part []rune) string { return templ.EscapeString(string(part)) }
	return escape(b[:from]) + "<mark>" + escape(b[from:len(b)-end]) + "</mark>" + escape(b[len(b)-end:])
}
