package form

import (
	"errors"
	"regexp/syntax"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// The bounds of a validation. They are far above any schema written by hand
// and keep a hostile one under 50 ms.
const (
	maxObjects  = 1000    // in schema and value: compiling is quadratic in them
	maxValues   = 10_000  // in schema and value
	maxPatterns = 100     // in the schema
	maxCost     = 100_000 // steps of one validation
	maxPairs    = 10_000  // steps of the estimate
	tooMuch     = 1 << 40 // a cost that cannot be known
)

// affordable says why value cannot be validated against schema. References
// can make a small schema explode (each of n definitions using the next one
// twice costs 2^n), so the steps are counted before any is taken.
func affordable(schema, value *jsontree.Node) error {
	var c census
	c.count(schema)
	c.count(value)
	switch {
	case c.objects > maxObjects || c.values > maxValues:
		return errors.New("the schema or the value is too large to be checked here")
	case c.patterns > maxPatterns:
		return errors.New("the schema has too many patterns to be checked here")
	case c.hugeNumber:
		return errors.New("it holds a number too large to be checked here")
	}
	e := estimate{root: schema, text: value.End - value.Start, known: map[pair]int{}}
	if e.cost(schema, value) > maxCost {
		return errors.New("the schema's references are too involved to be checked here")
	}
	return nil
}

// census counts what makes compiling and reading costly.
type census struct {
	values, objects, patterns int
	hugeNumber                bool
}

func (c *census) count(n *jsontree.Node) {
	c.values++
	switch n.Kind {
	case jsontree.Number:
		_, ok := rational(string(n.Raw()))
		c.hugeNumber = c.hugeNumber || !ok
	case jsontree.Object:
		c.objects++
	}
	for _, item := range n.Items {
		c.count(item)
	}
	for _, m := range n.Members {
		if m.Key == "pattern" || m.Key == "patternProperties" {
			c.patterns += 1 + len(m.Value.Members)
		}
		c.count(m.Value)
	}
}

// estimate bounds the steps of a validation from above: it takes every branch.
type estimate struct {
	root  *jsontree.Node
	text  int // bytes of the value, for texts that are not at hand
	known map[pair]int
	spent int // own steps, so that counting stays cheap too
}

// pair is a schema at a value; the value is nil for a property's name.
type pair struct{ schema, value *jsontree.Node }

// cost counts the steps of one schema at one value. Coming back to a pair that
// is still being counted is a reference cycle.
func (e *estimate) cost(s, v *jsontree.Node) int {
	if s == nil || s.Kind != jsontree.Object {
		return 1
	}
	key := pair{s, v}
	if cost, ok := e.known[key]; ok {
		return cost
	}
	if e.spent += 1 + len(s.Members); e.spent > maxPairs || e.opaque(s) {
		return tooMuch
	}
	e.known[key] = tooMuch
	sum := 1 + e.here(s, v) + e.inside(s, v)
	e.known[key] = min(sum, tooMuch)
	return e.known[key]
}

// opaque tells whether a schema refers in ways that are not followed here.
func (e *estimate) opaque(s *jsontree.Node) bool {
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor"} {
		if s.Get(keyword) != nil {
			return true
		}
	}
	_, id := s.Get("$id").Text()
	_, old := s.Get("id").Text()
	return s != e.root && (id || old)
}

// here is the cost of what a schema applies to the value itself.
func (e *estimate) here(s, v *jsontree.Node) int {
	sum := len(nodes(s.Get("enum"))) + e.pattern(s.Get("pattern"), v)
	for _, keyword := range []string{"not", "if", "then", "else"} {
		if s.Get(keyword) != nil {
			sum += e.cost(s.Get(keyword), v)
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"} {
		for _, sub := range nodes(s.Get(keyword)) {
			sum = min(sum+e.cost(sub, v), tooMuch)
		}
	}
	if ref := s.Get("$ref"); ref != nil {
		target := resolve(e.root, ref.Str())
		if target == nil {
			return tooMuch
		}
		sum += e.cost(target, v)
	}
	return min(sum, tooMuch)
}

// inside is the cost of what a schema applies to members and items.
func (e *estimate) inside(s, v *jsontree.Node) int {
	children := nodes(v)
	sum := len(children)
	for _, p := range s.Get("properties").Entries() {
		if child := v.Get(p.Key); child != nil {
			sum += e.cost(p.Value, child)
		}
	}
	var each []*jsontree.Node
	for _, keyword := range []string{"patternProperties", "prefixItems", "items"} {
		each = append(each, nodes(s.Get(keyword))...)
	}
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties", "items", "additionalItems", "contains", "unevaluatedItems"} {
		each = append(each, s.Get(keyword))
	}
	for _, child := range children {
		for _, sub := range each {
			sum = min(sum+e.cost(sub, child), tooMuch)
		}
	}
	return min(sum+e.names(s, v), tooMuch)
}

// names is the cost of what a schema applies to the names of members.
func (e *estimate) names(s, v *jsontree.Node) int {
	members := v.Entries()
	if len(members) == 0 {
		return 0
	}
	sum := 0
	if s.Get("propertyNames") != nil {
		sum = e.cost(s.Get("propertyNames"), nil) * len(members)
	}
	for _, p := range s.Get("patternProperties").Entries() {
		sum += program(p.Key) * (e.text + len(members)) / 100
	}
	return sum
}

// pattern is the cost of matching v: Go's regexp takes steps in proportion to
// the size of its program times the length of the text.
func (e *estimate) pattern(p, v *jsontree.Node) int {
	text, ok := p.Text()
	if !ok || v != nil && v.Kind != jsontree.String {
		return 0
	}
	length := e.text
	if v != nil {
		length = v.End - v.Start
	}
	return program(text) * (length + 1) / 100
}

// program is the number of instructions of a compiled pattern: repetition
// makes it much larger than its text.
func program(pattern string) int {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 1
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 1
	}
	return len(prog.Inst) + strings.Count(pattern, "{")
}
