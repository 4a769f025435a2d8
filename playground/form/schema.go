package form

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Bounds on a schema. Question and Arguments return an error beyond them.
const (
	MaxBytes      = 64 << 10
	MaxProperties = 100
	MaxOptions    = 500 // values of one enum
)

// Bounds on the parts of fields. What exceeds them is entered as JSON.
const (
	MaxDepth  = 3   // of a field; those of the form have depth 1
	MaxRows   = 50  // of one List or Map
	MaxWeight = 400 // fields of a form with all their parts; 20 options weigh as much as a field

	optionsPerWeight = 20
)

// dialect is the vocabulary that a schema may use.
type dialect uint8

const (
	question  dialect = iota // client/elicitation, "Requested Schema"
	arguments                // server/tools: any JSON Schema of an object
)

// Question returns the form of an elicitation's requestedSchema: a flat object
// of strings, numbers, booleans and enums (client/elicitation, "Requested
// Schema"). A property outside that subset says so in Outside and has the
// control that it would have in Arguments; a keyword outside it is in Unknown.
// The error is for a schema that is not of an object or exceeds the bounds.
func Question(schema json.RawMessage) (Form, error) {
	return build(schema, question)
}

// Arguments returns the form of a tool's inputSchema (server/tools, "Tool").
// Objects, arrays, maps, nullable values and alternatives get controls with
// parts to the depth of MaxDepth. Examples become a Placeholder, never a value. The error is as for Question.
func Arguments(schema json.RawMessage) (Form, error) {
	return build(schema, arguments)
}

func build(schema json.RawMessage, d dialect) (Form, error) {
	if len(schema) == 0 {
		return Form{}, errors.New("there is no schema")
	}
	if len(schema) > MaxBytes {
		return Form{}, fmt.Errorf("read schema: larger than %d bytes", MaxBytes)
	}
	root, err := jsontree.Parse(schema, jsontree.Limits{})
	if err != nil {
		return Form{}, fmt.Errorf("read schema: %w", err)
	}
	if err := isObjectSchema(root); err != nil {
		return Form{}, err
	}
	form := Form{schema: schema, plain: isPlain(root)}
	made := &building{root: root, left: MaxWeight}
	top := made.top(root)
	names := required(top)
	for _, m := range properties(top) {
		field := made.newField(m, d, names[m.Key], 1)
		if len(field.Options) > MaxOptions {
			return Form{}, fmt.Errorf("read schema: more than %d values in one choice", MaxOptions)
		}
		form.Fields = append(form.Fields, field)
		if len(form.Fields) > MaxProperties {
			return Form{}, fmt.Errorf("read schema: more than %d properties", MaxProperties)
		}
	}
	form.Beyond = beyond(top, len(form.Fields) == 0)
	return form, nil
}

// isObjectSchema returns an error unless root is the schema of an object. It
// accepts a missing type, because the protocol allows only objects; the rules
// report it.
func isObjectSchema(root *jsontree.Node) error {
	switch {
	case root == nil || root.Kind != jsontree.Object:
		return errors.New("read schema: not a JSON object")
	case root.Get("type") != nil && root.Get("type").Str() != "object":
		return errors.New("read schema: not the schema of an object")
	case root.Get("properties") != nil && root.Get("properties").Kind != jsontree.Object:
		return errors.New("read schema: properties is not an object")
	}
	return nil
}

// properties returns the properties in the schema's order. Of duplicates, the
// last value counts, at the position of the first, as in JavaScript.
func properties(root *jsontree.Node) []jsontree.Member {
	node := root.Get("properties")
	if node == nil {
		return nil
	}
	var list []jsontree.Member
	at := make(map[string]int, len(node.Members))
	for _, m := range node.Members {
		if i, twice := at[m.Key]; twice {
			list[i].Value = m.Value
			continue
		}
		at[m.Key] = len(list)
		list = append(list, m)
	}
	return list
}

// required returns the names that an object must have. Of a hostile list it
// reads the first maxRequired.
func required(root *jsontree.Node) map[string]bool {
	list := root.Get("required").Elements()
	names := make(map[string]bool, min(len(list), maxRequired))
	for _, n := range list[:min(len(list), maxRequired)] {
		if s, ok := n.Text(); ok {
			names[s] = true
		}
	}
	return names
}
