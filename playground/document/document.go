// Package document reads what users write by hand: a flow or a story, as YAML
// or as JSON. A document is a tree whose every value knows its line and column,
// so that an error can be shown where it is.
//
// Of YAML it accepts what JSON can say, and comments: no anchors, aliases, tags
// or merge keys, and one document in a text. So no alias can multiply a text.
// The text is not trusted, and its length and depth are limited. Problems are
// values with a place and not errors: a text may have several. The package is
// pure.
package document

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Limits of a document.
const (
	MaxBytes = 64 << 10
	maxDepth = 24
)

// Kind is the kind of a Node.
type Kind uint8

// The kinds of values. Absent is the kind of a nil Node.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	Text
	List
	Map
)

// String returns the kind as a noun with its article.
func (k Kind) String() string {
	return [...]string{
		"nothing", "nothing", "true or false", "a number", "a text", "a list", "a set of fields",
	}[k]
}

// Node is one value of a document. A nil Node means "absent", and all methods
// accept it.
type Node struct {
	Kind         Kind
	Text         string // of a Text, decoded; of a Number or Bool, as JSON writes it
	Members      []Member
	Items        []*Node
	Line, Column int // where it starts, from 1
}

// Member is one field of a Map. Names are unique.
type Member struct {
	Name         string
	Value        *Node
	Line, Column int // of the name
}

// Problem is a fault at one place of a document.
type Problem struct {
	Line, Column int    // from 1
	Path         string // of the field, such as steps[2].when; empty for the whole document
	Text         string // one sentence
}

// String returns the problem with its place, as compilers write it.
func (p Problem) String() string {
	place := fmt.Sprintf("line %d", p.Line)
	if p.Path != "" {
		place += ", " + p.Path
	}
	return place + ": " + p.Text
}

// Get returns the value of a field, or nil if there is none.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for _, m := range n.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Has reports whether a field is there, be it null.
func (n *Node) Has(name string) bool { return n.Get(name) != nil }

// Gives reports whether a field is there and not null.
func (n *Node) Gives(name string) bool {
	k := n.Get(name).KindOf()
	return k != Absent && k != Null
}

// KindOf returns the kind of a node, Absent if it is nil.
func (n *Node) KindOf() Kind {
	if n == nil {
		return Absent
	}
	return n.Kind
}

// Str returns the text of a Text, or "".
func (n *Node) Str() string {
	if n.KindOf() != Text {
		return ""
	}
	return n.Text
}

// Written returns a text, number or truth value as it is written, or "".
func (n *Node) Written() string {
	switch n.KindOf() {
	case Text, Number, Bool:
		return n.Text
	}
	return ""
}

// At returns the value at a path of fields and places in lists, from 0, or nil if
// there is none.
func (n *Node) At(path ...string) *Node {
	for _, name := range path {
		if n.KindOf() == List {
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
			continue
		}
		n = n.Get(name)
	}
	return n
}

// True reports whether the node is true.
func (n *Node) True() bool { return n.KindOf() == Bool && n.Text == "true" }

// JSON returns the value as JSON, its fields in the order of the document. It
// returns nil if n is nil.
func (n *Node) JSON() json.RawMessage {
	if n == nil {
		return nil
	}
	var b strings.Builder
	n.write(&b)
	return json.RawMessage(b.String())
}

// Indented is JSON with lines and indents.
func (n *Node) Indented() json.RawMessage { return jsontree.Indent(n.JSON()) }

func (n *Node) write(b *strings.Builder) {
	switch n.Kind {
	case Text:
		writeText(b, n.Text)
	case Bool, Number:
		b.WriteString(n.Text)
	case List:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeText(b, m.Name)
			b.WriteByte(':')
			m.Value.write(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString("null")
	}
}

// writeText writes a JSON string without the escapes that only HTML needs.
func writeText(b *strings.Builder, s string) {
	var quoted strings.Builder
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	b.WriteString(strings.TrimSuffix(quoted.String(), "\n"))
}
