package form

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// prefill sets the value to the schema's default (client/elicitation: clients
// that support defaults SHOULD pre-populate). A default of the wrong type is
// ignored, with a Note.
func (f *Field) prefill(n *jsontree.Node, left *int) {
	if n == nil {
		return
	}
	empty := *f
	if !f.show(n, left) || f.breaks(n) {
		*f = empty
		f.Note = "The default does not fit this field, so it is not filled in."
		return
	}
	f.shown = json.RawMessage(n.Raw())
}

// breaks reports whether a value, which the field shows, is outside of the limits that
// it names.
func (f *Field) breaks(n *jsontree.Node) bool {
	var c checking
	c.field(f, n, "")
	return len(c.problems) > 0
}

// show sets the control to a value. It returns false, and changes nothing, if
// the value does not fit. A value that does not fit the parts of a control is
// shown as JSON; left is the weight that may still be shown.
func (f *Field) show(n *jsontree.Node, left *int) bool {
	if f.Nullable && n.Kind == jsontree.Null {
		*f = f.clear()
		f.Null = true
		return true
	}
	*f = f.inParts()
	*left -= f.weight()
	switch f.Control {
	case Group, Tuple, List, Map, OneOf:
		f.showNested(n, left)
		return true
	case JSON:
		f.Value = []string{string(n.Raw())}
		return true
	case Choices:
		return f.showList(n)
	}
	value, ok := f.display(n)
	if !ok {
		return false
	}
	f.Value = []string{value}
	f.Empty = value == "" && f.CanBeEmpty()
	return true
}

// display returns the text that a single control shows for a value.
func (f Field) display(n *jsontree.Node) (string, bool) {
	value := wireText(n)
	switch f.Control {
	case Number:
		number, ok := n.Decimal()
		return value, ok && (f.Step != "1" || number.IsInt())
	case Checkbox, Toggle:
		return value, n.Kind == jsontree.Bool
	case Choice:
		return value, n.Kind == f.optionKind() && f.option(value)
	case Text:
		if f.Input == "datetime-local" && n.Kind == jsontree.String {
			return localTime(value)
		}
		return value, n.Kind == jsontree.String
	}
	return "", false
}

func (f Field) optionKind() jsontree.Kind {
	if f.numeric {
		return jsontree.Number
	}
	return jsontree.String
}

// showList sets Choices to a list. A list is shown completely or not at all.
func (f *Field) showList(n *jsontree.Node) bool {
	if n.Kind != jsontree.Array {
		return false
	}
	var values []string
	for _, item := range n.Items {
		value, ok := item.Text()
		if !ok || !f.option(value) {
			return false
		}
		values = append(values, value)
	}
	f.Value, f.Empty = values, len(values) == 0
	return true
}

// Suggest returns the form with the values of content, an object, as
// suggestions of its controls. A list of options suggests none: it shows them.
func (f Form) Suggest(content json.RawMessage) Form {
	root, err := jsontree.Parse(content, jsontree.Limits{})
	if err != nil || root.Kind != jsontree.Object {
		return f
	}
	f.Fields = slices.Clone(f.Fields)
	for i := range f.Fields {
		field := &f.Fields[i]
		if value := root.Get(field.Property); value != nil && field.takesText() && field.Control != Choice {
			field.Suggested, _ = field.display(value)
		}
	}
	return f
}

// takesText reports whether the field is a control with one value.
func (f Field) takesText() bool {
	return f.Control == Text || f.Control == Number || f.Control == Choice
}

// setPlaceholder sets the placeholder to the first example if the control can
// show it.
func (f *Field) setPlaceholder(s *jsontree.Node) {
	examples := s.Get("examples")
	if examples == nil || len(examples.Items) == 0 || small(examples.Items[0]) == nil {
		return
	}
	first := examples.Items[0]
	if f.Control == JSON || f.nested() {
		f.Placeholder = string(first.Raw())
		return
	}
	if example, ok := f.display(first); ok && f.isTyped() {
		f.Placeholder = example
	}
}

// localTime converts an RFC 3339 time to the format of a datetime-local
// control, which has no zone: in UTC.
func localTime(s string) (string, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return "", false
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999999"), true
}
