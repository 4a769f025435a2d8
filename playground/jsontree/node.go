package jsontree

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Raw returns the exact text of the value, or nil if it is absent. The text
// shares the memory of the source and must not be modified.
func (n *Node) Raw() json.RawMessage {
	if n == nil {
		return nil
	}
	return json.RawMessage(n.src.bytes[n.Start:n.End:n.End])
}

// Text returns the decoded text of a String and whether n is one.
func (n *Node) Text() (string, bool) {
	if n == nil || n.Kind != String {
		return "", false
	}
	return n.src.unquote(n.Start, n.End), true
}

// Str returns the decoded text of a String, or "" for any other value.
func (n *Node) Str() string {
	s, _ := n.Text()
	return s
}

// Get returns the value of a member of an Object, or nil if there is none. Of
// duplicates it returns the last, as encoding/json and JavaScript do.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// Elements returns the items of an Array, or nil for any other value.
func (n *Node) Elements() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Entries returns the members of an Object, or nil for any other value.
func (n *Node) Entries() []Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// RawKey returns the exact text of the quoted name of a member of n.
func (n *Node) RawKey(m Member) json.RawMessage {
	return json.RawMessage(n.src.bytes[m.KeyStart:m.KeyEnd:m.KeyEnd])
}

// Has reports whether an Object has a member of that name, even if it is null.
func (n *Node) Has(key string) bool {
	if n == nil {
		return false
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return true
		}
	}
	return false
}

// At returns the value at a path of member names and decimal array indexes, or
// nil if there is none.
func (n *Node) At(path ...string) *Node {
	for _, p := range path {
		if n == nil || n.Kind != Array {
			n = n.Get(p)
			continue
		}
		i, err := strconv.ParseUint(p, 10, 31)
		if err != nil || i >= uint64(len(n.Items)) {
			return nil
		}
		n = n.Items[i]
	}
	return n
}

// Int returns the value of a Number that is a whole number in the range of
// int64, in any notation: 3, 3.0 and 30e-1 are the same (JSON Schema,
// "integer").
func (n *Node) Int() (int64, bool) {
	if n == nil || n.Kind != Number {
		return 0, false
	}
	return decimalOf(string(n.Raw())).int64()
}

// Decimal returns the exact value of a Number.
func (n *Node) Decimal() (Decimal, bool) {
	if n == nil || n.Kind != Number {
		return Decimal{}, false
	}
	return decimalOf(string(n.Raw())), true
}

// True reports whether n is the literal true.
func (n *Node) True() bool {
	return n != nil && n.Kind == Bool && n.src.bytes[n.Start] == 't'
}

// Len returns the number of members (duplicates counted) or items.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.Members) + len(n.Items)
}

// Lines returns how many lines n takes if a container with members or items opens
// and closes on lines of its own and any other value takes one; 0 if n is absent.
func (n *Node) Lines() int {
	if n == nil {
		return 0
	}
	if n.Len() == 0 {
		return 1
	}
	lines := 2
	for _, m := range n.Members {
		lines += m.Value.Lines()
	}
	for _, item := range n.Items {
		lines += item.Lines()
	}
	return lines
}

// Duplicates returns the JSON Pointers (RFC 6901) of all names that their
// object has more than once, each once, parents before children. It stops after
// 100 names or 64 KiB of pointers.
func (n *Node) Duplicates() []string {
	var d duplicates
	d.walk(n, nil)
	return d.found
}

type duplicates struct {
	found []string
	size  int
}

// walk joins a path only where something is found: a long name above many
// containers must not be copied for each of them.
func (d *duplicates) walk(n *Node, path []string) {
	if n.Len() == 0 {
		return
	}
	d.names(n, path)
	for _, m := range n.Members {
		d.walk(m.Value, append(path, m.Key))
	}
	for i, item := range n.Items {
		if item.Len() > 0 {
			d.walk(item, append(path, strconv.Itoa(i)))
		}
	}
}

func (d *duplicates) names(n *Node, path []string) {
	var reported map[string]bool
	for _, m := range n.Members {
		if !m.Duplicate || reported[m.Key] || len(d.found) >= 100 || d.size > 64<<10 {
			continue
		}
		if reported == nil {
			reported = make(map[string]bool)
		}
		reported[m.Key] = true
		p := Pointer(append(path, m.Key)...)
		d.found = append(d.found, p)
		d.size += len(p)
	}
}

// Pointer joins a path into a JSON Pointer (RFC 6901). The pointer of the empty
// path, the whole document, is "".
func Pointer(path ...string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(pointerEscape(p))
	}
	return b.String()
}

func pointerEscape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
