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
