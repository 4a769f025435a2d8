package form

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// building makes the fields of one schema. Both bounds are for the whole form.
type building struct {
	root  *jsontree.Node
	left  int // weight that may still be built, see MaxWeight
	steps int // schemas that were simplified

	inside bool // the next field is a row or an alternative
}

// The bounds of simplifying schemas.
const (
	maxSteps        = 2000
	maxHops         = 10   // references and merges of one schema
	maxReference    = 1000 // bytes of a $ref
	maxAlternatives = 20
	maxKeywords     = 100  // of one schema
	maxRequired     = 1000 // names of one list
)

// simple is a schema without references, allOf and null, and the parts that
// were split off.
type simple struct {
	schema       *jsontree.Node
	nullable     bool
	alternatives []*jsontree.Node // at least two, or none
	origin       []int            // places of the alternatives that are not null
	reason       string           // why it cannot be simplified; empty if it can
}

// The reasons for a JSON field that come from its keywords.
const (
	severalSchemas = "JSON: matches several schemas at once."
	lostReference  = "JSON: the schema is a reference that can't be followed."
)

// simplify follows references inside the document, merges allOf where no
// keyword occurs twice, and splits off null and alternatives.
func (b *building) simplify(s *jsontree.Node) simple {
	out := simple{schema: s}
	for range maxHops {
		s = out.schema
		if b.steps++; b.steps > maxSteps || s != nil && len(s.Members) > maxKeywords {
			out.reason = "JSON: the schema is too complex."
			return out
		}
		switch {
		case s == nil || s.Kind != jsontree.Object:
			out.reason = "JSON: any value, because the schema is not an object."
			return out
		case s.Get("$ref") != nil:
			out.follow(b.root)
		case s.Get("allOf") != nil:
			out.mergeAll(s.Get("allOf"))
		case s.Get("type") != nil && s.Get("type").Kind == jsontree.Array:
			out.splitTypes(s.Get("type").Items)
		case hasNull(s.Get("enum")):
			out.nullable = true
			out.set("enum", withoutNull(s.Get("enum")))
		case s.Get("anyOf") != nil:
			out.split("anyOf")
		case s.Get("oneOf") != nil && !constants(s.Get("oneOf").Items):
			out.split("oneOf")
		default:
			return out
		}
		if out.reason != "" || len(out.alternatives) > 0 {
			return out
		}
	}
	out.reason = lostReference
	return out
}

// follow replaces a reference by its target. Keywords beside it win if they
// only describe.
func (o *simple) follow(root *jsontree.Node) {
	ref := o.schema.Get("$ref").Str()
	var target *jsontree.Node
	if len(ref) <= maxReference {
		target = resolve(root, ref)
	}
	if target == nil || target.Kind != jsontree.Object {
		o.reason = lostReference
		return
	}
	o.merge(without(o.schema, "$ref"), target)
}

func (o *simple) mergeAll(list *jsontree.Node) {
	base := without(o.schema, "allOf")
	if len(list.Items) > maxAlternatives {
		o.reason = severalSchemas
	}
	for _, part := range list.Items {
		if o.reason != "" {
			return
		}
		o.merge(base, part)
		base = o.schema
	}
	o.schema = base
}

// merge sets the schema to a with the keywords of b.
func (o *simple) merge(a, b *jsontree.Node) {
	if merged := merged(a, b); merged != nil {
		o.schema = merged
		return
	}
	o.reason = severalSchemas
}

// merged returns a schema with the keywords of both, or nil if one occurs in
// both and the two cannot be combined.
func merged(a, b *jsontree.Node) *jsontree.Node {
	if b.Kind != jsontree.Object || len(b.Members) > maxKeywords {
		return nil
	}
	out := &jsontree.Node{Kind: jsontree.Object, Members: slices.Clone(a.Members)}
	for _, m := range b.Members {
		mine := a.Get(m.Key)
		if mine == nil {
			out.Members = append(out.Members, m)
			continue
		}
		value := combined(m.Key, mine, m.Value)
		if value == nil {
			return nil
		}
		setMember(out, m.Key, value)
	}
	return out
}

// combined returns the value of a keyword that two schemas have, or nil. Of
// words that only describe, the first are kept.
func combined(key string, a, b *jsontree.Node) *jsontree.Node {
	switch key {
	case "title", "description", "default", "examples", "$schema", "$comment", "deprecated", "$defs",
		"definitions":
		return a
	case "required":
		if len(a.Items)+len(b.Items) > maxRequired {
			return nil
		}
		return &jsontree.Node{Kind: jsontree.Array, Items: slices.Concat(a.Items, b.Items)}
	case "properties":
		if len(a.Members)+len(b.Members) > MaxProperties {
			return nil
		}
		for _, m := range b.Members {
			if a.Has(m.Key) {
				return nil
			}
		}
		return &jsontree.Node{Kind: jsontree.Object, Members: slices.Concat(a.Members, b.Members)}
	case "type":
		if a.Str() != "" && a.Str() == b.Str() {
			return a
		}
	}
	return nil
}

// splitTypes splits a list of types.
func (o *simple) splitTypes(types []*jsontree.Node) {
	var rest []*jsontree.Node
	for _, t := range types {
		if t.Str() == "null" {
			o.nullable = true
			continue
		}
		rest = append(rest, t)
	}
	switch {
	case len(rest) == 1:
		o.set("type", rest[0])
		return
	case len(rest) == 0 || len(rest) > maxAlternatives:
		o.reason = severalTypes(o.schema.Get("type"))
		return
	}
	bare := without(o.schema, describing...)
	for _, t := range rest {
		alternative := &jsontree.Node{Kind: jsontree.Object, Members: slices.Clone(bare.Members)}
		setMember(alternative, "type", t)
		o.alternatives = append(o.alternatives, alternative)
	}
}

// describing are the keywords that stay with a schema, not with its
// alternatives.
var describing = []string{"title", "description", "default", "examples"}

// split splits anyOf or oneOf.
func (o *simple) split(keyword string) {
	list := o.schema.Get(keyword).Items
	base := without(o.schema, keyword)
	var rest []*jsontree.Node
	o.origin = nil
	for i, n := range list {
		if isNull(n) {
			o.nullable = true
			continue
		}
		rest, o.origin = append(rest, n), append(o.origin, i)
	}
	switch {
	case len(rest) == 0 || len(rest) > maxAlternatives:
		o.reason = "JSON: matches one of several schemas."
	case len(rest) == 1:
		o.merge(base, rest[0])
	case constants(rest):
		o.schema = base
		o.set("oneOf", &jsontree.Node{Kind: jsontree.Array, Items: rest})
	default:
		bare := without(base, describing...)
		for _, n := range rest {
			both := merged(n, bare)
			if n.Kind != jsontree.Object || both == nil {
				both = n
			}
			o.alternatives = append(o.alternatives, both)
		}
	}
}

// set replaces a keyword of the schema.
func (o *simple) set(key string, value *jsontree.Node) {
	changed := &jsontree.Node{Kind: jsontree.Object, Members: slices.Clone(o.schema.Members)}
	setMember(changed, key, value)
	o.schema = changed
}

func setMember(n *jsontree.Node, key string, value *jsontree.Node) {
	n.Members = slices.DeleteFunc(n.Members, func(m jsontree.Member) bool { return m.Key == key })
	n.Members = append(n.Members, jsontree.Member{Key: key, Value: value})
}

func without(s *jsontree.Node, keys ...string) *jsontree.Node {
	members := slices.DeleteFunc(slices.Clone(s.Members),
		func(m jsontree.Member) bool { return slices.Contains(keys, m.Key) })
	return &jsontree.Node{Kind: jsontree.Object, Members: members}
}

func hasNull(list *jsontree.Node) bool {
	return list != nil && len(list.Items) > 1 && slices.ContainsFunc(list.Items, isNullValue)
}

func withoutNull(list *jsontree.Node) *jsontree.Node {
	return &jsontree.Node{
		Kind: jsontree.Array, Items: slices.DeleteFunc(slices.Clone(list.Items), isNullValue),
	}
}

func isNullValue(n *jsontree.Node) bool { return n.Kind == jsontree.Null }

// isNull reports whether a schema allows null only.
func isNull(s *jsontree.Node) bool {
	value := s.Get("const")
	return s.Get("type").Str() == "null" || value != nil && value.Kind == jsontree.Null
}

// constants reports whether all schemas of a list are of one value.
func constants(list []*jsontree.Node) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(n *jsontree.Node) bool { return !n.Has("const") })
}

// alternativeLabel returns the name of an alternative in a select.
func alternativeLabel(original, s *jsontree.Node, f Field) string {
	if title := s.Get("title").Str(); title != "" {
		return title
	}
	if ref := original.Get("$ref").Str(); ref != "" && len(ref) <= maxReference {
		return ref[strings.LastIndexByte(ref, '/')+1:]
	}
	for _, part := range f.Fields {
		if f.Control == Group && part.Control == Choice && len(part.Options) == 1 {
			return part.Options[0].Label
		}
	}
	if names := s.Get("required").Elements(); f.Control == Group && len(names) > 0 {
		return "with " + names[0].Str()
	}
	switch s.Get("type").Str() {
	case "string":
		return "text"
	case "integer":
		return "whole number"
	case "boolean":
		return "yes or no"
	case "array":
		return "list"
	case "":
		return "JSON"
	}
	return s.Get("type").Str()
}
