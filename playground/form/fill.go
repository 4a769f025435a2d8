package form

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// With is the form as it was sent: what was typed stands in the controls, also
// when it is wrong, so that a refused page loses nothing.
func (f Form) With(values url.Values, prefix string) Form {
	f.Fields = slices.Clone(f.Fields)
	for i := range f.Fields {
		f.Fields[i].Value = slices.Clone(values[Name(prefix, i)])
		f.Fields[i].Empty = values.Get(EmptyName(prefix, i)) == "true"
	}
	return f
}

// Fill is the form with the values of content, an object, in its controls;
// what content does not have is empty, whatever the schema's default. Members
// that no control can show are kept in Extra, and noted at their field if they
// have one. Anything but an object fills nothing.
func (f Form) Fill(content json.RawMessage) Form {
	root, err := jsontree.Parse(content, jsontree.Limits{})
	if err != nil || root.Kind != jsontree.Object {
		return f
	}
	f.Fields = slices.Clone(f.Fields)
	shown := make(map[string]bool, len(f.Fields))
	for i := range f.Fields {
		field := &f.Fields[i]
		field.Value, field.Empty = nil, false
		value := root.Get(field.Property)
		if value == nil {
			continue
		}
		shown[field.Property] = field.show(value)
		if !shown[field.Property] {
			field.Note = "The given value does not fit this field, so it is not filled in."
		}
	}
	f.Extra = object(root, func(key string) bool { return !shown[key] })
	return f
}
