package form

import (
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// hasOptions reports whether a schema lists its values: with enum, with oneOf
// of (titled) consts, or with a single const.
func hasOptions(s *jsontree.Node) bool {
	return s.Get("enum") != nil || s.Get("oneOf") != nil || s.Get("const") != nil
}

// choice makes f a select. Questions may list strings only; a tool may also
// list numbers, whose Value is their JSON text. A missing type is tolerated,
// because the values have one.
func (f *Field) choice(s *jsontree.Node, d dialect) []string {
	options, keyword := listed(s)
	kind := jsontree.String
	if t := s.Get("type").Str(); t == "number" || t == "integer" {
		kind = jsontree.Number
	} else if t != "string" && t != "" {
		return f.asJSON("JSON: lists values of the type " + text.Visible(t, 20) + ".")
	}
	if kind == jsontree.Number && d == question {
		return f.asJSON("JSON: lists numbers, which a question must not do.")
	}
	if !f.setOptions(options, kind) {
		return f.asJSON(unlisted(options))
	}
	f.Control, f.numeric = Choice, kind == jsontree.Number
	f.setLabels(s.Get("enumNames"))
	return []string{keyword, "enumNames"}
}

// choices makes f checkboxes if the schema is an array whose items list their
// values. Other arrays have no control.
func (f *Field) choices(s *jsontree.Node) []string {
	items := s.Get("items")
	if items == nil || items.Kind != jsontree.Object {
		return f.asJSON(arrayReason)
	}
	options, keyword := listed(items)
	if t := items.Get("type"); keyword == "" || t != nil && t.Str() != "string" {
		return f.asJSON(arrayReason)
	}
	if items.Get(keyword).Kind != jsontree.Array || !f.setOptions(options, jsontree.String) {
		return f.asJSON(unlisted(options))
	}
	f.Control = Choices
	f.MinItems, f.MaxItems = count(s.Get("minItems")), count(s.Get("maxItems"))
	f.setLabels(items.Get("enumNames"))
	return []string{"items", "minItems", "maxItems", "uniqueItems"}
}

// unlisted returns the Reason for a list of values that is empty or mixes types.
func unlisted(list []listedValue) string {
	if len(list) == 0 {
		return "JSON: the list of values is empty."
	}
	return "JSON: the listed values have no common type."
}

// listed returns the values that a schema lists, with their titles, and the
// keyword that lists them. Titled single choices are in oneOf, titled multiple
// choices in anyOf (client/elicitation, "Enum Schema").
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
		list = append(list, listedValue{n.Get("const"), n.Get("title").Str()})
	}
	return list
}

// setOptions fills Options. It returns false if there are none or one is not of
// kind.
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

// setLabels sets the labels from the legacy keyword enumNames, which is in the
// order of enum. Options without a name keep their label.
func (f *Field) setLabels(names *jsontree.Node) {
	if names == nil {
		return
	}
	for i, n := range names.Items {
		if i < len(f.Options) && n.Str() != "" {
			f.Options[i].Label = n.Str()
		}
	}
}
