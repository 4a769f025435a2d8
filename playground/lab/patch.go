package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Patch says how the request of a Round is edited, whatever its state and its
// answers are. It is read from a document such as
//
//	{"round": 2, "headers": {"Mcp-Name": null}, "body": {"params": {"name": "x"}}}
type Patch struct {
	Round int // whose request is edited, from 1

	header []headerPatch
	body   *jsontree.Node // nil leaves the body alone
}

// headerPatch is the new value of a header field. A nil value leaves it out.
type headerPatch struct {
	name  string
	value *string
}

// ReadPatch reads a patch. A header field that is null is left out. A body that
// is an object is merged with the right one, in which null removes a member (RFC
// 7396); a body that is a string is sent exactly.
func ReadPatch(data []byte) (Patch, error) {
	p := Patch{Round: 1}
	root, err := jsontree.Parse(data, jsontree.Limits{})
	if err != nil {
		return p, err
	}
	if root.Kind != jsontree.Object {
		return p, errors.New("it is not a JSON object")
	}
	for _, m := range root.Members {
		switch m.Key {
		case "round":
			n, ok := m.Value.Int()
			if !ok || n < 1 {
				return p, errors.New("round is not a number from 1")
			}
			p.Round = int(n)
		case "headers":
			if p.header, err = readHeaderPatch(m.Value); err != nil {
				return p, err
			}
		case "body":
			if m.Value.Kind != jsontree.Object && m.Value.Kind != jsontree.String {
				return p, errors.New("body is neither an object nor a string")
			}
			p.body = m.Value
		default:
			return p, fmt.Errorf("member %q is unknown; use round, headers and body", m.Key)
		}
	}
	return p, nil
}

func readHeaderPatch(n *jsontree.Node) ([]headerPatch, error) {
	if n.Kind != jsontree.Object {
		return nil, errors.New("headers is not an object")
	}
	var list []headerPatch
	for _, m := range n.Members {
		value, ok := m.Value.Text()
		switch {
		case ok:
			if err := wire.CheckField(wire.Field{Name: m.Key, Value: value}); err != nil {
				return nil, err
			}
			list = append(list, headerPatch{m.Key, &value})
		case m.Value.Kind == jsontree.Null:
			list = append(list, headerPatch{m.Key, nil})
		default:
			return nil, fmt.Errorf("header %q is neither a string nor null", m.Key)
		}
	}
	return list, nil
}

// Apply returns the edited form of the right request. What of the body is not
// edited keeps its bytes.
func (p Patch) Apply(right Edit) (Edit, error) {
	e := right
	for _, h := range p.header {
		var fields []wire.Field
		for _, f := range e.Header {
			if !strings.EqualFold(f.Name, h.name) {
				fields = append(fields, f)
			}
		}
		if h.value != nil {
			fields = append(fields, wire.Field{Name: h.name, Value: *h.value})
		}
		e.Header = fields
	}
	if p.body == nil {
		return e, nil
	}
	if text, ok := p.body.Text(); ok {
		e.Body = []byte(text)
		return e, nil
	}
	body, err := merge(right.tree(), p.body)
	if err != nil {
		return e, fmt.Errorf("merge body: %w", err)
	}
	e.Body = body
	return e, nil
}

// merge applies a JSON merge patch (RFC 7396). Values that it does not change
// keep their text.
func merge(n, patch *jsontree.Node) (json.RawMessage, error) {
	if patch.Kind != jsontree.Object {
		return patch.Raw(), nil
	}
	if n != nil && n.Kind != jsontree.Object {
		n = nil
	}
	var pairs []jsontree.Pair
	for _, m := range patch.Members {
		pair := jsontree.Pair{Key: m.Key}
		if m.Value.Kind != jsontree.Null {
			var err error
			if pair.Value, err = merge(n.Get(m.Key), m.Value); err != nil {
				return nil, err
			}
		}
		pairs = append(pairs, pair)
	}
	return jsontree.Set(n.Raw(), pairs...)
}
