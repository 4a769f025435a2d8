package views_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// printer writes elements for reading as a diff: one element per line, indented,
// the text of an element without markup on its line. Of a picture it writes the
// tag alone: package picture has goldens of its own.
type printer struct {
	strings.Builder
	hidden map[*html.Node]bool // elements that are left out
}

// longest is the most bytes of a line in a golden file.
const longest = 4000

func (p *printer) line(depth int, s string) {
	if len(s) > longest {
		s = fmt.Sprintf("%.200s… (%d bytes) …%s", s, len(s), s[len(s)-40:])
	}
	p.WriteString(strings.Repeat("  ", depth) + s + "\n")
}

func (p *printer) node(n *html.Node, depth int) {
	switch n.Type {
	case html.TextNode:
		if text := strings.Join(strings.Fields(n.Data), " "); text != "" {
			p.line(depth, html.EscapeString(text))
		}
	case html.ElementNode:
		p.element(n, depth)
	default:
		p.children(n, depth)
	}
}

func (p *printer) element(n *html.Node, depth int) {
	open := tag(n)
	switch {
	case n.DataAtom == atom.Svg:
		p.line(depth, open+"…</svg>")
	case p.hidden[n]:
	case n.DataAtom == atom.Pre || n.DataAtom == atom.Textarea || n.DataAtom == atom.Script:
		p.preformatted(n, open, depth)
	case isJSONLine(n):
		p.line(depth, jsonLine(n))
	case n.FirstChild == nil:
		p.line(depth, open)
	case flows(n):
		p.line(depth, strings.TrimSpace(p.inline(n)))
	case n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode:
		p.line(depth, p.inline(n))
	default:
		p.line(depth, open)
		p.children(n, depth+1)
	}
}

// flowing are elements whose text is read as a line, and inlined those that a
// line may contain.
var (
	flowing = []string{"p", "li", "dd", "dt", "h1", "h2", "h3", "h4", "summary", "td", "th", "caption",
		"legend", "span", "label"}
	inlined = []string{"a", "abbr", "b", "br", "code", "em", "i", "ins", "del", "kbd", "mark", "small",
		"span", "strong", "time"}
)

// flows reports whether an element is shown as one line.
func flows(n *html.Node) bool {
	if !slices.Contains(flowing, n.Data) {
		return false
	}
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && !slices.Contains(inlined, c.Data) {
			return false
		}
	}
	return true
}

// inline returns an element and its content on one line.
func (p *printer) inline(n *html.Node) string {
	return p.marked(n, func(s string) string { return spaces.ReplaceAllString(s, " ") })
}

// marked returns an element with the elements in it and its text, changed by
// edit. Colours of code are left out.
func (p *printer) marked(n *html.Node, edit func(string) string) string {
	if p.hidden[n] {
		return ""
	}
	if n.Type == html.TextNode {
		return html.EscapeString(edit(n.Data))
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(p.marked(c, edit))
	}
	switch {
	case n.DataAtom == atom.Br:
		return "<br>"
	case n.DataAtom == atom.Span && coloured.MatchString(attribute(n, "class")):
		return b.String()
	}
	return tag(n) + b.String() + "</" + n.Data + ">"
}

// isJSONLine reports whether an element is a line of formatted JSON.
func isJSONLine(n *html.Node) bool {
	return indented.MatchString(attribute(n, "class")) && n.Data != "span"
}

var indented = regexp.MustCompile(`^d\d\b`)

// jsonLine returns a line of formatted JSON without the elements of its names
// and values.
func jsonLine(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(jsonLine(c))
	}
	if slices.Contains([]string{"b", "i", "s", "u"}, n.Data) {
		return b.String()
	}
	return tag(n) + b.String() + "</" + n.Data + ">"
}

// coloured are the classes of code that is coloured.
var coloured = regexp.MustCompile(`^([a-z]|c-\w+)$`)

var spaces = regexp.MustCompile(`\s+`)

func (p *printer) children(n *html.Node, depth int) {
	for c := range n.ChildNodes() {
		p.node(c, depth)
	}
}

// preformatted shows text whose spaces count line by line. Marks inside it are
// kept.
func (p *printer) preformatted(n *html.Node, open string, depth int) {
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(p.marked(c, func(s string) string { return s }))
	}
	text := strings.ReplaceAll(b.String(), "&#13;\n", "\n")
	if !strings.Contains(text, "\n") {
		p.line(depth, open+text+"</"+n.Data+">")
		return
	}
	p.line(depth, open)
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		p.line(depth+1, strings.TrimRight("| "+line, " "))
	}
}

func tag(n *html.Node) string {
	var b strings.Builder
	b.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		switch {
		case n.DataAtom == atom.Svg && !slices.Contains([]string{"class", "role", "aria-label",
			"aria-labelledby"}, a.Key):
		case a.Val == "":
			b.WriteString(" " + a.Key)
		default:
			fmt.Fprintf(&b, ` %s="%s"`, a.Key, html.EscapeString(a.Val))
		}
	}
	return b.String() + ">"
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
