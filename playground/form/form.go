// Package form turns the JSON Schema of a question (elicitation requestedSchema)
// or of a tool's arguments (inputSchema) into form fields, and what a person
// typed into JSON or messages. It is pure: no I/O, no reference is ever
// followed outside the schema, and a hostile schema costs no more than a
// friendly one. It refuses to guess: a property it has no control for becomes
// a JSON field with the reason said, and an empty control sends nothing unless
// the person says that the empty value is meant (EmptyName).
package form

import (
	"encoding/json"
	"strconv"
)

// Control is the kind of HTML control of a Field.
type Control string

// Controls, following the HTML contract: Checkbox is a required boolean (value
// "true"), Toggle an optional boolean (select with "", "true", "false"),
// Choice a select of the wire's enum values, Choices checkboxes of a
// multi-select, JSON a textarea for what has no better control.
const (
	Text     Control = "text"
	Number   Control = "number"
	Checkbox Control = "checkbox"
	Toggle   Control = "toggle"
	Choice   Control = "choice"
	Choices  Control = "choices"
	JSON     Control = "json"
)

// Form is a schema as fields, in the schema's order.
type Form struct {
	Fields []Field
	Extra  json.RawMessage // after Fill: object of the members that no field could show; nil when none
	schema json.RawMessage
}

// Field is one property. All texts are the server's words, plain text.
type Field struct {
	Property             string // name on the wire
	Label                string // title, else the property's name
	Help                 string // description
	Hint                 string // constraints in our words: "whole number, 1 to 10"
	Note                 string // what was ignored and why, in our words; empty when nothing was
	Control              Control
	Input                string // type attribute of a Text control: text, email, url, date, datetime-local
	Placeholder          string // suggestion from the schema's examples; never a value
	Required             bool
	Value                []string        // prefilled from the default, or what was typed; wire text
	Empty                bool            // the empty text or list is meant, see EmptyName
	Options              []Option        // of Choice and Choices
	Min, Max             string          // min and max attributes; empty when absent
	Step                 string          // "1" for integers, "any" for numbers
	MinLength, MaxLength int             // 0 when absent; in characters
	MinItems, MaxItems   int             // of Choices; 0 when absent
	Reason               string          // of JSON: why there is no control
	Unknown              json.RawMessage // keywords outside the subset, raw, for showing; nil when none
	AsksSecret           bool            // name or title looks like a request for a secret

	shown   json.RawMessage // default that Value shows; sent back as it is while untouched
	numeric bool            // Options are numbers, Value their JSON text
}

// Option is one value of an enum: Value is the wire's value, Label its title.
type Option struct {
	Value, Label string
}

// Problem is why a value was not accepted, tied to a field by Index (-1: the
// whole form), in words for the person who typed it.
type Problem struct {
	Index int
	Text  string
}

// Name is the name attribute of the control of field index: "a0.f1" for the
// prefix "a0". It never holds the server's words.
func Name(prefix string, index int) string {
	return prefix + ".f" + strconv.Itoa(index)
}

// EmptyName is the name of an optional extra checkbox (value "true") beside a
// Text, Choice or Choices control. Ticked, an empty control sends "" or [];
// without it an empty control leaves the property out.
func EmptyName(prefix string, index int) string {
	return Name(prefix, index) + ".empty"
}

// CanBeEmpty tells whether an EmptyName checkbox makes sense beside the field:
// for text, for lists, and for a choice whose values include "".
func (f Field) CanBeEmpty() bool {
	switch f.Control {
	case Text, Choices:
		return true
	case Choice:
		return !f.numeric && f.option("")
	}
	return false
}

// option tells whether value is one of the field's options.
func (f Field) option(value string) bool {
	for _, o := range f.Options {
		if o.Value == value {
			return true
		}
	}
	return false
}
