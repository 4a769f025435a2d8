package form

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// maxPlain bounds the values of a plain schema.
const maxPlain = 1000

// isPlain reports whether a schema has only keywords that every validator
// compiles, with values of the right type, so that Unchecked need not compile
// it. It is false for some schemas that do compile.
func isPlain(s *jsontree.Node) bool {
	var c census
	if c.count(s); c.values > maxPlain || c.hugeNumber {
		return false
	}
	return plainSchema(s)
}

func plainSchema(s *jsontree.Node) bool {
	if s.Kind != jsontree.Object {
		return false
	}
	for _, m := range s.Members {
		if m.Duplicate || !plainKeyword(m.Key, m.Value) {
			return false
		}
	}
	return true
}

var plainTypes = []string{"string", "number", "integer", "boolean", "array", "object", "null"}

func plainKeyword(key string, n *jsontree.Node) bool {
	switch key {
	case "title", "description":
		return n.Kind == jsontree.String
	case "default", "const":
		return true
	case "format": // its own draft may not know it; it never fails to compile
		return n.Kind == jsontree.String
	case "type":
		return slices.Contains(plainTypes, n.Str())
	case "minimum", "maximum":
		return n.Kind == jsontree.Number
	case "minLength", "maxLength", "minItems", "maxItems":
		i, ok := n.Int()
		return ok && i >= 0 && i < 1<<31
	case "enum":
		return n.Kind == jsontree.Array && len(n.Items) == 1 || distinct(n)
	case "required":
		return distinct(n)
	case "properties":
		return n.Kind == jsontree.Object && !slices.ContainsFunc(n.Members,
			func(m jsontree.Member) bool { return m.Duplicate || !plainSchema(m.Value) })
	case "items":
		return plainSchema(n)
	case "additionalProperties":
		return n.Kind == jsontree.Bool || plainSchema(n)
	case "anyOf", "oneOf":
		return n.Kind == jsontree.Array && len(n.Items) > 0 &&
			!slices.ContainsFunc(n.Items, func(s *jsontree.Node) bool { return !plainSchema(s) })
	}
	return false
}

// distinct reports whether n is a list of different strings that is not empty.
func distinct(n *jsontree.Node) bool {
	seen := map[string]bool{}
	for _, item := range n.Items {
		s, ok := item.Text()
		if !ok || item.Broken || seen[s] {
			return false
		}
		seen[s] = true
	}
	return n.Kind == jsontree.Array && len(n.Items) > 0
}
