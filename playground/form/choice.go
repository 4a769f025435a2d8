package form

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// hasOptions tells whether a schema lists its values: enum, oneOf of consts
// (titled), or a lone const, which is a list of one.
func hasOptions(s *jsontree.Node) bool {
	return s.Get("enum") != nil || s.Get("oneOf") != nil || s.Get("const") != nil
}

// choice makes a select. Only string values are in the subset of a question; a
// tool's numbers become a select too, their Value the JSON text. A missing type
// is tolerated, because the values say it.
func (f *Field) choice(s *jsontree.Node, d dialect) []string {
	options, keyword := listed(s)
	kind := jsontree.String
	if t := s.Get("type").Str(); t == "number" || t == "integer" {
		kind = jsontree.Number
	} else if t != "string" && t != "" {
		return f.asJSON("It lists values of the type " + clip(t, 20) + ".")
	}
	if kind == jsontree.Number && d == question {
		return f.asJSON("It lists numbers, which a question may not do.")
	}
	if !f.setOptions(options, kind) {
		return f.asJSON("Its values cannot be listed.")
	}
	f.Control, f.numeric = Choice, kind == jsontree.Number
	f.rename(s.Get("enumNames"))
	return []string{keyword, "enumNames"}
}

// choices makes checkboxes of an array whose items list their values; every
// other array has no control.
func (f *Field) choices(s *jsontree.Node) []string {
	items := s.Get("items")
	if items == nil || items.Kind != jsontree.Object {
		return f.asJSON("It is a list of anything.")
	}
	options, keyword := listed(items)
	if t := items.Get("type"); keyword == "" || t != nil && t.Str() != "string" {
		return f.asJSON("It is a list whose values are not given.")
	}
	if items.Get(keyword).Kind != jsontree.Array || !f.setOptions(options, jsontree.String) {
		return f.asJSON("Its values cannot be listed.")
	}
	f.Control = Choices
	f.MinItems, f.MaxItems = count(s.Get("minItems")), count(s.Get("maxItems"))
	f.rename(items.Get("enumNames"))
	return []string{"items", "minItems", "maxItems", "uniqueItems"}
}

// listed finds the values of a schema with their titles, and the keyword that
// lists them. Titled single choices stand in oneOf, titled multiple ones in
// anyOf (client/elicitation, "Enum Schema").
func listed(s *jsontree.Node) ([]listedValue, string) {
	for _, keyword := range []string{"enum", "oneOf", "anyOf", "const"} {
		node := s.Get(keyword)
		switch {
		case node == nil:
		case keyword == "const":
			return []listedValue{{value: node}}, keyword
		case keyword == "enum":
			return untitled(node.Items), keyword
		default:
			return titled(node.Items), keyword
		}
	}
	return nil, ""
}

type listedValue struct {
	value *jsontree.Node
	title string
}

func untitled(items []*jsontree.Node) []listedValue {
	var list []listedValue
	for _, n := range items {
		list = append(list, listedValue{value: n})
	}
	return list
}

func titled(items []*jsontree.Node) []listedValue {
	var list []listedValue
	for _, n := range items {
		list = append(list, listedValue{value: n.Get("const"), title: n.Get("title").Str()})
	}
	return list
}

// setOptions fills Options; false when there are none or one is not of kind.
func (f *Field) setOptions(list []listedValue, kind jsontree.Kind) bool {
	for _, v := range list {
		if v.value == nil || v.value.Kind != kind {
			return false
		}
		o := Option{Value: wireText(v.value), Label: v.title}
		if o.Label == "" {
			o.Label = o.Value
		}
		f.Options = append(f.Options, o)
	}
	return len(list) > 0
}

// rename takes the titles of the legacy keyword enumNames, which stand in the
// order of enum; missing ones keep the value.
func (f *Field) rename(names *jsontree.Node) {
	if names == nil {
		return
	}
	for i, n := range names.Items {
		if i < len(f.Options) && n.Str() != "" {
			f.Options[i].Label = n.Str()
		}
	}
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }
