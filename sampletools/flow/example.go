package flow

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"
)

// Arguments returns arguments to call the flow with, made of the examples and
// defaults of its arguments.
func (f *Flow) Arguments() json.RawMessage { return encode(exampleOf(f.arguments)) }

// Answers returns an answer to the content of each form of a version before its task, by
// key, made of the examples and defaults of its fields. A task numbers its keys, so those
// of its forms are not known.
func (v *Version) Answers() json.RawMessage {
	all := map[string]any{}
	for _, s := range v.steps {
		if s.kind == Form {
			all[s.key] = exampleOf(s.fields)
		}
	}
	return encode(all)
}

// encode returns what came from JSON as JSON.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // cannot happen
		return json.RawMessage(`{}`)
	}
	return b
}

// formatExamples are values of the formats that client/elicitation allows.
var formatExamples = map[string]string{
	"email": "ada@example.com", "uri": "https://example.com/", "date": "2026-07-28",
	"date-time": "2026-07-28T12:00:00Z",
}

// placeholder returns a value that the schema of the field allows.
func (w writtenField) placeholder(t *typ, n nested) any {
	switch {
	case len(w.Enum) > 0:
		return w.Enum[0]
	case len(w.OneOf) > 0:
		return w.OneOf[0].Const
	case len(w.AnyOf) > 0:
		return w.AnyOf[0].Const
	}
	switch t.kind {
	case "number":
		number := 1.0
		if w.Maximum != nil {
			number = min(number, *w.Maximum)
		}
		if w.Minimum != nil {
			number = max(number, *w.Minimum)
		}
		if w.Type == "integer" {
			number = math.Ceil(number)
		}
		return number
	case "boolean":
		return true
	case "array":
		return w.items(n.item)
	case "object":
		return exampleOf(n.fields)
	}
	return cmp.Or(formatExamples[w.Format], w.text())
}

// items returns as many placeholders of the item as a list needs, at least one of a
// choice.
func (w writtenField) items(item field) []any {
	least := 0
	if item.choices != nil {
		least = 1
	}
	if w.MinItems != nil {
		least = max(least, int(min(*w.MinItems, maxChoices)))
	}
	list := []any{}
	for i := range least {
		switch {
		case item.choices == nil:
			list = append(list, item.placeholder)
		case i < len(item.choices):
			list = append(list, item.choices[i])
		}
	}
	return list
}

// text returns a text as long as the field needs.
func (w writtenField) text() string {
	word := "example"
	if w.MinLength != nil {
		if n := int(min(*w.MinLength, maxText)); n > len(word) {
			word = strings.Repeat(word, n/len(word)+1)[:n]
		}
	}
	if w.MaxLength != nil {
		word = word[:min(len(word), int(max(0, min(*w.MaxLength, maxText))))]
	}
	return word
}
