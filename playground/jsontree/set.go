package jsontree

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Set returns obj with top-level members replaced, removed or, when new,
// appended in the given order; every other byte stays: spaces, order, the text
// of numbers. An empty obj counts as {}. Of duplicates the last, which counts,
// is replaced; removing takes them all. The values are put in as they are and
// must be JSON.
func Set(obj json.RawMessage, pairs ...Pair) (json.RawMessage, error) {
	if len(obj) == 0 {
		obj = json.RawMessage("{}")
	}
	n, err := Parse(obj, Limits{Depth: maxDepth, Values: len(obj)})
	if err != nil {
		return nil, fmt.Errorf("set members: %w", err)
	}
	if n.Kind != Object {
		return nil, errors.New("set members: not an object but " + n.Kind.String())
	}
	for _, p := range pairs {
		if p.Value != nil && !json.Valid(p.Value) {
			return nil, fmt.Errorf("set member %q: value is not JSON", p.Key)
		}
	}
	return newEdit(n, pairs).bytes(), nil
}

// ObjectOf returns the object with these members. Their values must be JSON; it
// panics when one is not.
func ObjectOf(pairs ...Pair) json.RawMessage {
	object, err := Set(nil, pairs...)
	if err != nil {
		panic("jsontree: build object: " + err.Error())
	}
	return object
}

// edit is an object with the outcome of all pairs: by name, the last pair wins.
type edit struct {
	n      *Node
	change map[string]json.RawMessage
	added  []string       // names that are new, in order
	last   map[string]int // index of the member that counts
}

func newEdit(n *Node, pairs []Pair) *edit {
	e := &edit{n: n, change: make(map[string]json.RawMessage), last: make(map[string]int)}
	for i, m := range n.Members {
		e.last[m.Key] = i
	}
	for _, p := range pairs {
		key := string([]rune(p.Key)) // what JSON can carry of it, as Quote
		_, known := e.change[key]
		if _, there := e.last[key]; !there && !known {
			e.added = append(e.added, key)
		}
		e.change[key] = p.Value
	}
	return e
}

func (e *edit) bytes() []byte {
	src := *e.n.src
	brace := e.n.Start + 1 // what stands before a member: brace or comma, and spaces
	out := append([]byte(nil), src[:brace]...)
	end, kept := brace, 0
	for i, m := range e.n.Members {
		value, changed := e.change[m.Key]
		before := src[end:m.KeyStart]
		end = m.Value.End
		if changed && value == nil {
			continue
		}
		if kept++; kept == 1 {
			before = src[brace:e.n.Members[0].KeyStart]
		}
		out = append(out, before...)
		if changed && i == e.last[m.Key] {
			out = append(append(out, src[m.KeyStart:m.Value.Start]...), value...)
		} else {
			out = append(out, src[m.KeyStart:m.Value.End]...)
		}
	}
	for _, key := range e.added {
		if value := e.change[key]; value != nil {
			if kept++; kept > 1 {
				out = append(out, ',')
			}
			out = append(append(appendQuoted(out, key), ':'), value...)
		}
	}
	return append(out, src[end:]...)
}
