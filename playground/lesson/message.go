package lesson

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// lineWidth is the maximum length of a line of a message, if it can be broken.
const lineWidth = 70

// message renders JSON for people: a value that fits stays on one line, any
// other gets one line per member. For kind see kindNames.
func message(kind, text string) (string, error) {
	node, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	if err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	var b strings.Builder
	layout(&b, node, 0, 0)
	return highlight("json", kind, b.String())
}

// httpMessage renders an HTTP message: the start line and the header fields as
// they are, then an empty line and the JSON body formatted as by message. An example
// without a body shows the head only.
func httpMessage(kind, text string) (string, error) {
	head, body := cutHTTP(text)
	if body == "" {
		return highlight("http", kind, strings.TrimSpace(head))
	}
	node, err := jsontree.Parse([]byte(body), jsontree.Limits{})
	if err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	var b strings.Builder
	layout(&b, node, 0, 0)
	return highlight("http", kind, head+"\n\n"+b.String())
}

// cutHTTP splits an HTTP example into the lines of its head and its body.
func cutHTTP(text string) (head, body string) {
	head, body, _ = strings.Cut(text, "\n\n")
	return strings.TrimSuffix(head, "\n"), body
}

// layout writes a value that begins in column at and is nested depth levels
// deep. An only member stays on the line of its bracket, and so do the short
// members at the start of a message or before one long member. Members that
// together fit into the line below their bracket share it.
func layout(b *strings.Builder, n *jsontree.Node, depth, at int) {
	if line := oneLine(n); n.Len() == 0 || at+len([]rune(line)) <= lineWidth {
		b.WriteString(line)
		return
	}
	brackets := "{}"
	if n.Kind == jsontree.Array {
		brackets = "[]"
	}
	b.WriteByte(brackets[0])
	at++
	if line, ok := membersLine(n); ok && n.Len() > 1 && b.Len() > 1 &&
		2*(depth+1)+len([]rune(line)) <= lineWidth {
		b.WriteString("\n" + strings.Repeat("  ", depth+1) + line)
		return
	}
	short := n.Len() == 1 || b.Len() == 1 || startsWithShort(n, at)
	for i, item := range values(n) {
		inside := depth
		switch {
		case short && i > 0:
			b.WriteString(", ")
			at += 2
		case !short:
			inside = depth + 1
			b.WriteString(comma(i) + "\n" + strings.Repeat("  ", inside))
			at = 2 * inside
		}
		b.WriteString(item.name)
		layout(b, item.value, inside, at+len(item.name))
		at += len(item.name) + len([]rune(oneLine(item.value)))
		short = short && item.value.Len() == 0
	}
	b.WriteByte(brackets[1])
}

// membersLine returns the members of an object and its closing bracket on one
// line.
func membersLine(n *jsontree.Node) (string, bool) {
	return strings.TrimPrefix(oneLine(n), "{"), n.Kind == jsontree.Object
}

// startsWithShort reports whether n has short members followed by one long
// member, and the short ones fit into the line that is written up to column at.
func startsWithShort(n *jsontree.Node, at int) bool {
	if n.Kind != jsontree.Object {
		return false
	}
	list := values(n)
	last := len(list) - 1
	for _, item := range list[:last] {
		if item.value.Len() > 0 {
			return false
		}
		at += len([]rune(item.name+oneLine(item.value))) + len(", ")
	}
	return list[last].value.Len() > 0 && at+len([]rune(list[last].name)) < lineWidth
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// oneLine returns a value without line breaks; strings and numbers stay as
// written.
func oneLine(n *jsontree.Node) string {
	var list []string
	for _, item := range values(n) {
		list = append(list, item.name+oneLine(item.value))
	}
	switch n.Kind {
	case jsontree.Object:
		return "{" + strings.Join(list, ", ") + "}"
	case jsontree.Array:
		return "[" + strings.Join(list, ", ") + "]"
	}
	return string(n.Raw())
}

// item is a member with its name, or an array element without one.
type item struct {
	name  string
	value *jsontree.Node
}

// values returns the members of an object or the elements of an array.
func values(n *jsontree.Node) []item {
	var list []item
	for _, m := range n.Members {
		list = append(list, item{string(jsontree.Quote(m.Key)) + ": ", m.Value})
	}
	for _, v := range n.Items {
		list = append(list, item{"", v})
	}
	return list
}
