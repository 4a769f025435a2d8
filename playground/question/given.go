package question

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Given returns the value for the question among answers that were given in
// advance, by key, and false if there is none. A legacy server gives no keys:
// there an answer is named by a field of the question, by its method, or found
// by its members. Values are in the form of FromJSON.
func (f Form) Given(answers map[string]json.RawMessage) (json.RawMessage, bool) {
	value, _, ok := f.given(answers)
	return value, ok
}

// given is Given, and returns the keys of the used answers.
func (f Form) given(answers map[string]json.RawMessage) (value json.RawMessage, keys []string, ok bool) {
	if value, ok := answers[f.Key]; ok {
		return value, []string{f.Key}, true
	}
	if f.Name == "" { // a modern server's key is the only name
		return nil, nil, false
	}
	if value, keys := f.namedByField(answers); len(keys) > 0 {
		return value, keys, true
	}
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		if f.fits(answers[name]) {
			return answers[name], []string{name}, true
		}
	}
	value, ok = answers[f.Method]
	return value, []string{f.Method}, ok
}

// Suggest returns the draft with answers that were given in advance as
// suggestions of its fields; see form.Suggest.
func (d Draft) Suggest(answers map[string]json.RawMessage) Draft {
	forms := slices.Clone(d.Forms)
	for i, f := range forms {
		if value, ok := f.Given(answers); ok {
			forms[i].Fields = f.Fields.Suggest(value)
		}
	}
	return Draft{Forms: forms, Answers: d.Answers}
}

// namedByField returns an answer whose name is a field of the question: the
// content, or the values of the fields. keys are those that it has used.
func (f Form) namedByField(answers map[string]json.RawMessage) (answer json.RawMessage, keys []string) {
	var values []jsontree.Pair
	for _, field := range f.Fields.Fields {
		value, ok := answers[field.Property]
		node, err := jsontree.Parse(value, jsontree.Limits{})
		switch {
		case !ok || err != nil:
		case node.Kind == jsontree.Object:
			return value, []string{field.Property}
		default:
			keys = append(keys, field.Property)
			values = append(values, jsontree.Pair{Key: field.Property, Value: value})
		}
	}
	return jsontree.ObjectOf(values...), keys
}

// fits reports whether a value is an answer to a question like this one: all
// members of its content are fields, or it has the member of the method's
// result.
func (f Form) fits(value json.RawMessage) bool {
	node, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return false
	}
	switch f.Kind {
	case KindSampling:
		return node.Has("role")
	case KindRoots:
		return node.Has("roots")
	case KindForm:
		content := node
		if node.Has("action") {
			content = node.Get("content")
		}
		return content.Len() > 0 && !slices.ContainsFunc(content.Members, func(m jsontree.Member) bool {
			return !slices.ContainsFunc(f.Fields.Fields,
				func(field form.Field) bool { return field.Property == m.Key })
		})
	}
	return false
}

// Unanswerable returns the property of a required boolean without a default,
// which a program must not answer for its user, or "" if there is none.
func (f Form) Unanswerable() string {
	for _, field := range f.Fields.Fields {
		if field.Control == form.Checkbox && field.Required && len(field.Value) == 0 {
			return field.Property
		}
	}
	return ""
}

// Preset returns the form with the value of a boolean field filled in.
func (f Form) Preset(property string, value bool) Form {
	f.Fields.Fields = slices.Clone(f.Fields.Fields)
	for i, field := range f.Fields.Fields {
		if field.Property == property {
			f.Fields.Fields[i].Value = []string{strconv.FormatBool(value)}
		}
	}
	return f
}
