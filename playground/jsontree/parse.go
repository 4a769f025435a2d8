package jsontree

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrTooDeep and ErrTooMany are wrapped by the errors of Parse for a document
// that exceeds its Limits.
var (
	ErrTooDeep = errors.New("json nested too deep")
	ErrTooMany = errors.New("json with too many values")
)

// IsLimit reports whether an error of Parse is about its Limits: the document may well
// be JSON.
func IsLimit(err error) bool { return errors.Is(err, ErrTooDeep) || errors.Is(err, ErrTooMany) }

const (
	defaultDepth  = 64
	maxDepth      = 10000 // as in encoding/json; functions on a Node recurse
	defaultValues = 1 << 17
	// shortText is the length up to which a document is copied once for its names
	// and texts. Each of a longer one is copied, so that it does not keep the whole
	// alive.
	shortText = 16 << 10
)

// Parse parses exactly one JSON value (RFC 8259, strictly: no byte order mark,
// nothing after the value) and keeps src. It accepts and flags invalid UTF-8
// and lone surrogates inside strings (Broken) and duplicate names (Duplicate),
// because a document with these faults must still be shown. The error is a
// *SyntaxError or wraps ErrTooDeep or ErrTooMany.
func Parse(src []byte, l Limits) (*Node, error) {
	s := stacksOf.Get().(*stacks)
	defer s.release()
	p := parser{
		src: src, shared: &source{bytes: src}, depth: defaultDepth, values: defaultValues,
		stacks: s, slabs: slabsFor(src),
	}
	if l.Depth > 0 {
		p.depth = min(l.Depth, maxDepth)
	}
	if l.Values > 0 {
		p.values = l.Values
	}
	if bytes.HasPrefix(src, []byte("\uFEFF")) {
		return nil, &SyntaxError{0, "byte order mark before the value"}
	}
	if err := p.document(); err != nil {
		return nil, err
	}
	if p.i = skipSpace(src, p.i); p.i < len(src) {
		return nil, &SyntaxError{p.i, "more text after the value"}
	}
	return p.root, nil
}

// parser keeps the open containers on its own stack, so that deep nesting does
// not grow the goroutine stack. What they have so far is on a stack too, and is
// copied at their end, when its number is known.
type parser struct {
	src           []byte
	shared        *source // of all Nodes
	i             int
	depth, values int
	count         int
	root          *Node
	*stacks
	slabs slabs
}

// frame is an open container: its content so far begins at first on the stack
// of its kind.
type frame struct {
	*Node
	first int
	seen  map[string]bool // its names, if there are many
}

func (p *parser) document() error {
	for {
		done, err := p.value()
		for done && err == nil && len(p.open) > 0 {
			done, err = p.afterValue()
		}
		if err != nil || done {
			return err
		}
	}
}

// value parses a scalar or an empty container (done), or the start of a
// container up to its first value (not done).
func (p *parser) value() (done bool, err error) {
	p.i = skipSpace(p.src, p.i)
	if p.i == len(p.src) {
		return false, &SyntaxError{p.i, "value is missing at the end"}
	}
	n, err := p.add()
	if err != nil {
		return false, err
	}
	switch c := p.src[p.i]; {
	case c == '{' || c == '[':
		return p.begin(n, c)
	case c == '"':
		n.Kind = String
		n.End, n.Broken, err = scanString(p.src, p.i)
	case c == '-' || isDigit(c):
		n.Kind = Number
		n.End, err = scanNumber(p.src, p.i)
	default:
		n.Kind, n.End, err = scanLiteral(p.src, p.i)
	}
	p.i = n.End
	return true, err
}

// add makes the Node at p.i and adds it to its parent.
func (p *parser) add() (*Node, error) {
	if p.count++; p.count > p.values {
		return nil, fmt.Errorf("%w: more than %d at byte %d", ErrTooMany, p.values, p.i)
	}
	n := &p.slabs.nodes.take(1)[0]
	n.Start, n.src = p.i, p.shared
	switch {
	case len(p.open) == 0:
		p.root = n
	case p.open[len(p.open)-1].Kind == Array:
		p.items = append(p.items, n)
	default:
		p.members[len(p.members)-1].Value = n
	}
	return n, nil
}

func (p *parser) begin(n *Node, c byte) (done bool, err error) {
	if len(p.open) == p.depth {
		return false, fmt.Errorf("%w: more than %d levels at byte %d", ErrTooDeep, p.depth, p.i)
	}
	n.Kind = Array
	first := len(p.items)
	if c == '{' {
		n.Kind = Object
		first = len(p.members)
	}
	p.open = append(p.open, frame{Node: n, first: first})
	p.i = skipSpace(p.src, p.i+1)
	if p.i < len(p.src) && p.src[p.i] == closer(n.Kind) {
		p.end()
		return true, nil
	}
	if n.Kind == Object {
		err = p.key()
	}
	return false, err
}

// afterValue parses the end of the container after a value (done), or a comma
// and, in an object, the next name (not done).
func (p *parser) afterValue() (done bool, err error) {
	top := p.open[len(p.open)-1]
	p.i = skipSpace(p.src, p.i)
	switch {
	case p.i == len(p.src):
		return false, &SyntaxError{p.i, top.Kind.String() + " is not closed"}
	case p.src[p.i] == closer(top.Kind):
		p.end()
		return true, nil
	case p.src[p.i] != ',':
		return false, &SyntaxError{p.i, "comma or " + string(rune(closer(top.Kind))) + " is missing"}
	}
	p.i++
	if top.Kind == Object {
		err = p.key()
	}
	return false, err
}

func closer(k Kind) byte {
	if k == Array {
		return ']'
	}
	return '}'
}

// end closes the innermost container.
func (p *parser) end() {
	p.i++
	top := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	top.End = p.i
	if top.Kind == Array {
		top.Items = p.slabs.items.copy(p.items[top.first:])
		p.items = p.items[:top.first]
		return
	}
	top.Members = p.slabs.members.copy(p.members[top.first:])
	p.members = p.members[:top.first]
}
