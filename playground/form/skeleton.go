package form

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// The bounds of a skeleton.
const (
	skeletonDepth = 4
	skeletonSize  = 2000 // bytes
)

// skeletonOf shows the user of a JSON field what to enter: as its value if it
// is required, else as a placeholder.
func (b *building) skeletonOf(f *Field, s *jsontree.Node) {
	if s.Get("type").Str() != "object" && s.Get("type").Str() != "array" && s.Get("properties") == nil {
		return
	}
	raw := b.skeleton(s, skeletonDepth)
	if len(raw) > skeletonSize || len(raw) <= len("{}") {
		return
	}
	if f.Required {
		f.shown = jsontree.Indent(raw)
		f.Value = []string{string(f.shown)}
	} else {
		f.Placeholder = string(raw)
	}
}

// skeleton returns the least value that a schema seems to want: its default or
// example, else its required members, else an empty value of its type.
func (b *building) skeleton(s *jsontree.Node, depth int) json.RawMessage {
	made := b.simplify(s)
	if made.reason != "" || depth == 0 {
		return json.RawMessage("{}")
	}
	if len(made.alternatives) > 0 {
		return b.skeleton(made.alternatives[0], depth-1)
	}
	s = made.schema
	if value := given(s); value != nil {
		return value
	}
	switch s.Get("type").Str() {
	case "array":
		return json.RawMessage("[]")
	case "string":
		return json.RawMessage(`""`)
	case "boolean":
		return json.RawMessage("false")
	case "number", "integer":
		return json.RawMessage("0")
	case "null":
		return json.RawMessage("null")
	}
	var out builder
	names := required(s)
	for _, m := range properties(s) {
		known := given(m.Value)
		if out.text.Len() > skeletonSize {
			break
		}
		if names[m.Key] {
			out.add(m.Key, b.skeleton(m.Value, depth-1))
		} else if known != nil {
			out.add(m.Key, known)
		}
	}
	return out.object()
}

// given returns a value that the schema itself gives, or nil.
func given(s *jsontree.Node) json.RawMessage {
	if s == nil || s.Kind != jsontree.Object {
		return nil
	}
	for _, keyword := range []string{"default", "const"} {
		if n := s.Get(keyword); n != nil {
			return small(n)
		}
	}
	for _, keyword := range []string{"examples", "enum"} {
		if list := s.Get(keyword).Elements(); len(list) > 0 {
			return small(list[0])
		}
	}
	return nil
}

// small returns the text of a value that is short enough to be repeated, or nil.
func small(n *jsontree.Node) json.RawMessage {
	if n == nil || n.End-n.Start > skeletonSize {
		return nil
	}
	return n.Raw()
}
