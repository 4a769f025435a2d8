package form

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// wireText is a string's text, or a number as it is written.
func wireText(n *jsontree.Node) string {
	if text, ok := n.Text(); ok {
		return text
	}
	return string(n.Raw())
}

// count reads a length keyword; 0 for anything that is no count. JSON Schema
// allows 3.0 for 3.
func count(n *jsontree.Node) int {
	i, ok := n.Int()
	if !ok || i < 0 {
		return 0
	}
	return int(min(i, 1<<31-1))
}

// numeral is the text of a number; empty for anything else.
func numeral(n *jsontree.Node) string {
	if n == nil || n.Kind != jsontree.Number {
		return ""
	}
	return string(n.Raw())
}

// object copies the members of n that keep wants into a new object, raw and in
// order; nil when there are none.
func object(n *jsontree.Node, keep func(key string) bool) json.RawMessage {
	var b builder
	for _, m := range n.Members {
		if keep(m.Key) {
			b.add(m.Key, json.RawMessage(m.Value.Raw()))
		}
	}
	if b.empty() {
		return nil
	}
	return b.object()
}

// builder writes an object member by member, because a Go map would forget
// the order that the schema gives.
type builder struct {
	text strings.Builder
}

func (b *builder) add(key string, value json.RawMessage) {
	if !b.empty() {
		b.text.WriteByte(',')
	}
	b.text.Write(jsontree.Quote(key))
	b.text.WriteByte(':')
	b.text.Write(value)
}

func (b *builder) empty() bool { return b.text.Len() == 0 }

func (b *builder) object() json.RawMessage {
	return json.RawMessage("{" + b.text.String() + "}")
}

// clip shortens a stranger's text for use inside our sentences.
func clip(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:runes]) + "…"
}
