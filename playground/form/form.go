// Package form turns the JSON Schema of a question (elicitation
// requestedSchema) or of a tool's arguments (inputSchema) into form fields, and
// submitted values into JSON or messages for the user. It is pure: it does no
// I/O and follows no reference outside the schema, and the cost of a hostile
// schema is bounded. It does not guess: a property without a suitable control
// becomes a JSON field with a Reason, and an empty control sends nothing unless
// the user asks for the empty value (EmptyName).
package form

import (
	"encoding/json"
	"strconv"
)

// Control is the kind of HTML control of a Field.
type Control string

// The controls: Checkbox is a required boolean (value "true"), Toggle an
// optional boolean (select with "", "true", "false"), Choice a select of the
// wire's enum values, Choices the checkboxes of a multi-select, and JSON a
// textarea for values without another control.
const (
	Text     Control = "text"
	Number   Control = "number"
	Checkbox Control = "checkbox"
	Toggle   Control = "toggle"
	Choice   Control = "choice"
	Choices  Control = "choices"
	JSON     Control = "json"
)

// Form has the fields of a schema, in the schema's order.
type Form struct {
	Fields []Field
	Extra  json.RawMessage // after Fill: object of the members that no field can show, or nil
	schema json.RawMessage
}

// Field is one property. All texts except Hint, Note and Reason are the
// server's.
type Field struct {
	Property             string // name on the wire
	Label                string // the title, or else the property's name
	Help                 string // the description
	Hint                 string // the constraints in words: "whole number, 1 to 10"
	Note                 string // what was ignored and why; empty if nothing was
	Control              Control
	Input                string // type attribute of a Text control: text, email, url, date, datetime-local
	Placeholder          string // from the schema's examples; never a value
	Required             bool
	Value                []string        // the default or what was entered, as on the wire
	Empty                bool            // send the empty string or list, see EmptyName
	Options              []Option        // of Choice and Choices
	Min, Max             string          // min and max attributes; empty if absent
	Above, Below         string          // exclusive bounds of a number, as JSON text; empty if none
	Step                 string          // "1" for integers, "any" for numbers
	MinLength, MaxLength int             // in characters; 0 if absent
	MinItems, MaxItems   int             // of Choices; 0 if absent
	Reason               string          // of JSON: why there is no other control
	Unknown              json.RawMessage // keywords outside the subset, to be shown; nil if none
	AsksSecret           bool            // name or title looks like a request for a secret

	shown   json.RawMessage // the default in Value, sent unchanged if the user does not edit it
	numeric bool            // Options are numbers, Value their JSON text
}

// Option is one value of an enum: Value is the wire's value, Label its title.
type Option struct {
	Value, Label string
}

// Problem reports why the value of field Index is not accepted (-1: the whole
// form), in a sentence for the user.
type Problem struct {
	Index int
	Text  string
}

// Parts of control names: field 1 of question 0 is "a0.f1".
const (
	questionLetter = "a"
	fieldLetter    = "f"
	emptySuffix    = ".empty"
)

// Name returns the name attribute of the control of field index: "a0.f1" for
// the prefix "a0". It never has text of the server.
func Name(prefix string, index int) string {
	return prefix + "." + fieldLetter + strconv.Itoa(index)
}

// EmptyName returns the name of an optional checkbox (value "true") beside a
// Text, Choice or Choices control. If it is ticked, an empty control sends ""
// or []; otherwise an empty control leaves out the property.
func EmptyName(prefix string, index int) string {
	return Name(prefix, index) + emptySuffix
}

// CanBeEmpty reports whether the field can have an EmptyName checkbox: it is a
// Text, Choices, or a Choice whose values include "".
func (f Field) CanBeEmpty() bool {
	switch f.Control {
	case Text, Choices:
		return true
	case Choice:
		return !f.numeric && f.option("")
	}
	return false
}

// option reports whether value is one of the field's options.
func (f Field) option(value string) bool {
	for _, o := range f.Options {
		if o.Value == value {
			return true
		}
	}
	return false
}
