package form

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Validate checks content, which should be an object, against the schema. It
// returns at most one Problem per field, and those of the whole form last. The
// constraints that a Field shows are checked here, with sentences that fit its
// control; the JSON Schema validator checks all others. Content that cannot be
// checked safely is accepted, see Unchecked.
func (f Form) Validate(content json.RawMessage) []Problem {
	root, err := jsontree.Parse(content, jsontree.Limits{})
	switch {
	case err != nil:
		return []Problem{{Index: -1, Text: NotJSON(string(content), err)}}
	case root.Kind != jsontree.Object:
		return []Problem{{Index: -1, Text: "This must be a JSON object."}}
	}
	return f.Fill(content).validate(content)
}

// validate checks the content that the form is filled in with.
func (f Form) validate(content json.RawMessage) []Problem {
	root, err := jsontree.Parse(content, jsontree.Limits{})
	if err != nil { // the controls or the caller made it
		return []Problem{{Index: -1, Text: NotJSON(string(content), err)}}
	}
	var problems []Problem
	for i := range f.Fields {
		c := checking{index: i}
		c.field(&f.Fields[i], root.Get(f.Fields[i].Property), "")
		problems = append(problems, c.problems...)
	}
	return merge(problems, f.violations(content, problems))
}

// checking checks a value against the constraints that a field and its parts
// show.
type checking struct {
	index    int
	problems []Problem
}

// field checks one value. n is nil if the property is absent.
func (c *checking) field(f *Field, n *jsontree.Node, part string) {
	if n != nil && n.Kind == jsontree.Null && f.Nullable {
		return
	}
	if text := f.check(n); text != "" {
		c.problems = append(c.problems, Problem{Index: c.index, Text: text, Part: part})
		return
	}
	if n == nil {
		return
	}
	switch f.Control {
	case Group:
		for i := range f.Fields {
			if n.Kind == jsontree.Object {
				c.field(&f.Fields[i], n.Get(f.Fields[i].Property), place(part, i))
			}
		}
	case Tuple:
		for i := range f.Fields {
			if i < len(n.Items) {
				c.field(&f.Fields[i], n.Items[i], place(part, i))
			}
		}
	case List, Map:
		values := nodes(n)
		for i := range f.Rows {
			if at := f.Rows[i].at; at >= 0 && at < len(values) {
				c.field(&f.Rows[i].Field, values[at], place(part, i))
			}
		}
	case OneOf:
		if i := f.Chosen(); i >= 0 {
			c.field(&f.Fields[i], n, place(part, i))
		}
	}
}

// check returns the sentence for a value that violates the field's own
// constraints, or "". n is nil if the property is absent.
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
	case Choice, OneOf:
		return "Choose one."
	case Choices:
		return "Choose at least one."
	case Checkbox, Toggle:
		return "Choose yes or no."
	case JSON:
		return "Enter a JSON value."
	case List:
		return "Add an item."
	}
	return "Fill in this field."
}

func (f Field) checkText(n *jsontree.Node) string {
	value, ok := n.Text()
	length := utf8.RuneCountInString(value)
	switch {
	case !ok:
		return "Enter text."
	case length < f.MinLength:
		return "Enter at least " + text.Plural(f.MinLength, "character") + "."
	case f.MaxLength > 0 && length > f.MaxLength:
		return fmt.Sprintf("Enter at most %s; this has %d.", text.Plural(f.MaxLength, "character"), length)
	}
	return ""
}

func (f Field) checkNumber(n *jsontree.Node) string {
	value, ok := n.Decimal()
	switch {
	case !ok:
		return f.numberExpected()
	case !jsontree.Bounded(string(n.Raw())):
		return "This number is too large."
	case f.Step == "1" && !value.IsInt():
		return f.numberExpected()
	}
	if low, ok := jsontree.ParseDecimal(f.Min); ok && value.Cmp(low) < 0 {
		return "Enter " + text.Visible(f.Min, 40) + " or more."
	}
	if high, ok := jsontree.ParseDecimal(f.Max); ok && value.Cmp(high) > 0 {
		return "Enter " + text.Visible(f.Max, 40) + " or less."
	}
	return ""
}

func (f Field) numberExpected() string {
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
		if value, ok := item.Text(); !ok || !f.option(value) {
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
