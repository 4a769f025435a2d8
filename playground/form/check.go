package form

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Validate says what is wrong with content, which should be an object for the
// schema: at most one Problem per field, those of the whole form last. The
// constraints that a Field shows are checked here, in words for its control;
// everything else the schema asks is left to the JSON Schema validator. What
// cannot be checked safely is accepted, see Unchecked.
func (f Form) Validate(content json.RawMessage) []Problem {
	root, err := jsontree.Parse(content, jsontree.Limits{})
	switch {
	case err != nil:
		return []Problem{{-1, notJSON(string(content), err)}}
	case root.Kind != jsontree.Object:
		return []Problem{{-1, "This must be a JSON object."}}
	}
	var problems []Problem
	for i, field := range f.Fields {
		if text := field.check(root.Get(field.Property)); text != "" {
			problems = append(problems, Problem{i, text})
		}
	}
	return merge(problems, f.violations(content))
}

// check is the sentence for a value that the field's own constraints refuse;
// n is nil when the property is absent.
func (f Field) check(n *jsontree.Node) string {
	if n == nil && f.Required {
		return f.missing()
	}
	if n == nil {
		return ""
	}
	switch f.Control {
	case Text:
		return f.checkText(n)
	case Number:
		return f.checkNumber(n)
	case Checkbox, Toggle:
		if n.Kind != jsontree.Bool {
			return "Choose yes or no."
		}
	case Choice:
		if n.Kind != f.optionKind() || !f.option(wireText(n)) {
			return "Choose one of the listed values."
		}
	case Choices:
		return f.checkList(n)
	}
	return ""
}

func (f Field) missing() string {
	switch f.Control {
	case Choice:
		return "Choose one."
	case Choices:
		return "Choose at least one."
	case Checkbox, Toggle:
		return "Choose yes or no."
	case JSON:
		return "Write a JSON value."
	}
	return "Please fill this in."
}

func (f Field) checkText(n *jsontree.Node) string {
	text, ok := n.Text()
	length := utf8.RuneCountInString(text)
	switch {
	case !ok:
		return "Enter text."
	case length < f.MinLength:
		return "Needs at least " + amount(f.MinLength, "character") + "."
	case f.MaxLength > 0 && length > f.MaxLength:
		return fmt.Sprintf("Can have at most %s; this has %d.", amount(f.MaxLength, "character"), length)
	}
	return ""
}

func (f Field) checkNumber(n *jsontree.Node) string {
	if n.Kind != jsontree.Number {
		return f.wantsNumber()
	}
	value, ok := rational(string(n.Raw()))
	if !ok {
		return "This number is too large."
	}
	if f.Step == "1" && !value.IsInt() {
		return f.wantsNumber()
	}
	if low, ok := rational(f.Min); ok && value.Cmp(low) < 0 {
		return "Enter " + clip(f.Min, 40) + " or more."
	}
	if high, ok := rational(f.Max); ok && value.Cmp(high) > 0 {
		return "Enter " + clip(f.Max, 40) + " or less."
	}
	return ""
}

func (f Field) wantsNumber() string {
	if f.Step == "1" {
		return "Enter a whole number."
	}
	return "Enter a number, like 1.5."
}

func (f Field) checkList(n *jsontree.Node) string {
	if n.Kind != jsontree.Array {
		return "Choose from the listed values."
	}
	for _, item := range n.Items {
		if text, ok := item.Text(); !ok || !f.option(text) {
			return "Choose only listed values."
		}
	}
	switch chosen := len(n.Items); {
	case chosen < f.MinItems:
		return fmt.Sprintf("Choose at least %d.", f.MinItems)
	case f.MaxItems > 0 && chosen > f.MaxItems:
		return fmt.Sprintf("Choose at most %d.", f.MaxItems)
	}
	return ""
}
