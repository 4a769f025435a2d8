package form

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// top returns the schema of the form itself, with its references followed.
func (b *building) top(root *jsontree.Node) *jsontree.Node {
	if root.Get("properties") != nil || root.Get("$ref") == nil && root.Get("allOf") == nil {
		return root
	}
	made := b.simplify(root)
	if made.reason != "" || made.nullable || isObjectSchema(made.schema) != nil {
		return root
	}
	return made.schema
}

// Keywords of an object that no field shows. The second are about members whose names
// the schema leaves open, which matters if there is no other.
var (
	conditionKeywords = []string{
		"anyOf", "oneOf", "allOf", "not", "if", "$ref", "$dynamicRef", "dependentSchemas", "dependencies",
	}
	openKeywords = []string{"patternProperties", "additionalProperties"}
)

// beyond returns Form.Beyond for the schema of a whole object.
func beyond(top *jsontree.Node, fieldless bool) string {
	var names []string
	for _, name := range conditionKeywords {
		if top.Has(name) {
			names = append(names, name)
		}
	}
	for _, name := range openKeywords {
		if fieldless && top.Get(name).Len() > 0 {
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case fieldless:
		return "No field can show this schema (" + strings.Join(names, ", ") +
			"). Enter the whole object as JSON."
	}
	return "The schema has conditions that no field shows (" + strings.Join(names, ", ") +
		"). What they need beyond these fields can be entered as JSON."
}

// nest gives a field of a schema that has no flat control one with parts, if
// there is one, else a JSON control. It returns the schema that the control is
// for.
func (b *building) nest(f *Field, s *jsontree.Node, depth int, inside bool) *jsontree.Node {
	made := b.simplify(s)
	if made.reason != "" {
		f.Control, f.Reason = JSON, made.reason
		return s
	}
	f.Help = cmp.Or(f.Help, made.schema.Get("description").Str())
	f.Control, f.Reason, f.origin = "", "", made.origin
	if len(made.alternatives) > 0 {
		b.oneOf(f, made, deeper(depth, inside))
	} else {
		b.parts(f, made.schema, depth, inside)
	}
	if b.left <= 0 {
		f.Control, f.Fields, f.row, f.Options = JSON, nil, nil, nil
		f.Reason = "JSON: the form has too many fields."
	}
	if f.Control == JSON {
		b.skeletonOf(f, made.schema)
		return made.schema
	}
	f.Reason = ""
	f.setNullable(made.nullable)
	f.Rows = f.firstRows()
	return made.schema
}

// setNullable lets the user choose null. A tick has no blank state to mean it.
func (f *Field) setNullable(yes bool) {
	if f.Nullable = yes; yes && f.Control == Checkbox {
		f.Control = Toggle
	}
}

// parts sets the control of a schema without alternatives.
func (b *building) parts(f *Field, s *jsontree.Node, depth int, inside bool) {
	if tooManyOptions(s) || tooManyOptions(s.Get("items")) {
		f.Control, f.Reason = JSON, "JSON: has too many values to choose from."
		return
	}
	if f.setControl(s, arguments); f.Control != JSON {
		return
	}
	f.Options = nil
	items, tuple := s.Get("items"), s.Get("prefixItems")
	if items != nil && items.Kind == jsontree.Array { // before 2020-12
		items, tuple = nil, items
	}
	members := s.Get("additionalProperties")
	isObject := s.Get("type").Str() == "object" || s.Get("type") == nil && s.Has("properties")
	isArray := s.Get("type").Str() == "array" || s.Get("type") == nil && (s.Has("items") || tuple != nil)
	switch {
	case isObject && len(s.Get("properties").Entries()) > 0:
		b.group(f, s, depth)
	case isObject && isSchema(members):
		b.rows(f, Map, members, deeper(depth, inside))
	case isArray && len(tuple.Elements()) > 0:
		b.tuple(f, tuple.Items, s, depth)
	case isArray && isSchema(items):
		b.rows(f, List, items, deeper(depth, inside))
		f.MinItems, f.MaxItems = count(s.Get("minItems")), count(s.Get("maxItems"))
	}
}

// deeper returns the depth of a control with rows or alternatives. As a row or
// an alternative itself it is one level deeper.
func deeper(depth int, inside bool) int {
	if inside {
		return depth + 1
	}
	return depth
}

func tooManyOptions(s *jsontree.Node) bool {
	for _, keyword := range []string{"enum", "oneOf", "anyOf"} {
		if s.Get(keyword).Len() > MaxOptions {
			return true
		}
	}
	return false
}

// isSchema reports whether s restricts its values.
func isSchema(s *jsontree.Node) bool {
	return s != nil && s.Kind == jsontree.Object && len(s.Members) > 0
}

// tooDeep makes f a JSON field if its parts were deeper than MaxDepth.
func (f *Field) tooDeep(depth int) bool {
	if depth <= MaxDepth {
		return false
	}
	f.Control, f.Reason = JSON, "JSON: nested more than "+strconv.Itoa(MaxDepth)+" levels deep."
	return true
}

func (b *building) group(f *Field, s *jsontree.Node, depth int) {
	list := properties(s)
	if f.tooDeep(depth+1) || len(list) > MaxProperties {
		return
	}
	f.Control = Group
	names := required(s)
	for _, m := range list {
		if b.left <= 0 {
			return
		}
		f.Fields = append(f.Fields, b.newField(m, arguments, names[m.Key], depth+1))
	}
}

func (b *building) tuple(f *Field, list []*jsontree.Node, s *jsontree.Node, depth int) {
	more := s.Get("items")
	if more != nil && more.Kind == jsontree.Array {
		more = s.Get("additionalItems")
	}
	if f.tooDeep(depth+1) || len(list) > maxAlternatives || isSchema(more) {
		return
	}
	f.Control = Tuple
	for i, item := range list {
		m := jsontree.Member{Key: strconv.Itoa(i + 1), Value: item}
		f.Fields = append(f.Fields, b.newField(m, arguments, i < count(s.Get("minItems")), depth+1))
	}
}

// rows makes f a List or Map. A row has the depth of its list, so that a list
// of objects is one level; a list in a list is two.
func (b *building) rows(f *Field, c Control, items *jsontree.Node, depth int) {
	if f.tooDeep(depth) {
		return
	}
	b.inside = true
	row := b.newField(jsontree.Member{Value: items}, arguments, false, depth)
	f.Control, f.row = c, &row
}

func (b *building) oneOf(f *Field, made simple, depth int) {
	if f.tooDeep(depth) {
		return
	}
	f.Control = OneOf
	for i, s := range made.alternatives {
		if b.left <= 0 {
			return
		}
		b.inside = true
		part := b.newField(jsontree.Member{Value: s}, arguments, true, depth)
		label := alternativeLabel(s, s, part)
		part.Label, part.Help = label, s.Get("description").Str()
		f.Options = append(f.Options, Option{strconv.Itoa(i), label})
		f.Fields = append(f.Fields, part)
	}
}

// firstRows returns the rows that a list has before it is filled in: a blank
// one, if it would be left out.
func (f Field) firstRows() []Row {
	if f.Control != List && f.Control != Map {
		return nil
	}
	if len(f.row.Fields) > 0 && !f.Required {
		return nil
	}
	row := *f.row
	if raw := (&reading{}).field(&row, ""); raw != nil {
		return nil
	}
	return []Row{{Field: row}}
}

// nested reports whether the field has parts.
func (f Field) nested() bool {
	return slices.Contains([]Control{Group, Tuple, List, Map, OneOf}, f.Control)
}

// Nested reports whether the form has a field with parts.
func (f Form) Nested() bool {
	return slices.ContainsFunc(f.Fields, func(f Field) bool { return f.nested() || f.AsText })
}

// NewRow returns a blank row of a List or Map.
func (f Field) NewRow() Row { return Row{Field: *f.row} }

// Chosen returns the index of the alternative that is chosen, or -1.
func (f Field) Chosen() int {
	if f.Control != OneOf || len(f.Value) == 0 {
		return -1
	}
	i, err := strconv.Atoi(f.Value[0])
	if err != nil || i < 0 || i >= len(f.Fields) {
		return -1
	}
	return i
}

// All returns the field and all its parts: also the alternatives that are not
// chosen, and the parts of a new row.
func (f Field) All() []Field {
	list := []Field{f}
	for _, part := range f.Fields {
		list = append(list, part.All()...)
	}
	if f.row != nil {
		list = append(list, f.row.All()...)
	}
	return list
}
