package jsontree

import (
	"bytes"
	"maps"
	"slices"
)

// Equal reports whether a and b have the same meaning: members in any order (of
// duplicates the last), numbers by value, strings by decoded text. Broken
// strings are compared by their bytes, and numbers with an exponent of more
// than 17 digits by their text. Absent equals only absent.
func Equal(a, b *Node) bool {
	return bytes.Equal(a.Raw(), b.Raw()) || sameMeaning(a, b)
}

func sameMeaning(a, b *Node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Kind != b.Kind:
		return false
	case a.Kind == Array:
		return slices.EqualFunc(a.Items, b.Items, sameMeaning)
	case a.Kind == Object && a.fewNames() && b.fewNames():
		return len(a.Members) == len(b.Members) && !slices.ContainsFunc(a.Members, func(m Member) bool {
			return !sameMeaning(m.Value, b.Get(m.Key))
		})
	case a.Kind == String && !a.Broken && !b.Broken:
		return bytes.Equal(a.Raw(), b.Raw()) || a.Str() == b.Str()
	}
	return bytes.Equal(Canonical(a), Canonical(b))
}

// fewNames reports whether an object has few members, each with a name of its own.
func (n *Node) fewNames() bool {
	return len(n.Members) <= fewMembers && !slices.ContainsFunc(n.Members,
		func(m Member) bool { return m.Duplicate })
}

// Canonical returns the same text for all values that are Equal: members sorted
// by name, no white space, one notation per number and string. It serves to
// compare and digest values; it is not RFC 8785, which rounds numbers to double
// precision.
func Canonical(n *Node) []byte { return appendCanonical(nil, n) }

func appendCanonical(out []byte, n *Node) []byte {
	switch {
	case n == nil:
		return out
	case n.Kind == Object:
		return appendObject(out, n)
	case n.Kind == Array:
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendCanonical(out, item)
		}
		return append(out, ']')
	case n.Kind == Number:
		return decimalOf(string(n.Raw())).append(out)
	case n.Kind == String && !n.Broken:
		return appendQuoted(out, n.Str())
	}
	return append(out, n.Raw()...)
}

func appendObject(out []byte, n *Node) []byte {
	values := n.values()
	out = append(out, '{')
	for i, key := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendQuoted(out, key), ':')
		out = appendCanonical(out, values[key])
	}
	return append(out, '}')
}

// values returns the effective members: of duplicates the last.
func (n *Node) values() map[string]*Node {
	values := make(map[string]*Node, len(n.Members))
	for _, m := range n.Members {
		values[m.Key] = m.Value
	}
	return values
}
