package form

import (
	"errors"
	"regexp/syntax"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// The bounds of a validation. They are far above any schema written by hand and
// keep a hostile one under 50 ms.
const (
	maxObjects  = 1000    // in schema and value: compiling is quadratic in them
	maxValues   = 10_000  // in schema and value
	maxPatterns = 100     // in the schema
	maxCost     = 100_000 // steps of one validation
	maxPairs    = 10_000  // steps of the estimate
	unbounded   = 1 << 40 // a cost that cannot be determined
)

// checkSize returns an error if compiling schema and parsing value costs too
// much.
func checkSize(schema, value *jsontree.Node) error {
	var c census
	c.count(schema)
	c.count(value)
	switch {
	case c.objects > maxObjects || c.values > maxValues:
		return errors.New("schema or value is too large to be checked")
	case c.patterns > maxPatterns:
		return errors.New("it has too many patterns to be checked")
	case c.hugeNumber:
		return errors.New("it has a number that is too large to be checked")
	}
	return nil
}

// checkCost returns an error if validating value against schema costs too much.
// References can make a small schema explode (n definitions of which each uses
// the next one twice cost 2^n), so the steps are counted in advance.
func checkCost(schema, value *jsontree.Node) error {
	e := estimate{root: schema, text: value.End - value.Start, known: map[pair]int{}}
	if e.cost(schema, value) > maxCost {
		return errors.New("its references are too complex to be checked")
	}
	return nil
}

// census counts the parts that make compiling and parsing costly.
type census struct {
	values, objects, patterns int
	hugeNumber                bool
}

func (c *census) count(n *jsontree.Node) {
	c.values++
	switch n.Kind {
	case jsontree.Number:
		c.hugeNumber = c.hugeNumber || !jsontree.Bounded(string(n.Raw()))
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

// estimate is an upper bound for the steps of a validation: it takes every
// branch.
type estimate struct {
	root  *jsontree.Node
	text  int // bytes of the value, for strings that are not known
	known map[pair]int
	spent int // steps of the estimate itself
}

// pair is a schema applied to a value. The value is nil for the name of a
// property.
type pair struct{ schema, value *jsontree.Node }

// cost returns the steps of one schema for one value. Reaching a pair that is
// still being counted means a reference cycle.
func (e *estimate) cost(s, v *jsontree.Node) int {
	if s == nil || s.Kind != jsontree.Object {
		return 1
	}
	key := pair{s, v}
	if cost, ok := e.known[key]; ok {
		return cost
	}
	if e.spent += 1 + len(s.Members); e.spent > maxPairs || e.opaque(s) {
		return unbounded
	}
	e.known[key] = unbounded
	sum := 1 + e.inPlace(s, v) + e.children(s, v)
	e.known[key] = min(sum, unbounded)
	return e.known[key]
}

// opaque reports whether a schema has references that the estimate cannot
// follow.
func (e *estimate) opaque(s *jsontree.Node) bool {
	for _, keyword := range dynamicReferences {
		if s.Get(keyword) != nil {
			return true
		}
	}
	_, id := s.Get("$id").Text()
	_, legacyID := s.Get("id").Text()
	return s != e.root && (id || legacyID)
}

// The keywords of JSON Schema that apply subschemas.
var (
	dynamicReferences = []string{"$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor"}
	inPlaceKeywords   = []string{"not", "if", "then", "else"}
	inPlaceLists      = []string{"allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"}
	childLists        = []string{"patternProperties", "prefixItems", "items"}
	eachChild         = []string{
		"additionalProperties", "unevaluatedProperties",
		"items", "additionalItems", "contains", "unevaluatedItems",
	}
)

// inPlace returns the cost of the subschemas that apply to the value itself.
func (e *estimate) inPlace(s, v *jsontree.Node) int {
	sum := len(nodes(s.Get("enum"))) + e.pattern(s.Get("pattern"), v)
	for _, keyword := range inPlaceKeywords {
		if s.Get(keyword) != nil {
			sum += e.cost(s.Get(keyword), v)
		}
	}
	for _, keyword := range inPlaceLists {
		for _, sub := range nodes(s.Get(keyword)) {
			sum = min(sum+e.cost(sub, v), unbounded)
		}
	}
	if ref := s.Get("$ref"); ref != nil {
		target := resolve(e.root, ref.Str())
		if target == nil {
			return unbounded
		}
		sum += e.cost(target, v)
	}
	return min(sum, unbounded)
}

// children returns the cost of the subschemas that apply to members and items.
func (e *estimate) children(s, v *jsontree.Node) int {
	children := nodes(v)
	sum := len(children)
	for _, p := range s.Get("properties").Entries() {
		if child := v.Get(p.Key); child != nil {
			sum += e.cost(p.Value, child)
		}
	}
	var each []*jsontree.Node
	for _, keyword := range childLists {
		each = append(each, nodes(s.Get(keyword))...)
	}
	for _, keyword := range eachChild {
		each = append(each, s.Get(keyword))
	}
	for _, child := range children {
		for _, sub := range each {
			sum = min(sum+e.cost(sub, child), unbounded)
		}
	}
	return min(sum+e.names(s, v), unbounded)
}

// names returns the cost of the subschemas that apply to the names of members.
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

// pattern returns the cost of matching v: the steps of Go's regexp are
// proportional to the size of its program times the length of the text.
func (e *estimate) pattern(p, v *jsontree.Node) int {
	expr, ok := p.Text()
	if !ok || v != nil && v.Kind != jsontree.String {
		return 0
	}
	length := e.text
	if v != nil {
		length = v.End - v.Start
	}
	return program(expr) * (length + 1) / 100
}

// program returns the number of instructions of a compiled pattern, which
// repetition makes much larger than its text.
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
