// Package jsontree parses JSON into a tree that keeps the order of members,
// duplicate keys, the text of numbers and the position of every value in the
// source. It is used wherever JSON is shown, judged or compared, because
// encoding/json discards all four. A Node points into the source, which must
// not be modified after Parse: positions and texts of all its Nodes would
// change with it.
//
// The input is not trusted. Every function takes linear time, apart from
// sorting, and the limits of Parse bound the memory and depth of everything
// that is derived from a Node. The methods of a nil *Node return zero values,
// so a path into foreign JSON needs no check at each step. Nodes do not change
// after Parse and may be read from several goroutines.
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

// Node is one JSON value and its position in the source. A nil Node means
// "absent"; all methods accept it. Only Parse makes Nodes.
type Node struct {
	Kind       Kind
	Broken     bool     // of a String: it has invalid UTF-8 or a lone surrogate, U+FFFD in Text
	Start, End int      // source[Start:End] is the value's exact text
	Members    []Member // of an Object, in the order of the source, with duplicates
	Items      []*Node  // of an Array
	src        *source  // a pointer is small; a hostile document has very many Nodes
}

// source is the text that a document was parsed from.
type source struct {
	bytes []byte
	text  string // the same once a name was taken from it, if it is short; else empty
}

// unquote returns the decoded text of the string that is quoted at
// bytes[start:end]. That of a short document shares its memory.
func (s *source) unquote(start, end int) string {
	if s.text == "" || !isPlain(s.bytes[start+1:end-1]) {
		return unquote(s.bytes[start:end])
	}
	return s.text[start+1 : end-1]
}

// Member is one name and value of an object.
type Member struct {
	Key              string // decoded, with U+FFFD for invalid UTF-8 and lone surrogates
	KeyStart, KeyEnd int    // position of the quoted name in the source
	Value            *Node
	Duplicate        bool // the object has the same name earlier
	Broken           bool // the name has invalid UTF-8 or a lone surrogate
}

// Limits bound what Parse accepts. Zero means the default.
type Limits struct {
	Depth  int // nesting of arrays and objects; default 64, at most 10000
	Values int // values in the whole document; default 131072
}

// Pair is a member for Set.
type Pair struct {
	Key   string
	Value json.RawMessage // nil removes the member
}
