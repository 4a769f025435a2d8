package form

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// newField reads one property of a schema. It never fails: what it has no
// control for is a JSON field.
func newField(m jsontree.Member, d dialect, required bool) Field {
	s := m.Value
	f := Field{Property: m.Key, Label: s.Get("title").Str(), Help: s.Get("description").Str(), Required: required}
	if f.Label == "" {
		f.Label = m.Key
	}
	known := f.control(s, d)
	if f.Control == JSON {
		f.Options = nil
	} else {
		f.Unknown = unknown(s, known)
	}
	f.Hint = f.hint(s)
	f.AsksSecret = f.typed() && (AsksSecret(m.Key) || AsksSecret(f.Label) || s.Get("format").Str() == "password")
	f.suggest(s)
	f.prefill(s.Get("default"))
	return f
}

// typed tells whether the person types into the field; a tick or a choice
// gives no secret away.
func (f Field) typed() bool {
	return f.Control == Text || f.Control == Number || f.Control == JSON
}

// control picks the control and reads its constraints. It returns the keywords
// that it understood.
func (f *Field) control(s *jsontree.Node, d dialect) []string {
	if reason := complicated(s); reason != "" {
		return f.asJSON(reason)
	}
	if hasOptions(s) {
		return f.choice(s, d)
	}
	switch s.Get("type").Str() {
	case "string":
		return f.text(s)
	case "number", "integer":
		return f.number(s)
	case "boolean":
		return f.boolean()
	case "array":
		return f.choices(s)
	case "object":
		return f.asJSON("It is an object of its own.")
	case "null":
		return f.asJSON("It can only be null.")
	case "":
		return f.asJSON("The schema names no type, so any JSON value may be right.")
	}
	return f.asJSON("Its type is unknown.")
}

// complicated says why a property can have no control whatever its type is.
func complicated(s *jsontree.Node) string {
	switch {
	case s == nil || s.Kind != jsontree.Object:
		return "Its schema is no object, so any JSON value may be right."
	case s.Get("$ref") != nil || s.Get("$dynamicRef") != nil:
		return "Its schema is a reference to another schema."
	case s.Get("type") != nil && s.Get("type").Kind == jsontree.Array:
		return severalTypes(s.Get("type"))
	case s.Get("allOf") != nil || s.Get("not") != nil || s.Get("if") != nil:
		return "Its schema combines several schemas."
	case s.Get("anyOf") != nil:
		return "It may have one of several shapes."
	}
	return ""
}

func severalTypes(types *jsontree.Node) string {
	for _, t := range types.Items {
		if t.Str() == "null" {
			return "It may also be null, which no form control can say."
		}
	}
	return "It may have one of several types."
}

func (f *Field) asJSON(reason string) []string {
	f.Control, f.Reason = JSON, reason
	return nil
}

func (f *Field) boolean() []string {
	f.Control = Toggle
	if f.Required {
		f.Control = Checkbox
	}
	return nil
}

func (f *Field) number(s *jsontree.Node) []string {
	f.Control, f.Step = Number, "any"
	if s.Get("type").Str() == "integer" {
		f.Step = "1"
	}
	f.Min, f.Max = numeral(s.Get("minimum")), numeral(s.Get("maximum"))
	return []string{"minimum", "maximum"}
}

func (f *Field) text(s *jsontree.Node) []string {
	f.Control = Text
	f.MinLength, f.MaxLength = count(s.Get("minLength")), count(s.Get("maxLength"))
	known := []string{"minLength", "maxLength"}
	switch s.Get("format").Str() {
	case "email":
		f.Input = "email"
	case "uri":
		f.Input = "url"
	case "date":
		f.Input = "date"
	case "date-time":
		f.Input = "datetime-local"
	default:
		f.Input = "text"
		return known
	}
	return append(known, "format")
}

// unknown collects the keywords that are neither general nor in known, raw and
// in order. $schema is tolerated: real servers send it inside properties too.
func unknown(s *jsontree.Node, known []string) json.RawMessage {
	general := []string{"type", "title", "description", "default", "examples", "$schema"}
	return object(s, func(key string) bool { return !contains(general, key) && !contains(known, key) })
}
