package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Op is the operation of an Edit.
type Op string

// The operations of edits.
const (
	Set    Op = "set"    // the value at Path
	Remove Op = "remove" // the value at Path
	Insert Op = "insert" // Value into the list or map at Path, before the item Index
	Move   Op = "move"   // the item Index of the list at Path to the place To
	Rename Op = "rename" // the field at Path
)

// Edit is one change of a document. A Path has names of fields, and places in
// lists from 0.
type Edit struct {
	Op        Op
	Path      []string
	Value     json.RawMessage
	Name      string // of Rename, and of Insert into a map
	Index, To int
}

var errPath = errors.New("the document has no such place")

// Apply returns the document with the edits, as YAML. Comments and the order of
// fields stay; a document in JSON becomes YAML.
func Apply(source []byte, edits ...Edit) ([]byte, error) {
	parsed, problems := Parse(source)
	if len(problems) > 0 {
		return nil, fmt.Errorf("edit document: %s", problems[0])
	}
	doc := &yaml.Node{Kind: yaml.DocumentNode}
	if isJSON(source) {
		doc.Content = []*yaml.Node{toYAML(parsed)} // what JSON escapes, YAML may not read
		restyle(doc.Content[0], 0)
	} else if err := yaml.Unmarshal(source, doc); err != nil {
		return nil, fmt.Errorf("edit document: %w", err)
	}
	root := doc.Content[0]
	for _, e := range edits {
		if err := e.apply(root); err != nil {
			return nil, fmt.Errorf("edit document at %s: %w", strings.Join(e.Path, "."), err)
		}
	}
	return encode(doc)
}

// YAML returns a value as YAML.
func YAML(value json.RawMessage) ([]byte, error) {
	n, err := fromValue(value)
	if err != nil {
		return nil, err
	}
	restyle(n, 0)
	return encode(n)
}

func encode(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	paired := pair(n)
	if err := e.Encode(n); err != nil {
		return nil, fmt.Errorf("encode document: %w", err)
	}
	if paired {
		return unpaired(b.Bytes()), nil
	}
	return b.Bytes(), nil
}

// The encoder writes a character beyond the basic plane, such as an emoji, as an
// escape. So while it works, each is two characters for private use, as in UTF-16.
const high, low, half = 0xe000, 0xe400, 0x400

// pair replaces the characters beyond the basic plane. It replaces none, and returns
// false, if the document uses those that stand for them.
func pair(n *yaml.Node) bool {
	own := false
	each(n, func(n *yaml.Node) {
		own = own || strings.ContainsFunc(n.Value, func(r rune) bool { return high <= r && r < low+half })
	})
	if own {
		return false
	}
	each(n, func(n *yaml.Node) {
		var b strings.Builder
		for _, r := range n.Value {
			if r > 0xffff {
				b.WriteRune(high + (r-0x10000)/half)
				r = low + r%half
			}
			b.WriteRune(r)
		}
		n.Value = b.String()
	})
	return true
}

func each(n *yaml.Node, f func(*yaml.Node)) {
	f(n)
	for _, c := range n.Content {
		each(c, f)
	}
}

func unpaired(encoded []byte) []byte {
	var b bytes.Buffer
	var first rune
	for _, r := range string(encoded) {
		switch {
		case high <= r && r < low:
			first = r
			continue
		case low <= r && r < low+half:
			r += (first-high)*half + 0x10000 - low
		}
		b.WriteRune(r)
	}
	return b.Bytes()
}

func (e Edit) apply(root *yaml.Node) error {
	switch e.Op {
	case Insert, Move:
		list, err := find(root, e.Path, e.Op == Insert)
		if err != nil {
			return err
		}
		if e.Op == Move {
			return move(list, e.Index, e.To)
		}
		return e.insert(list)
	case Set:
		value, err := fromValue(e.Value)
		if err != nil {
			return err
		}
		restyle(value, len(e.Path))
		at, err := find(root, e.Path, true)
		if err != nil {
			return err
		}
		value.HeadComment, value.LineComment = at.HeadComment, at.LineComment
		value.FootComment = at.FootComment
		*at = *value
		return nil
	}
	if len(e.Path) == 0 {
		return errPath
	}
	around, err := find(root, e.Path[:len(e.Path)-1], false)
	if err != nil {
		return err
	}
	return e.change(around, e.Path[len(e.Path)-1])
}

// change removes or renames a member of a map, or removes an item of a list.
func (e Edit) change(around *yaml.Node, name string) error {
	i, step := memberAt(around, name), 2
	if around.Kind == yaml.SequenceNode {
		i, step = itemAt(around, name), 1
	}
	switch {
	case i < 0:
		return errPath
	case e.Op == Remove:
		around.Content = slices.Delete(around.Content, i, i+step)
	case step == 2 && memberAt(around, e.Name) < 0:
		around.Content[i].Value = e.Name
		around.Content[i].Style = 0
	case step == 2 && e.Name != name:
		return errors.New("there is a field of that name")
	}
	return nil
}

func (e Edit) insert(into *yaml.Node) error {
	value, err := fromValue(e.Value)
	if err != nil {
		return err
	}
	restyle(value, len(e.Path)+1)
	if into.Kind == 0 || into.Tag == "!!null" {
		comments := *into
		*into = yaml.Node{Kind: yaml.SequenceNode, LineComment: comments.LineComment}
		if e.Name != "" {
			into.Kind = yaml.MappingNode
		}
	}
	if into.Kind == yaml.MappingNode && e.Name != "" {
		if memberAt(into, e.Name) >= 0 {
			return errors.New("there is a field of that name")
		}
		into.Content = append(into.Content, textNode(e.Name), value)
		into.Style = 0
		return nil
	}
	if into.Kind != yaml.SequenceNode || e.Index < 0 || e.Index > len(into.Content) {
		return errPath
	}
	into.Content = slices.Insert(into.Content, e.Index, value)
	if value.Kind == yaml.MappingNode {
		into.Style = 0
	}
	return nil
}

func move(list *yaml.Node, from, to int) error {
	n := len(list.Content)
	if list.Kind != yaml.SequenceNode || from < 0 || to < 0 || from >= n || to >= n {
		return errPath
	}
	item := list.Content[from]
	list.Content = slices.Insert(slices.Delete(list.Content, from, from+1), to, item)
	return nil
}

// find returns the node at a path. With make, the maps on the way that are not
// there are made.
func find(n *yaml.Node, path []string, create bool) (*yaml.Node, error) {
	for _, name := range path {
		if n.Kind == yaml.SequenceNode {
			i := itemAt(n, name)
			if i < 0 {
				return nil, errPath
			}
			n = n.Content[i]
			continue
		}
		if create && (n.Kind == 0 || n.Tag == "!!null") {
			*n = yaml.Node{Kind: yaml.MappingNode}
		}
		if n.Kind != yaml.MappingNode {
			return nil, errPath
		}
		i := memberAt(n, name)
		if i < 0 {
			if !create {
				return nil, errPath
			}
			n.Content = append(n.Content, textNode(name), &yaml.Node{})
			i = len(n.Content) - 2
		}
		n = n.Content[i+1]
	}
	return n, nil
}

func memberAt(n *yaml.Node, name string) int {
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if n.Content[i].Value == name {
			return i
		}
	}
	return -1
}

func itemAt(n *yaml.Node, name string) int {
	i, err := strconv.Atoi(name)
	if err != nil || i < 0 || i >= len(n.Content) {
		return -1
	}
	return i
}

func textNode(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

// fromValue returns a JSON value as a node.
func fromValue(value json.RawMessage) (*yaml.Node, error) {
	n, problems := Parse([]byte(`{"v":` + string(value) + `}`))
	if len(problems) > 0 {
		return nil, errors.New(problems[0].Text)
	}
	return toYAML(n.Get("v")), nil
}

func toYAML(n *Node) *yaml.Node {
	switch n.Kind {
	case Map:
		out := &yaml.Node{Kind: yaml.MappingNode}
		for _, m := range n.Members {
			out.Content = append(out.Content, textNode(m.Name), toYAML(m.Value))
		}
		return out
	case List:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range n.Items {
			out.Content = append(out.Content, toYAML(item))
		}
		return out
	case Text:
		return textNode(n.Text)
	case Null:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: n.Text} // its tag is resolved
}

// shortLine is how long a map or list in one line may be.
const shortLine = 90

// restyle writes short maps and lists of plain values in one line, and all others
// in lines of their own.
func restyle(n *yaml.Node, depth int) {
	n.Style = 0
	if n.Kind == yaml.ScalarNode {
		if strings.Contains(n.Value, "\n") && n.Tag == "!!str" {
			n.Style = yaml.LiteralStyle
		}
		return
	}
	size := 0
	flat := true
	for i, c := range n.Content {
		restyle(c, depth+1)
		size += len(c.Value) + 2
		isKey := n.Kind == yaml.MappingNode && i%2 == 0
		flat = flat && (isKey || c.Kind == yaml.ScalarNode && c.Style == 0)
	}
	if depth > 1 && flat && size < shortLine {
		n.Style = yaml.FlowStyle
	}
}
