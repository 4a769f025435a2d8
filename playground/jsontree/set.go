package jsontree

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Set returns obj with top-level members replaced, removed or, if they are new,
// appended in the given order. Every other byte stays: white space, order, the
// text of numbers. An empty obj means {}. Of duplicates, replacing changes the
// last, which is the effective one; removing removes all. The values are
// inserted unchanged and must be JSON.
func Set(obj json.RawMessage, pairs ...Pair) (json.RawMessage, error) {
	if len(obj) == 0 {
		obj = json.RawMessage("{}")
	}
	n, err := Parse(obj, Limits{Depth: maxDepth, Values: len(obj)})
	if err != nil {
		return nil, fmt.Errorf("set members: %w", err)
	}
	if n.Kind != Object {
		return nil, errors.New("set members: value is " + n.Kind.String() + ", not object")
	}
	for _, p := range pairs {
		if p.Value != nil && !json.Valid(p.Value) {
			return nil, fmt.Errorf("set member %q: value is not JSON", p.Key)
		}
	}
	e := edit{n: n, change: map[string]json.RawMessage{}, last: map[string]int{}}
	e.read(pairs)
	return e.bytes(), nil
}

// ObjectOf returns the object with these members. It panics if a value is not
// JSON.
func ObjectOf(pairs ...Pair) json.RawMessage {
	object, err := Set(nil, pairs...)
	if err != nil {
		panic("jsontree: build object: " + err.Error())
	}
	return object
}

// edit is an object and its changes by name; the last pair of a name counts.
type edit struct {
	n      *Node
	change map[string]json.RawMessage
	added  []string       // new names, in order
	last   map[string]int // index of the effective member
}

// read sets the changes.
func (e *edit) read(pairs []Pair) {
	for i, m := range e.n.Members {
		e.last[m.Key] = i
	}
	for _, p := range pairs {
		key := string([]rune(p.Key)) // with U+FFFD for invalid UTF-8, as Quote
		_, known := e.change[key]
		if _, there := e.last[key]; !there && !known {
			e.added = append(e.added, key)
		}
		e.change[key] = p.Value
	}
}

func (e *edit) bytes() []byte {
	src := e.n.src.bytes
	brace := e.n.Start + 1 // a member follows the brace or a comma, and white space
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
