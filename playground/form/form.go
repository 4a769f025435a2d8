// Package form turns the JSON Schema of a question (elicitation
// requestedSchema) or of a tool's arguments (inputSchema) into form fields, and
// submitted values into JSON or messages for the user. It is pure: it does no
// I/O and follows no reference outside the schema, and the cost of a hostile
// schema is bounded. It does not guess: a property without a suitable control
// becomes a JSON field with a Reason, and an empty control sends nothing unless
// the user asks for the empty value (EmptyName).
//
// The name of a control is made from indexes and never from a word of the
// server: a property called "round" would otherwise replace a field of the
// page. A default that the user does not edit is sent in the server's own
// spelling.
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
//
// The others have parts: Group is an object, Tuple an array of fixed parts,
// List an array of rows, Map an object of rows with free names, and OneOf a
// select of alternatives, whose values are their indexes.
const (
	Text     Control = "text"
	Number   Control = "number"
	Checkbox Control = "checkbox"
	Toggle   Control = "toggle"
	Choice   Control = "choice"
	Choices  Control = "choices"
	JSON     Control = "json"

	Group Control = "group"
	Tuple Control = "tuple"
	List  Control = "list"
	Map   Control = "map"
	OneOf Control = "oneof"
)

// Form has the fields of a schema, in the schema's order.
type Form struct {
	Fields []Field
	Extra  json.RawMessage // after Fill: object of the members that no field can show, or nil
	Focus  string          // after Edit: the control that gets the focus, without the prefix
	Beyond string          // a sentence on the rules of the schema that no field shows, or ""
	schema json.RawMessage
	plain  bool // the schema certainly compiles, see isPlain
}

// Field is one property. All texts except Hint, Note and Reason are the
// server's.
type Field struct {
	Property             string // name on the wire
	Label                string // the title, or else the property's name
	Help                 string // the description
	Hint                 string // the constraints in words: "whole number, 1 to 10"
	Note                 string // the ignored parts and why; empty if there are none
	Control              Control
	Input                string // type attribute of a Text control: text, email, url, date, datetime-local
	Placeholder          string // from the schema's examples; never a value
	Suggested            string // what a button enters; see Suggest
	Required             bool
	Value                []string        // the default or the input, as on the wire
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
	Outside              string          // of a question: why it must not have this property
	Nullable             bool            // null is one of the values
	Null                 bool            // of Nullable: send null if the control is blank
	AsText               bool            // of JSON: has parts, but the value does not fit them, see JSONPart
	Fields               []Field         // of Group and Tuple: the parts; of OneOf: the alternatives
	Rows                 []Row           // of List and Map

	row     *Field          // of List and Map: a new row
	parts   *Field          // of AsText: the field with its parts
	origin  []int           // of alternatives: their places in the schema's anyOf or oneOf
	shown   json.RawMessage // the default in Value, sent unchanged if the user does not edit it
	numeric bool            // Options are numbers, Value their JSON text
}

// Option is one value of an enum: Value is the wire's value, Label its title.
type Option struct {
	Value, Label string
}

// Row is one entry of a List, or one member of a Map with its name.
type Row struct {
	Key   string
	Field Field

	at int // place in the content; -1 if the row is blank and left out
}

// Problem reports why the value of field Index is not accepted (-1: the whole
// form), in a sentence for the user. Part is the place of a part in the field,
// as in the names of controls: "1.0"; it is empty for the field itself.
type Problem struct {
	Index int
	Text  string
	Part  string
}

// Parts of control names: field 1 of question 0 is "a0.f1".
const (
	questionLetter = "a"
	fieldLetter    = "f"
	emptySuffix    = ".empty"
	nullSuffix     = ".null"
	jsonSuffix     = ".json"
	rowsSuffix     = ".rows"
	keySuffix      = ".key"
)

// Name returns the name attribute of the control of field index: "a0.f1" for
// the prefix "a0". It never has text of the server.
func Name(prefix string, index int) string {
	return prefix + "." + fieldLetter + strconv.Itoa(index)
}

// Part returns the name of part i of a control with parts: a field of a Group
// or Tuple, a row, an alternative.
func Part(name string, i int) string { return name + "." + strconv.Itoa(i) }

// PartEmpty returns the name of the checkbox of EmptyName for a control of any
// depth.
func PartEmpty(name string) string { return name + emptySuffix }

// NullName returns the name of the checkbox that sends null if the control is
// blank.
func NullName(name string) string { return name + nullSuffix }

// JSONPart returns the name of the textarea of a control with parts whose value
// does not fit them (AsText). If it is empty, the parts count.
func JSONPart(name string) string { return name + jsonSuffix }

// RowsName returns the name of the hidden controls that list the rows of a List
// or Map, one value for each row, in order.
func RowsName(name string) string { return name + rowsSuffix }

// KeyPart returns the name of the control with the name of a Map's row.
func KeyPart(name string) string { return name + keySuffix }

// EmptyName returns the name of an optional checkbox (value "true") beside a
// Text, Choice or Choices control, or one with parts. If it is ticked, an empty
// control sends "", [] or {}; otherwise it leaves out the property.
func EmptyName(prefix string, index int) string {
	return Name(prefix, index) + emptySuffix
}

// CanBeEmpty reports whether the field can have an EmptyName checkbox: it is a
// Text, Choices, or a Choice whose values include "".
func (f Field) CanBeEmpty() bool {
	switch f.Control {
	case Text, Choices, Group, List, Map:
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
