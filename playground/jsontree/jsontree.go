// Package jsontree reads JSON as it came: the order of members, duplicate
// keys, the text of numbers and the position of everything in the source are
// kept. It is used wherever JSON is shown, judged or compared, because
// encoding/json forgets all four. It refuses to change what it read: a Node
// always points into the exact source bytes, which therefore must not be
// modified after Parse.
//
// Strangers write what is read here. Every function takes linear time (sorting
// apart), and the limits of Parse bound the memory and depth of all that
// follows from a Node.
package jsontree

import "encoding/json"

// Kind is the JSON type of a Node.
type Kind uint8

// The kinds of RFC 8259, section 3. Invalid is the kind of a nil Node.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the name JSON Schema uses for the kind, "absent" for Invalid.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "absent"
}

// Node is one JSON value and where it stands in its source. All methods are
// safe on a nil Node, which stands for "absent". Only Parse makes Nodes.
type Node struct {
	Kind       Kind
	Broken     bool     // of a String: invalid UTF-8 or a lone surrogate; Text has U+FFFD there, Raw the bytes
	Start, End int      // source[Start:End] is the value's exact text
	Members    []Member // of an Object, in source order, duplicates kept
	Items      []*Node  // of an Array
	src        *[]byte  // one pointer, not a slice: a hostile document has very many Nodes
}

// Member is one name and value of an object.
type Member struct {
	Key              string // decoded; invalid UTF-8 and lone surrogates become U+FFFD
	KeyStart, KeyEnd int    // position of the quoted name in the source
	Value            *Node
	Duplicate        bool // the same name stands earlier in the same object
	Broken           bool // the name has invalid UTF-8 or a lone surrogate
}

// Limits bound what Parse accepts. Zero means the default.
type Limits struct {
	Depth  int // nesting of arrays and objects; default 64, at most 10000
	Values int // values in the whole document; default 131072, an eighth of the largest answer
}

// Pair is a member for Set.
type Pair struct {
	Key   string
	Value json.RawMessage // nil removes the member
}
