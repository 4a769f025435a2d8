package lesson

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// lineWidth is how long a line of a message may be before it is broken.
const lineWidth = 64

// message renders JSON that is written in one line as people read it: what fits
// stays together, what does not gets a line per member.
func message(text string) (string, error) {
	node, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	if err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	var b strings.Builder
	layOut(&b, node, 0, 0)
	return highlight("json", b.String())
}

// layOut writes a value that begins in column at, inside of depth levels.
func layOut(b *strings.Builder, n *jsontree.Node, depth, at int) {
	raw := string(n.Raw())
	if n.Len() == 0 || at+len(raw) <= lineWidth {
		b.WriteString(raw)
		return
	}
	indent := strings.Repeat("  ", depth+1)
	brackets, separator := "{}", ""
	if n.Kind == jsontree.Array {
		brackets = "[]"
	}
	b.WriteByte(brackets[0])
	for _, m := range n.Members {
		name := string(jsontree.Quote(m.Key)) + ": "
		b.WriteString(separator + "\n" + indent + name)
		layOut(b, m.Value, depth+1, len(indent)+len(name))
		separator = ","
	}
	for _, item := range n.Items {
		b.WriteString(separator + "\n" + indent)
		layOut(b, item, depth+1, len(indent))
		separator = ","
	}
	b.WriteString("\n" + indent[2:] + brackets[1:])
}
