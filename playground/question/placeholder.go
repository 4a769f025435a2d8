package question

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Placeholder returns an answer without asking the user: with the schema's
// defaults, else with the least that the schema allows. It fails if the schema
// allows none of that.
func (f Form) Placeholder() (playground.Answer, error) {
	in := f.input()
	if f.Kind == KindSampling {
		f.standIn(&in)
	}
	for i, field := range f.Fields.Fields {
		in.Fields[i] = placeholderEntry(field)
	}
	f.Problems = nil
	value := json.RawMessage(f.JSON)
	if !f.Raw {
		value = f.readFields(in)
	}
	if len(f.Problems) > 0 {
		return playground.Answer{}, fmt.Errorf("no placeholder answer for %q: %s", f.Key, f.Problems[0].Text)
	}
	return playground.Answer{Key: f.Key, Value: value}, nil
}

// IsPlaceholder reports whether an answer is the one of Placeholder and has a
// value that neither the user nor a default of the schema gave.
func (f Form) IsPlaceholder(value json.RawMessage) bool {
	return f.invents() && f.equalsPlaceholder(value)
}

func (f Form) equalsPlaceholder(value json.RawMessage) bool {
	made, err := f.Placeholder()
	if err != nil {
		return false
	}
	a, err := jsontree.Parse(made.Value, jsontree.Limits{})
	b, failed := jsontree.Parse(value, jsontree.Limits{})
	return err == nil && failed == nil && jsontree.Equal(a, b)
}

// invents reports whether a placeholder answer has a value that is made up.
func (f Form) invents() bool {
	if f.Kind != KindForm {
		return f.Kind == KindSampling || f.Kind == KindRaw
	}
	return f.FormErr != nil || slices.ContainsFunc(f.Fields.Fields,
		func(field form.Field) bool { return field.Required && len(field.Value) == 0 })
}

// PlaceholderArguments returns arguments to begin with for a tool: the examples
// or defaults of its inputSchema, else the least that it allows for required
// members. It returns the empty object if no form can be made of the schema.
func PlaceholderArguments(schema json.RawMessage) json.RawMessage {
	made, err := form.Arguments(schema)
	if err != nil {
		return json.RawMessage("{}")
	}
	entries := form.Entries{}
	for i, f := range made.Fields {
		entries[i] = placeholderEntry(f)
		switch {
		case f.Placeholder == "" || !f.Required:
		case hasParts(f):
			entries[i] = form.Entry{JSON: f.Placeholder}
		default:
			entries[i] = form.Entry{Values: []string{f.Placeholder}}
		}
	}
	content, _ := made.Content(entries) // the user sees problems before sending
	return content
}

func hasParts(f form.Field) bool {
	return slices.Contains([]form.Control{form.Group, form.Tuple, form.List, form.Map, form.OneOf}, f.Control)
}

// placeholderEntry returns the entry for a field with its parts.
func placeholderEntry(f form.Field) form.Entry {
	e := f.Entry()
	if !f.Required || f.AsText {
		return e
	}
	switch f.Control {
	case form.Group, form.Tuple:
		for i, part := range f.Fields {
			e.Parts[i] = placeholderEntry(part)
		}
	case form.OneOf:
		if len(f.Value) == 0 {
			e = form.Entry{Values: []string{"0"}, Parts: form.Entries{0: placeholderEntry(f.Fields[0])}}
		}
	case form.List:
		for i := len(f.Rows); i < min(f.MinItems, form.MaxRows); i++ {
			e.Rows = append(e.Rows, i)
		}
		for i := range min(len(e.Rows), f.MinItems) {
			row := f.NewRow().Field
			row.Required = true
			e.Parts[i] = placeholderEntry(row)
		}
	case form.Map:
	default:
		e.Values = placeholderValues(f)
	}
	return e
}

func placeholderValues(f form.Field) []string {
	if len(f.Value) > 0 || !f.Required {
		return f.Value
	}
	switch f.Control {
	case form.Checkbox:
		return []string{"true"}
	case form.Choice:
		return optionValues(f, 1)
	case form.Choices:
		return optionValues(f, max(1, f.MinItems))
	case form.Number:
		return []string{cmp.Or(f.Min, smaller("1", f.Max))}
	case form.JSON:
		return []string{"null"}
	}
	return []string{placeholderText(f)}
}

func optionValues(f form.Field, n int) []string {
	var values []string
	for _, o := range f.Options[:min(n, len(f.Options))] {
		values = append(values, o.Value)
	}
	return values
}

func placeholderText(f form.Field) string {
	switch f.Input {
	case "email":
		return "person@example.com"
	case "url":
		return "https://example.com/"
	case "date":
		return "2026-07-28"
	case "datetime-local":
		return "2026-07-28T12:00:00"
	}
	text := "text"
	if missing := f.MinLength - len(text); missing > 0 {
		text += strings.Repeat("t", missing)
	}
	if f.MaxLength > 0 {
		text = text[:min(len(text), f.MaxLength)]
	}
	return text
}

// smaller returns a, unless the limit b is below it.
func smaller(a, b string) string {
	if strings.HasPrefix(b, "-") || b == "0" {
		return b
	}
	return a
}
