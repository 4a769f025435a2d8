package code

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// style is how a language writes JSON values.
type style struct {
	key, text         func(string) string
	yes, no, null     string
	indent, openSpace string
	trailing          bool // a comma after the last line
}

// jsonStyle is JSON itself.
var jsonStyle = style{
	key: quoteJSON, text: quoteJSON, yes: "true", no: "false", null: "null", indent: "\t",
}

// quoteJSON returns a text as a JSON string that can stand in a raw string of Go, and
// in which every character can be seen.
func quoteJSON(s string) string {
	var b strings.Builder
	for _, r := range string(jsontree.Quote(s)) {
		if r != '`' && unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// parsed parses JSON that this program has made.
func parsed(raw []byte) *jsontree.Node {
	n, err := jsontree.Parse(raw, jsontree.Limits{})
	if err != nil {
		panic("code: parse a schema: " + err.Error())
	}
	return n
}

// write returns a value at a depth of indentation: in one line if it is not longer
// than width, else with a line for each member.
func (s style) write(n *jsontree.Node, depth, width int) string {
	line := s.flat(n)
	if len([]rune(line))+4*depth <= width || n.Kind != jsontree.Object && n.Kind != jsontree.Array {
		return line
	}
	inner := "\n" + strings.Repeat(s.indent, depth+1)
	var parts []string
	begin, end := "{", "}"
	for _, m := range n.Members {
		parts = append(parts, s.key(m.Key)+": "+s.write(m.Value, depth+1, width))
	}
	if n.Kind == jsontree.Array {
		begin, end = "[", "]"
		for _, item := range n.Items {
			parts = append(parts, s.write(item, depth+1, width))
		}
	}
	last := ""
	if s.trailing {
		last = ","
	}
	lines := inner + strings.Join(parts, ","+inner) + last + "\n" + strings.Repeat(s.indent, depth)
	return begin + lines + end
}

// flat returns a value in one line.
func (s style) flat(n *jsontree.Node) string {
	var parts []string
	switch n.Kind {
	case jsontree.Object:
		for _, m := range n.Members {
			parts = append(parts, s.key(m.Key)+": "+s.flat(m.Value))
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{" + s.openSpace + strings.Join(parts, ", ") + s.openSpace + "}"
	case jsontree.Array:
		for _, item := range n.Items {
			parts = append(parts, s.flat(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case jsontree.String:
		return s.text(n.Str())
	case jsontree.Number:
		return string(n.Raw())
	case jsontree.Null:
		return s.null
	}
	if n.True() {
		return s.yes
	}
	return s.no
}
