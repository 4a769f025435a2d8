package question

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Placeholder answers a prompt without a person: with the schema's defaults, else
// with the least that the schema takes. It fails when the schema takes none of
// that.
func (p Form) Placeholder() (playground.Answer, error) {
	values := p.typed()
	if p.Kind == KindSampling {
		values.Set(".text", "No model is connected here; this text stands in for its answer.")
	}
	for i, f := range p.Fields.Fields {
		values[form.Name("", i)] = placeholderValues(f)
	}
	p.Problems = nil
	value := p.placeholderValue(values)
	if len(p.Problems) > 0 {
		return playground.Answer{}, fmt.Errorf("no stand-in for %q: %s", p.Key, p.Problems[0].Text)
	}
	return playground.Answer{Key: p.Key, Value: value}, nil
}

// PlaceholderArguments are arguments to begin with for a tool: what its inputSchema
// gives as an example or default, else the least that it takes of what it
// requires. It is the empty object when no form can be made of the schema.
func PlaceholderArguments(schema json.RawMessage) json.RawMessage {
	made, err := form.Arguments(schema)
	if err != nil {
		return json.RawMessage("{}")
	}
	values := url.Values{}
	for i, f := range made.Fields {
		switch {
		case f.Placeholder != "" && f.Required:
			values.Set(form.Name("", i), f.Placeholder)
		default:
			values[form.Name("", i)] = placeholderValues(f)
		}
	}
	content, _ := made.Content("", values) // whoever sends it sees what may be wrong with it
	return content
}

func (p *Form) placeholderValue(values url.Values) json.RawMessage {
	if p.Raw {
		return json.RawMessage(p.JSON)
	}
	return p.readFields("", values)
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

// smaller is a, unless the limit b is given and below it.
func smaller(a, b string) string {
	if strings.HasPrefix(b, "-") || b == "0" {
		return b
	}
	return a
}

// FromJSON makes a response of what somebody wrote for a prompt beforehand: a
// whole answer as the wire has it, or just the content of an accepted form.
func (p Form) FromJSON(value json.RawMessage) (playground.Answer, error) {
	node, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return playground.Answer{}, fmt.Errorf("answer to %q: %w", p.Key, err)
	}
	whole := node.Has("action") || node.Has("role") || node.Has("roots") || p.Kind != KindForm
	if whole {
		return playground.Answer{Key: p.Key, Value: value}, nil
	}
	if problems := p.Fields.Validate(value); p.FormErr == nil && len(problems) > 0 {
		return playground.Answer{}, fmt.Errorf("answer to %q: %s", p.Key, problems[0].Text)
	}
	content := jsontree.ObjectOf(jsontree.Pair{Key: "action", Value: json.RawMessage(`"accept"`)}, jsontree.Pair{Key: "content", Value: value})
	return playground.Answer{Key: p.Key, Value: content}, nil
}
