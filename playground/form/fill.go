package form

import (
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// With returns the form with the submitted values in its controls, valid or
// not, so that no input is lost when the form is shown again.
func (f Form) With(entries Entries) Form {
	f.Fields = slices.Clone(f.Fields)
	left := MaxWeight
	for i := range f.Fields {
		f.Fields[i] = f.Fields[i].with(entries[i], &left)
	}
	return f
}

// Fill returns the form with the values of content, an object, in its controls.
// Properties that content does not have are empty, whatever the schema's
// default is. Members that no control can show are in Extra, with a Note at
// their field if they have one. Fill returns f if content is not an object.
func (f Form) Fill(content json.RawMessage) Form {
	root, err := jsontree.Parse(content, jsontree.Limits{})
	if err != nil || root.Kind != jsontree.Object {
		return f
	}
	f.Fields = slices.Clone(f.Fields)
	shown := make(map[string]bool, len(f.Fields))
	left := MaxWeight
	for i := range f.Fields {
		f.Fields[i] = f.Fields[i].clear()
		field := &f.Fields[i]
		value := root.Get(field.Property)
		if value == nil {
			continue
		}
		shown[field.Property] = field.show(value, &left)
		if !shown[field.Property] {
			field.Note = "The value does not fit this field, so it is not filled in."
		}
	}
	f.Extra = object(root, func(key string) bool { return !shown[key] })
	return f
}

// Keep returns content, an object that Read returned, with the members of
// before that have no field. So an edit in the form keeps what only JSON can
// enter. It returns content if before is not an object.
func (f Form) Keep(content, before json.RawMessage) json.RawMessage {
	root, err := jsontree.Parse(before, jsontree.Limits{})
	read, readErr := jsontree.Parse(content, jsontree.Limits{})
	if err != nil || readErr != nil || root.Kind != jsontree.Object {
		return content
	}
	var b builder
	for _, m := range read.Members {
		b.add(m.Key, json.RawMessage(m.Value.Raw()))
	}
	kept := false
	for _, m := range root.Members {
		if !f.Has(m.Key) && !read.Has(m.Key) {
			b.add(m.Key, json.RawMessage(m.Value.Raw()))
			kept = true
		}
	}
	if !kept {
		return content
	}
	return b.object()
}

// Has reports whether the form has a field for a property.
func (f Form) Has(property string) bool {
	return slices.ContainsFunc(f.Fields, func(field Field) bool { return field.Property == property })
}
