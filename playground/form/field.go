package form

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// newField makes the field of one property of a schema. It never fails: a
// property without a suitable control becomes a JSON field.
func (b *building) newField(m jsontree.Member, d dialect, required bool, depth int) Field {
	s := m.Value
	f := Field{
		Property: m.Key,
		Label:    cmp.Or(s.Get("title").Str(), m.Key),
		Help:     s.Get("description").Str(),
		Required: required,
	}
	inside := b.inside
	b.inside = false
	b.left--
	known := f.setControl(s, d)
	if f.Control == JSON {
		if f.Options = nil; d == question {
			f.Outside = outside(f.Reason)
		}
		s = b.nest(&f, s, depth, inside)
	} else {
		f.Unknown = unknown(s, known)
		if depth > 1 && len(f.Unknown) > skeletonSize {
			f.Unknown = nil
		}
	}
	if b.left -= len(f.Options) / optionsPerWeight; f.Control == Choice && d == arguments {
		f.onlyChoice(s)
	}
	f.Hint = f.hint(s)
	secret := AsksSecret(m.Key) || AsksSecret(f.Label) || s.Get("format").Str() == "password"
	f.AsksSecret = f.isTyped() && secret
	f.setPlaceholder(s)
	if s == m.Value && depth == 1 || small(s.Get("default")) != nil { // a reference can repeat it
		f.prefill(s.Get("default"), &b.left)
	}
	return f
}

// outside returns a Reason as a sentence about the property.
func outside(reason string) string {
	switch reason {
	case objectReason:
		return "It is an object."
	case arrayReason:
		return "It is an array of other values than listed strings."
	}
	words := strings.TrimPrefix(reason, "JSON: ")
	first, _, _ := strings.Cut(words, " ")
	switch first {
	case "the":
		return "T" + words[1:]
	case "any":
		return "It has " + words
	case "only":
		return "It is " + words
	}
	return "It " + words
}

// Reasons of JSON fields that have no more to say.
const (
	objectReason = "JSON object."
	arrayReason  = "JSON array."
)

// onlyChoice fills in a required value that has no alternative.
func (f *Field) onlyChoice(s *jsontree.Node) {
	if f.Required && s.Get("const") != nil && len(f.Options) == 1 && !f.Nullable {
		f.Value, f.shown = []string{f.Options[0].Value}, s.Get("const").Raw()
	}
}

// Typed reports whether the user types into the field or a part of it.
func (f Field) Typed() bool { return f.isTyped() }

// isTyped reports whether the user types into the field; a tick or a choice
// discloses no secret.
func (f Field) isTyped() bool {
	return f.Control == Text || f.Control == Number || f.Control == JSON
}

// setControl sets the control and its constraints. It returns the keywords that
// it understood.
func (f *Field) setControl(s *jsontree.Node, d dialect) []string {
	if reason := unsupported(s); reason != "" {
		return f.asJSON(reason)
	}
	if hasOptions(s) {
		return f.choice(s, d)
	}
	switch s.Get("type").Str() {
	case "string":
		return f.string(s)
	case "number", "integer":
		return f.number(s, d)
	case "boolean":
		return f.boolean()
	case "array":
		return f.choices(s)
	case "object":
		return f.asJSON(objectReason)
	case "null":
		return f.asJSON("JSON: only null.")
	case "":
		return f.asJSON("JSON: any value, because the schema has no type.")
	}
	return f.asJSON("JSON: the type is unknown.")
}

// unsupported returns the Reason for a schema that has no control whatever its
// type is, or "".
func unsupported(s *jsontree.Node) string {
	switch {
	case s == nil || s.Kind != jsontree.Object:
		return "JSON: any value, because the schema is not an object."
	case s.Get("$ref") != nil || s.Get("$dynamicRef") != nil:
		return "JSON: the schema is a reference."
	case s.Get("type") != nil && s.Get("type").Kind == jsontree.Array:
		return severalTypes(s.Get("type"))
	case s.Get("allOf") != nil || s.Get("not") != nil || s.Get("if") != nil:
		return "JSON: matches several schemas at once."
	case s.Get("anyOf") != nil:
		return "JSON: matches one of several schemas."
	}
	return ""
}

func severalTypes(types *jsontree.Node) string {
	for _, t := range types.Items {
		if t.Str() == "null" {
			return "JSON: may also be null."
		}
	}
	return "JSON: has one of several types."
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

// number sets the control of a number. Exclusive bounds are not in the subset
// of an elicitation.
func (f *Field) number(s *jsontree.Node, d dialect) []string {
	f.Control, f.Step = Number, "any"
	if s.Get("type").Str() == "integer" {
		f.Step = "1"
	}
	f.Min, f.Max = numberOf(s.Get("minimum")), numberOf(s.Get("maximum"))
	if d == question {
		return []string{"minimum", "maximum"}
	}
	f.Above, f.Below = numberOf(s.Get("exclusiveMinimum")), numberOf(s.Get("exclusiveMaximum"))
	return []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
}

func (f *Field) string(s *jsontree.Node) []string {
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

// general are the keywords of every property. $schema is tolerated, because
// some servers send it inside properties.
var general = []string{"type", "title", "description", "default", "examples", "$schema"}

// unknown returns the keywords that are neither general nor in known, unchanged
// and in order.
func unknown(s *jsontree.Node, known []string) json.RawMessage {
	return object(s, func(key string) bool {
		return !slices.Contains(general, key) && !slices.Contains(known, key)
	})
}
