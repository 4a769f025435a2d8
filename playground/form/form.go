// Package form turns the JSON Schema of a question (elicitation requestedSchema)
// or of a tool's arguments (inputSchema) into form fields, and what a person
// typed into JSON or messages. It is pure: no I/O, no reference is ever
// followed outside the schema, and a hostile schema costs no more than a
// friendly one. It refuses to guess: a property it has no control for becomes
// a JSON field with the reason said.
package form

import "encoding/json"

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
	schema json.RawMessage
}

// Field is one property. All texts are the server's words, plain text.
type Field struct {
	Property             string // name on the wire
	Label                string // title, else the property's name
	Help                 string // description
	Hint                 string // constraints in our words: "whole number, 1 to 10"
	Control              Control
	Input                string // type attribute of a Text control: text, email, url, date, datetime-local
	Required             bool
	Value                []string        // prefilled from the default, or what was typed; wire text
	Options              []Option        // of Choice and Choices
	Min, Max             string          // min and max attributes; empty when absent
	Step                 string          // "1" for integers, "any" for numbers
	MinLength, MaxLength int             // 0 when absent; in characters
	Reason               string          // of JSON: why there is no control
	Unknown              json.RawMessage // keywords outside the subset, raw, for showing; nil when none
	AsksSecret           bool            // name or title looks like a request for a secret
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
