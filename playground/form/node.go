package form

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// wireText returns the text of a string, or the notation of another value.
func wireText(n *jsontree.Node) string {
	if s, ok := n.Text(); ok {
		return s
	}
	return string(n.Raw())
}

// count returns the value of a length keyword, or 0 if it is not a count. JSON
// Schema allows 3.0 for 3.
func count(n *jsontree.Node) int {
	i, ok := n.Int()
	if !ok || i < 0 {
		return 0
	}
	return int(min(i, 1<<31-1))
}

// numberOf returns the notation of a number, or "" for any other value.
func numberOf(n *jsontree.Node) string {
	if n == nil || n.Kind != jsontree.Number {
		return ""
	}
	return string(n.Raw())
}

// object returns an object of the members of n for which keep returns true,
// unchanged and in order, or nil if there are none.
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

// builder writes an object member by member, in the order of the schema.
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

// resolve follows a reference inside the schema: "#" or a JSON Pointer in a
// fragment (RFC 6901, section 6). It returns nil for any other reference.
func resolve(root *jsontree.Node, ref string) *jsontree.Node {
	path, inside := strings.CutPrefix(ref, "#")
	if !inside {
		return nil
	}
	path, err := url.PathUnescape(path)
	if err != nil || path != "" && path[0] != '/' {
		return nil
	}
	if path == "" {
		return root
	}
	tokens := strings.Split(path[1:], "/")
	for i, token := range tokens {
		tokens[i] = unescapePointer.Replace(token)
	}
	return root.At(tokens...)
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// nodes returns the values of an array or of the members of an object.
func nodes(n *jsontree.Node) []*jsontree.Node {
	list := n.Elements()
	for _, m := range n.Entries() {
		list = append(list, m.Value)
	}
	return list
}
